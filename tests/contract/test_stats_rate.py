"""The rate limit of the Statistics API: for each token, refused as published clients read it (rules/statistics#rate).

That refused calls are not counted, and what happens as time passes: tests/auth/test_guards.py, tests/core/test_rate.py.
"""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from harness.builders.listing import signature
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from tallyroom.core.settings import Settings

LIMIT = 5
BOT = "264811613708746752"
SECRET = "whs_0123456789"
TEST_VOTE = b'{"type":"test","bot":"264811613708746752","user":"264811613708746753"}'


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Each token may ask 5 times a minute."""
    server = Server(tmp_path_factory.mktemp("limited") / "data", open_signup="true", stats_rate_per_minute=str(LIMIT))
    yield server.start()
    server.stop()


@pytest.fixture
def listing(limited: Server) -> Workspace:
    """A workspace that lists the bot, with a secret for its webhooks."""
    workspace = sign_up(limited.url)
    token, _ = workspace.make_stats_token("write")
    with workspace.client(token) as client:
        assert client.put(f"/chat/bots/{BOT}", json={"name": "Bot"}).status_code == 200
    with workspace.client() as client:
        path = f"/v1/statistics/bots/{BOT}/webhook-secret"
        assert client.put(path, json={"secret": SECRET + workspace.workspace_id}).status_code == 204
    return workspace


def ask(workspace: Workspace, token: str, path: str = f"/chat/bots/{BOT}") -> httpx.Response:
    return workspace.get(path, token=token)


def send(workspace: Workspace, **headers: str) -> httpx.Response:
    headers = {"content-type": "application/json"} | {name.replace("_", "-"): text for name, text in headers.items()}
    url = f"{workspace.url}/chat/bots/{BOT}/votes"
    return httpx.post(url, content=TEST_VOTE, headers=headers, timeout=30)


def check_told(answer: httpx.Response, limit: int) -> None:
    """The four ways in which a refusal says when to come back agree."""
    body: dict[str, Any] = check_refusal(answer, 429)
    wait = int(answer.headers["retry-after"])
    assert 1 <= wait <= 61
    assert answer.headers["ratelimit-policy"] == f'"statistics";q={limit};w=60'
    assert answer.headers["ratelimit"] == f'"statistics";r=0;t={wait}'
    assert body["expiresIn"] == max(5001, wait * 1000)


def test_the_default_is_120_a_minute() -> None:
    assert Settings().stats_rate_per_minute == 120


@pytest.mark.long
def test_each_token_has_its_own_calls_over_all_paths(listing: Workspace) -> None:
    token, other = listing.make_stats_token("read")[0], listing.make_stats_token("read")[0]
    paths = [f"/chat/bots/{BOT}", f"/discord/bots/{BOT}", "/chat/bots/00000000000000000", "/chat/bots/x"]
    statuses = [ask(listing, token, path).status_code for path in [*paths, paths[0]]]
    assert statuses == [200, 200, 404, 400, 200]
    check_told(ask(listing, token), LIMIT)
    check_told(ask(listing, token, "/chat/bots/x"), LIMIT)
    assert ask(listing, other).status_code == 200


@pytest.mark.long
def test_a_write_counts_and_a_refused_one_changes_nothing(listing: Workspace) -> None:
    token, _ = listing.make_stats_token("write")
    with listing.client(token) as client:
        for number in range(LIMIT):
            assert client.put(f"/chat/bots/{BOT}", json={"name": f"Bot {number}"}).status_code == 200
        check_told(client.put(f"/chat/bots/{BOT}", json={"name": "Late"}), LIMIT)
    reader, _ = listing.make_stats_token("read")
    assert ask(listing, reader).json()["name"] == f"Bot {LIMIT - 1}"


def test_members_are_not_counted(listing: Workspace) -> None:
    statuses = {listing.get(f"/v1/statistics/bots/{BOT}").status_code for _ in range(2 * LIMIT)}
    assert statuses == {200}


@pytest.mark.long
def test_signed_webhooks_have_ten_times_the_calls_of_a_token_and_use_up_none_of_it(listing: Workspace) -> None:
    token, _ = listing.make_stats_token("bot", BOT)
    signed = signature(SECRET + listing.workspace_id, int(time.time()), TEST_VOTE)
    forged = signature("guessed", int(time.time()), TEST_VOTE)
    assert {send(listing, x_topgg_signature=forged).status_code for _ in range(2 * LIMIT)} == {401}
    statuses = [send(listing, x_topgg_signature=signed).status_code for _ in range(10 * LIMIT)]
    assert statuses == [200] * 10 * LIMIT
    check_told(send(listing, x_topgg_signature=signed), 10 * LIMIT)
    assert [send(listing, authorization=token).status_code for _ in range(LIMIT)] == [200] * LIMIT
    check_told(send(listing, authorization=token), LIMIT)
