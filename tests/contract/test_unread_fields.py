"""What a body holds beside the fields that a route reads is JSON too, or the body is refused: never a fault."""

import json
import re
from collections import defaultdict
from typing import Any

import httpx
import pytest

from harness.clients.workspace import JSON, Workspace
from harness.oracles.refusal import check_refusal
from harness.oracles.rights import BOT, BY_TOKEN, TABLE, RouteCase
from harness.suite.few import few

UNREADABLE = [b'"\xff"', b'["\xc3"]', b'{"\xed\xa0\x80":1}', b'"\\ud800"', b"1e999", b"1" * 5000, b"[" * 15_000]
"""No value of JSON that anybody could read; msgspec passes over some of them in a field that no type names."""

WITH_BODY = [row for row in TABLE if row.method != "GET" and row.body is not None]


@pytest.fixture(scope="module")
def credentials(shared: Workspace) -> dict[str, str]:
    """One that each guard lets in; `public` ones ignore it."""
    write, key = shared.make_stats_token("write")[0], shared.key
    found = defaultdict(lambda: shared.session_token, dict.fromkeys([*BY_TOKEN, "require_vote_sender"], write))
    return found | {"require_key": key}


def send(workspace: Workspace, credential: str, path: str, body: bytes, method: str = "POST") -> httpx.Response:
    with workspace.client(credential) as client:
        return client.request(method, path, content=body, headers={"content-type": JSON})


def with_unread(body: dict[str, Any], value: bytes) -> bytes:
    """`body` with one more field, which is not read."""
    return b'{"of_others": %b%b' % (value, json.dumps(body).replace("{", ", " if body else "", 1).encode())


@few(12, "row", WITH_BODY, ids=str)
def test_no_route_fails_over_bytes_that_are_not_utf8(
    shared: Workspace, credentials: dict[str, str], row: RouteCase
) -> None:
    path = re.sub(r"\{\w+\}", "none", row.ask or row.path)
    answer = send(shared, credentials[row.guard], path, with_unread(row.body or {}, b'"\xff"'), row.method)
    if row.otlp:
        assert answer.status_code in {200, 400}  # OpenTelemetry has receivers pass over fields that they do not know
    else:
        check_refusal(answer, 400)


@pytest.mark.parametrize("value", UNREADABLE, ids=lambda value: repr(value[:9]))
@pytest.mark.parametrize(
    ("path", "body"),
    [
        (f"/api/bots/{BOT}/stats", {"server_count": 1}),
        ("/api/bots/stats", {"server_count": 1}),
        (f"/chat/bots/{BOT}/votes", {"user": BOT, "type": "upvote"}),
    ],
)
def test_what_lists_and_their_sdks_add_is_json_too(
    shared: Workspace, path: str, body: dict[str, Any], value: bytes
) -> None:
    token = shared.make_stats_token("bot", BOT)[0]
    told = check_refusal(send(shared, token, path, with_unread(body, value)), 400)
    assert told["message"].startswith(("The body is not JSON: ", "body is not valid: "))
    assert "$" not in told["message"]
