"""A listing of many bots with a past, whose every number follows from the place of the bot."""

import time
from typing import Any

from harness.clients.workspace import Workspace

HOUR_MS = 3_600_000
USER = "205680187394752512"
"""Owns all of them, and votes for the first."""


def bot_id(place: int) -> str:
    """The id of the bot at a place by monthly votes, from 1."""
    return str(10**17 + place)


def fed(place: int, now_ms: int, hours_ago: int = 0) -> dict[str, Any]:
    """A row of an import: the bot as it was so many hours ago."""
    days_ago = hours_ago // 24
    return {
        "id": bot_id(place),
        "name": f"Bot {place}",
        "tags": ["music" if place % 2 else "games"],
        "owners": [USER],
        "monthly_votes": 9000 - 100 * place - days_ago,
        "total_votes": 90_000 - 100 * place - 24 * days_ago,
        "server_count": 10 * place + 500 - days_ago,
        "review_count": 3 * place,
        "avg_review_rating": 4.5,
        "shard_count": place,
        "timestamp": now_ms - hours_ago * HOUR_MS,
    }


def ranked_bots(workspace: Workspace, count: int, *, days: int = 2) -> list[str]:
    """Feed so many bots, and return their ids by rank of monthly votes; the first three have some days of history."""
    token, _ = workspace.make_stats_token("write")
    now_ms = int(time.time() * 1000)
    past = [fed(place, now_ms, hours) for hours in range(24 * days, 0, -12) for place in (1, 2, 3) if place <= count]
    rows = past + [fed(place, now_ms) for place in range(1, count + 1)]
    with workspace.client(token) as client:
        answer = client.post("/chat/import", json={"rows": rows})
        assert answer.status_code == 200, answer.text
        vote = {"userId": USER, "username": "Robin"}
        assert client.post(f"/chat/bots/{bot_id(1)}/votes", json=vote).json()["counted"]
    return [bot_id(place) for place in range(1, count + 1)]
