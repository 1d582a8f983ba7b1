"""Votes that are counted wrongly, as the rules admit: rules/statistics#two-lists, rules/statistics#refetched-votes."""

import time
from typing import Any

import httpx
import pytest

from harness.clients.workspace import Workspace
from harness.oracles.listing_history import DAY

BOT, USER = "583807014896140293", "205680187394752512"
V0 = {"bot": BOT, "user": USER, "type": "upvote", "isWeekend": False}


def v1(vote_id: str, at: int) -> dict[str, Any]:
    """A webhook whose vote has an id."""
    project, user = {"platform_id": BOT}, {"platform_id": USER}
    return {"type": "vote.create", "data": {"id": vote_id, "project": project, "user": user, "created_at": at}}


def refetched(at: int) -> dict[str, Any]:
    """The same vote as a list's API has it, without an id."""
    return {"rows": [{"bot": BOT, "userId": USER, "timestamp": at}]}


def votes(client: httpx.Client) -> int:
    ((total, count),) = [
        (client.get(f"/chat/bots/{BOT}").json()["total_votes"], entry["voteCount"])
        for entry in client.get(f"/chat/bots/{BOT}/leaderboard").json()["data"]["leaderboard"]
    ]
    assert total == count
    return int(total)


def cast(client: httpx.Client, body: dict[str, Any]) -> bool:
    return bool(client.post(f"/chat/bots/{BOT}/votes", json=body).raise_for_status().json()["counted"])


def test_votes_on_two_lists_count_once(workspace: Workspace) -> None:
    """Each list has a token; nothing else says which list a vote is from."""
    tokens = [workspace.make_stats_token("bot", BOT)[0] for _ in range(2)]
    with workspace.client(tokens[0]) as one, workspace.client(tokens[1]) as other:
        assert [cast(one, V0), cast(other, V0)] == [True, False]
        assert votes(one) == 1
        assert cast(other, v1("v-1", int(time.time() * 1000)))  # one with an id is not taken for a repetition
        assert votes(one) == 2


@pytest.mark.long
def test_a_refetched_vote_and_then_its_webhook_count_twice(feeder: httpx.Client) -> None:
    at = int(time.time() * 1000) - DAY
    assert feeder.put(f"/chat/bots/{BOT}", json={"name": "Bot"}).is_success
    assert feeder.post("/chat/import", json=refetched(at)).json()["votes"] == 1
    assert cast(feeder, v1("v-1", at))
    assert votes(feeder) == 2


def test_a_webhook_and_then_its_vote_refetched_count_once(feeder: httpx.Client) -> None:
    at = int(time.time() * 1000) - DAY
    assert feeder.put(f"/chat/bots/{BOT}", json={"name": "Bot"}).is_success
    assert cast(feeder, v1("v-1", at))
    assert feeder.post("/chat/import", json=refetched(at)).json()["repeated"] == 1
    assert votes(feeder) == 1
