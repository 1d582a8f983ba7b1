"""Counters and votes of a bot that nobody knows: a slip in an id makes no bot (rules/statistics#unknown-bots)."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.builders.listing import signature
from harness.clients.voters import fresh_server
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.suite.few import few

BOT, OTHER = "583807014896140293", "583807014896140294"
USER = "205680187394752512"

FED: list[tuple[str, dict[str, Any]]] = [
    (f"/chat/bots/{BOT}/stats", {"server_count": 1}),
    (f"/discord/bots/{BOT}/stats", {"total_votes": 1}),
    (f"/api/bots/{BOT}/stats", {"server_count": 1, "shard_id": 0, "shard_count": 2}),
    (f"/chat/bots/{BOT}/votes", {"userId": USER}),
    (f"/chat/bots/{BOT}/votes", {"user": USER, "bot": BOT, "type": "upvote"}),
    (
        f"/chat/bots/{BOT}/votes",
        {"type": "vote.create", "data": {"id": "1", "project": {"platform_id": BOT}, "user": {"platform_id": USER}}},
    ),
]


@few(2, ("path", "body"), FED, ids=json.dumps)
def test_a_token_of_many_bots_feeds_known_ones(feeder: httpx.Client, path: str, body: dict[str, Any]) -> None:
    refused = check_refusal(feeder.post(path, json=body), 404)
    assert refused["message"] == "No bot exists with the ID provided; PUT its profile first."
    check_refusal(feeder.get(f"/chat/bots/{BOT}"), 404)
    assert feeder.get("/chat/rankings/bots").json()["totalBotCount"] == 0
    assert feeder.put(f"/chat/bots/{BOT}", json={"name": "Teapot"}).is_success
    assert feeder.post(path, json=body).status_code == 200
    assert feeder.get("/chat/rankings/bots").json()["totalBotCount"] == 1


@few(2, ("path", "body"), FED, ids=json.dumps)
def test_a_token_of_one_bot_makes_it(workspace: Workspace, path: str, body: dict[str, Any]) -> None:
    with workspace.client(workspace.make_stats_token("bot", BOT)[0]) as own:
        assert own.post(path, json=body).status_code == 200
        assert own.get(f"/chat/bots/{BOT}").json()["id"] == BOT


def test_an_import_makes_bots(feeder: httpx.Client) -> None:
    rows = [{"id": BOT, "server_count": 1}, {"bot": OTHER, "userId": USER}]
    assert feeder.post("/chat/import", json={"rows": rows}).status_code == 200
    assert feeder.get("/chat/rankings/bots").json()["totalBotCount"] == 2
    assert feeder.post(f"/chat/bots/{OTHER}/stats", json={"server_count": 1}).status_code == 200


def test_a_bot_that_was_taken_off_the_list_is_known(feeder: httpx.Client) -> None:
    for change in ({"unlisted": True}, {"deleted": True}):
        assert feeder.put(f"/chat/bots/{BOT}", json=change).is_success or "unlisted" in change
        assert feeder.post(f"/chat/bots/{BOT}/stats", json={"server_count": 1}).status_code == 200


def test_a_bot_of_another_workspace_is_not_known(feeder: httpx.Client, shared: Workspace) -> None:
    with shared.client(shared.make_stats_token("write")[0]) as elsewhere:
        assert elsewhere.put(f"/chat/bots/{BOT}", json={"name": "Teapot"}).is_success
    check_refusal(feeder.post(f"/chat/bots/{BOT}/stats", json={"server_count": 1}), 404)


def test_a_signed_webhook_of_an_unknown_bot_is_of_no_workspace(workspace: Workspace) -> None:
    """A bot has its secret; where there is no bot nothing can be signed for it."""
    with workspace.client() as owner:
        path = f"/v1/statistics/bots/{BOT}/webhook-secret"
        check_refusal(owner.put(path, json={"secret": "whs_0123456789"}), 404)
    content = json.dumps(FED[-1][1]).encode()
    signed = {"x-topgg-signature": signature("whs_0123456789", int(time.time()), content)}
    headers = signed | {"content-type": "application/json"}
    answer = httpx.post(f"{workspace.url}/chat/bots/{BOT}/votes", content=content, headers=headers)
    check_refusal(answer, 401)


@pytest.fixture
def generous(tmp_path: Path) -> Iterator[httpx.Client]:
    """A token of many bots, on a server where feeding makes bots."""
    server = fresh_server(tmp_path / "data", feed_creates="true", open_signup="true")
    workspace = sign_up(server.url)
    with workspace.client(workspace.make_stats_token("write")[0]) as client:
        yield client
    server.stop()


@pytest.mark.long
def test_a_setting_lets_any_feeding_make_bots(generous: httpx.Client) -> None:
    for at, (path, body) in enumerate(FED):
        bot = f"{int(BOT) + at}"
        about = json.loads(json.dumps(body).replace(BOT, bot))
        assert generous.post(path.replace(BOT, bot), json=about).status_code == 200
    assert generous.get("/chat/rankings/bots").json()["totalBotCount"] == len(FED)
