"""Pages of the actor list: limits, and cursors that go on with their question (rules/actors-and-groups#pages)."""

import base64
import json
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

MANY = 205  # actors, more than a page can hold


@pytest.fixture(scope="module")
def crowd(server: Server) -> Workspace:
    """205 actors `a000`…: each with 1, 2 or 3 events, so that many have the same count."""
    workspace = sign_up(server.url)
    events = [{"name": "x", "_actor": f"a{n:03}"} for n in range(MANY) for _ in range(1 + n % 3)]
    for start in range(0, len(events), 500):
        assert workspace.send({"events": events[start : start + 500]}).status_code == 202
    return workspace


@pytest.fixture(scope="module")
def both(server: Server) -> Workspace:
    """The same five actors in production and in development."""
    workspace = sign_up(server.url)
    for key in (workspace.key, workspace.make_key("development")[0]):
        events = [{"name": "x", "_actor": f"a{n}"} for n in range(5)]
        assert workspace.send({"events": events}, key=key).status_code == 202
    return workspace


def check_wrong_cursor(workspace: Workspace, cursor: str, **question: str) -> None:
    body = check_refusal(workspace.get("/v1/actors", cursor=cursor, **question), 400)
    assert [detail["path"] for detail in body["details"]] == [["cursor"]]


def by_activity(rows: list[Any]) -> list[tuple[int, str]]:
    return [(-row["eventCount"], row["actorKey"]) for row in rows]


@few(
    3,
    ("limit", "rows"),
    [
        (None, 50),
        ("1", 1),
        ("50", 50),
        ("200", 200),
        ("201", 200),
        ("1000000", 200),
        ("9" * 30, 200),
        ("0000000010", 10),
    ],
)
def test_limit(crowd: Workspace, limit: str | None, rows: int) -> None:
    answer = crowd.get("/v1/actors", **({} if limit is None else {"limit": limit}))
    assert answer.status_code == 200
    assert len(answer.json()["actors"]) == rows
    assert answer.json()["next"] is not None


@few(4, "limit", ["0", "-1", "x", "1.5", "1e2", "", " ", "+5", "5 ", "0x10", "\u0665", "²", "null", "00"])
def test_a_wrong_limit_is_400(shared: Workspace, limit: str) -> None:
    body = check_refusal(shared.get("/v1/actors", limit=limit), 400)
    assert body["details"][0]["path"] == ["limit"]


@pytest.mark.long
@pytest.mark.parametrize("limit", [1, 41, 200])
def test_pages_are_complete_and_without_duplicates(crowd: Workspace, limit: int) -> None:
    rows: list[Any] = []
    with crowd.client() as client:
        params: dict[str, Any] = {"limit": limit}
        while True:
            page = client.get("/v1/actors", params=params).json()
            rows += page["actors"]
            assert len(page["actors"]) == limit or page["next"] is None
            if page["next"] is None:
                break
            params["cursor"] = page["next"]
            if limit == 1 and len(rows) == 20:
                return
    assert {row["actorKey"] for row in rows} == {f"a{n:03}" for n in range(MANY)}
    assert len(rows) == MANY
    assert by_activity(rows) == sorted(by_activity(rows))


def test_the_last_page_may_be_full(workspace: Workspace) -> None:
    assert workspace.send({"events": [{"name": "x", "_actor": f"a{n}"} for n in range(4)]}).status_code == 202
    first = workspace.get("/v1/actors", limit=2).json()
    second = workspace.get("/v1/actors", limit=2, cursor=first["next"]).json()
    assert [row["actorKey"] for row in second["actors"]] == ["a2", "a3"]
    assert second["next"] is None


def test_pages_hold_for_odd_keys(workspace: Workspace) -> None:
    keys = sorted(["'", '"', "\\", "\\'", "%", "é", "😀", "\t", "\n", "a b", "\\n", "{x}", "--"])
    assert workspace.send({"events": [{"name": "x", "_actor": key} for key in keys]}).status_code == 202
    found, cursor = [], {}
    for _ in keys:
        page = workspace.get("/v1/actors", limit=1, **cursor).json()
        found.append(page["actors"][0]["actorKey"])
        cursor = {"cursor": page["next"]}
    assert found == keys
    assert cursor == {"cursor": None}


def test_pages_go_on_with_the_window_of_the_first(workspace: Workspace) -> None:
    assert workspace.send({"events": [{"name": "x", "_actor": f"a{n}"} for n in range(4)]}).status_code == 202
    first = workspace.get("/v1/actors", limit=2).json()
    assert (
        workspace.send({"events": [{"name": "x", "_actor": key} for key in ("a0", "a3", "a3", "new")]}).status_code
        == 202
    )
    second = workspace.get("/v1/actors", limit=2, cursor=first["next"]).json()
    assert [(row["actorKey"], row["eventCount"]) for row in second["actors"]] == [("a2", 1), ("a3", 1)]


def cursor_of(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


BAD_CURSORS = ["x", "!!!!", "null", "é", "😀", "a" * 10_000, "=", "AAAA", "' OR 1=1", "%00", "\0"]
BAD_CURSORS += [cursor_of(value) for value in ([], {}, None, 1, [1], [1, 2], [1, 2, 3], ["a", 1, "a"])]
BAD_CURSORS += [cursor_of([until, count, "a"]) for until, count in ((-1, 1), (1, -1), (2**64, 1), (1, 2**64), (1.5, 1))]


@few(5, "cursor", BAD_CURSORS, ids=lambda text: ascii(text)[:30])
def test_a_wrong_cursor_is_400(shared: Workspace, cursor: str) -> None:
    check_wrong_cursor(shared, cursor)


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "cut off": lambda cursor: cursor[:-1],
    "cut off in front": lambda cursor: cursor[1:],
    "one byte more": lambda cursor: cursor + b" ",
    "one element more": lambda cursor: cursor[:-1] + b",1]",
    "another count": lambda cursor: cursor.replace(b",3,", b",2,"),
    "another key": lambda cursor: cursor.replace(b"a0", b"a1"),
    "twice": lambda cursor: cursor * 2,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_cursor_is_400(crowd: Workspace, change: Callable[[bytes], bytes]) -> None:
    text = crowd.get("/v1/actors", limit=1).json()["next"]
    cursor = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    assert change(cursor) != cursor
    check_wrong_cursor(crowd, base64.urlsafe_b64encode(change(cursor)).rstrip(b"=").decode())


QUESTIONS: list[dict[str, str]] = [
    {},
    {"timeRange": "1h"},
    {"timeRange": "90d"},
    {"environment": "development"},
    {"q": "a"},
    {"q": "A"},
]


@few(3, ("question", "other"), product(QUESTIONS, QUESTIONS), ids=str)
def test_a_cursor_goes_on_with_its_own_question_only(
    both: Workspace, question: dict[str, str], other: dict[str, str]
) -> None:
    cursor = both.get("/v1/actors", limit=2, **question).json()["next"]
    if question == other:
        assert both.get("/v1/actors", limit=2, cursor=cursor, **other).status_code == 200
    else:
        check_wrong_cursor(both, cursor, **other)


def test_a_cursor_of_another_workspace_is_400(crowd: Workspace, both: Workspace) -> None:
    check_wrong_cursor(both, crowd.get("/v1/actors", limit=2).json()["next"])


def test_the_same_question_in_other_words_takes_the_cursor(both: Workspace) -> None:
    first = both.get("/v1/actors", limit=1).json()
    said = {"environment": "production", "timeRange": "7d", "q": ""}
    second, again, by_key = (
        both.get("/v1/actors", limit=2, cursor=first["next"]),
        both.get("/v1/actors", limit=3, cursor=first["next"], **said),
        both.get("/v1/actors", token=both.key, limit=2, cursor=first["next"]),
    )
    assert [row["actorKey"] for row in second.json()["actors"]] == ["a1", "a2"]
    assert [row["actorKey"] for row in again.json()["actors"]] == ["a1", "a2", "a3"]
    assert by_key.json()["actors"] == second.json()["actors"]
