"""A listing whose numbers are uneven: large and zero, with a past that has gaps, and voters of different weight."""

import time
from typing import Any

from harness.clients.workspace import Workspace

HOUR_MS = 3_600_000
NAMES = ["Encore", "Lantern", "Mortar", "Nimbus", "Quiet"]
BOTS = [str(2 * 10**17 + 7_919 * number) for number in range(5)]
OWNER, VOTERS = "205680187394752512", [str(3 * 10**17 + number) for number in range(13)]
DAYS_AGO = [0, 1, 2, 3, 5, 8, 13, 21, 29, 30, 31, 44, 59]


def numbered_bots(workspace: Workspace) -> None:
    """Feed five bots of one owner, the last of which nobody votes for, and the votes of thirteen people for the first."""
    now_ms = int(time.time() * 1000)
    rows: list[dict[str, Any]] = [
        _counters(place, days, now_ms - days * 24 * HOUR_MS) for days in reversed(DAYS_AGO) for place in range(5)
    ]
    rows += [_counters(0, hours, now_ms - hours * HOUR_MS) for hours in (25, 7, 4, 3)]
    rows += [
        {"bot": BOTS[0], "userId": voter, "username": f"voter {'x' * number}", "timestamp": now_ms - at * 25 * HOUR_MS}
        for number, voter in enumerate(VOTERS)
        for at in range(1, 2 + number * number % 11)
    ]
    token, _ = workspace.make_stats_token("write")
    with workspace.client(token) as client:
        answer = client.post("/chat/import", json={"rows": rows})
    assert answer.status_code == 200, answer.text


def _counters(place: int, since: int, at_ms: int) -> dict[str, Any]:
    """A bot as it was; the first three grew, the fourth shrank, and the last stands still."""
    pace = (211, 37, 7, -53, 0)[place]
    return {
        "id": BOTS[place],
        "name": NAMES[place],
        "tags": ["music" if place % 2 else "games"],
        "owners": [OWNER],
        "monthly_votes": max(0, (12_347, 9_973, 9_967, 101, 0)[place] - since * pace // 3),
        "total_votes": max(0, (1_234_577, 98_767, 98_801, 1_009, 0)[place] - since * pace),
        "server_count": (10_007, 104_729, 997, 7_919, 1)[place] - since * pace // 7,
        "review_count": (211, 0, 13, 1, 0)[place],
        "avg_review_rating": (4.37, 0, 3.85, 5, 0)[place],
        "shard_count": (12, 105, 1, 8, 1)[place],
        "timestamp": at_ms,
    }
