"""A listing of bots that race: one passes another on a known day, a third falls behind, and others have ranks around."""

import time
from typing import Any, NamedTuple

from harness.clients.workspace import Workspace

DAY_MS = 86_400_000
DAYS = 60
PASSED_DAYS_AGO = 8
ENCORE, QUILL, TAMBER, SILENT = "583807014896140293", "646937666251915264", "432610292342587392", "700000000000000042"
OTHERS = {str(8 * 10**17 + number): f"Harbor {number}" for number in range(6)}
NAMES = {ENCORE: "Encore", QUILL: "Quill", TAMBER: "Tamber"}


class Racing(NamedTuple):
    """What there is: when the last day of the history ends, and the monthly votes of each bot, oldest first."""

    now_ms: int
    votes: dict[str, list[int]]


def monthly_votes(bot: str, days_ago: int) -> int:
    """Encore gains 80 a day and passes Quill, which gains 30; Tamber loses 5."""
    if bot == ENCORE:
        return 12_000 - 80 * days_ago
    if bot == QUILL:
        return 11_575 - 30 * days_ago  # 425 less than Encore, which gains 50 a day on it
    return 9_000 + 5 * days_ago


def racing_bots(workspace: Workspace) -> Racing:
    """Feed the bots of a race, and a few more with ranks below them."""
    now_ms = int(time.time() * 1000)
    rows: list[dict[str, Any]] = [
        {
            "id": bot,
            "name": name,
            "monthly_votes": monthly_votes(bot, days_ago),
            "total_votes": 100_000 - (600 - place * 100) * days_ago,
            "server_count": 4_000 * (place + 1) - 10 * days_ago,
            "timestamp": now_ms - days_ago * DAY_MS,
        }
        for days_ago in range(DAYS - 1, -1, -1)
        for place, (bot, name) in enumerate(NAMES.items())
    ]
    rows += [
        {"id": bot, "name": name, "monthly_votes": 5_000 - number, "timestamp": now_ms}
        for number, (bot, name) in enumerate(OTHERS.items())
    ]
    rows.append({"id": SILENT, "name": "Silent"})
    with workspace.client(workspace.make_stats_token("write")[0]) as client:
        answer = client.post("/chat/import", json={"rows": rows})
    assert answer.status_code == 200, answer.text
    return Racing(now_ms, {bot: [monthly_votes(bot, ago) for ago in range(DAYS - 1, -1, -1)] for bot in NAMES})
