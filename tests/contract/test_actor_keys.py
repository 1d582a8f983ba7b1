"""Odd actor keys in the path and in the query, and the erasure of an actor (rules/actors-and-groups#keys-in-paths)."""

from typing import Any
from urllib.parse import quote

import pytest

from harness.builders.moments import ago
from harness.clients.actor import actor, actors, counts
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

ODD = [
    "/",
    "a/b",
    "/a/",
    "a//b",
    "%",
    "%2F",
    "%25",
    "100%",
    "%zz",
    " ",
    "a b",
    " a ",
    "a+b",
    "+",
    "?",
    "a?b=c",
    "#",
    "a#b",
]
ODD += [
    "&",
    "a&b=c",
    "=",
    ";",
    ":",
    "@",
    "me@example.com",
    "😀",
    "é",
    "e\u0301",
    "É",
    "日本",
    "\u2028",
    "\u200b",
    "\ufeff",
]
ODD += ["'", '"', "\\", "\\n", "\\'", "`", "a'; --", "{x}", "{scope}", "[x]", "$", "*", "|", "<b>", "~", "^", "actors"]
ODD += [
    "\x01",
    "\t",
    "\n",
    "\r\n",
    "a\nb",
    "\x1f",
    "\x7f",
    "\x85",
    "null",
    "None",
    "0",
    "-1",
    "true",
    "KEYS",
    "x" * 256,
]
ODD += ["😀" * 256, "...", "a/../b", "a/./b", "http://x/y?z#w", "-", "_", ".a"]

NORMALISED = [".", "..", "keys", "/..", "../x"]  # URL clients may change these in a path


@pytest.fixture(scope="module")
def odd(server: Server) -> Workspace:
    workspace = sign_up(server.url)
    events = [{"name": "x", "_actor": key, "properties": {"key": key}} for key in ODD + NORMALISED]
    assert workspace.send({"events": events}).status_code == 202
    return workspace


def check_actor(answer: Any, key: str) -> None:
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["actorKey"], found["eventCount"]) == (key, 1)
    assert [moment["properties"] for moment in found["timeline"]] == [{"key": key}]


def test_every_odd_key_is_an_actor(odd: Workspace) -> None:
    assert counts(odd) == dict.fromkeys(ODD + NORMALISED, 1)


@few(3, "key", ODD, ids=lambda key: ascii(key)[:30])
def test_an_odd_key_in_the_path(odd: Workspace, key: str) -> None:
    check_actor(odd.get(f"/v1/actors/{quote(key, safe='')}"), key)


@few(3, "key", NORMALISED + ODD[::7], ids=lambda key: ascii(key)[:30])
def test_an_odd_key_in_the_query(odd: Workspace, key: str) -> None:
    check_actor(odd.get("/v1/actor", actorKey=key), key)


def test_a_path_is_decoded_once(odd: Workspace) -> None:
    check_actor(odd.get("/v1/actors/%252F"), "%2F")
    check_actor(odd.get("/v1/actors/%2F"), "/")
    check_actor(odd.get("/v1/actors/a+b"), "a+b")  # a plus is a plus
    check_actor(odd.get("/v1/actors/%61%20%62"), "a b")
    check_refusal(odd.get("/v1/actors/%25252F"), 404)


@pytest.mark.parametrize("path", ["/v1/actors/%ff", "/v1/actors/%c3%28", "/v1/actors/%ed%a0%80"])
def test_a_path_that_is_not_utf8_is_400(odd: Workspace, path: str) -> None:
    check_refusal(odd.get(path), 400)


@pytest.mark.parametrize("params", [{}, {"actorKey": ""}])
def test_no_key_in_the_query_is_400(odd: Workspace, params: dict[str, str]) -> None:
    check_refusal(odd.get("/v1/actor", **params), 400)


@pytest.mark.parametrize("key", ["\0", "a\0", "x" * 257, "x" * 5000], ids=lambda key: ascii(key)[:10])
def test_a_key_that_nobody_can_have_is_404(odd: Workspace, key: str) -> None:
    check_refusal(odd.get(f"/v1/actors/{quote(key, safe='')}"), 404)
    check_refusal(odd.get("/v1/actor", actorKey=key), 404)


def erase(workspace: Workspace, key: str, **params: Any) -> Any:
    with workspace.client() as client:
        return client.delete("/v1/actor", params={"actorKey": key} | params)


@pytest.mark.long
def test_erasing_forgets_events_and_label_of_every_age(workspace: Workspace) -> None:
    events = [
        {"name": "x", "_actor": "a", "_actorLabel": "Ann", "_timestamp": ago(days=days)} for days in (0, 10, 100, 1000)
    ]
    others = [{"name": "x", "_actor": key, "_actorLabel": "Ann"} for key in ("A", "a ", "b")]
    assert workspace.send({"events": events + others}).status_code == 202
    with workspace.client() as client:
        answer = client.delete("/v1/actors/a")
    assert (answer.status_code, answer.json()) == (200, {"erased": 4})
    check_refusal(workspace.get("/v1/actors/a", timeRange="90d"), 404)
    assert {row["actorKey"]: row["label"] for row in actors(workspace)} == dict.fromkeys(("A", "a ", "b"), "Ann")
    assert erase(workspace, "a").json() == {"erased": 0}


def test_later_events_start_anew(workspace: Workspace) -> None:
    assert workspace.send({"name": "old", "_actor": "a", "_actorLabel": "Ann"}).status_code == 202
    assert erase(workspace, "a").json() == {"erased": 1}
    assert workspace.send({"name": "new", "_actor": "a", "_timestamp": ago(days=3)}).status_code == 202
    found = actor(workspace, "a")
    assert (found["eventCount"], found["label"]) == (1, None)
    assert [moment["name"] for moment in found["timeline"]] == ["new"]
    # Older than the erased label: it is the newest all the same.
    assert (
        workspace.send({"name": "x", "_actor": "a", "_actorLabel": "Bea", "_timestamp": ago(days=2)}).status_code == 202
    )
    assert actor(workspace, "a")["label"] == "Bea"


@pytest.mark.long
def test_what_was_acknowledged_before_is_erased_too(workspace: Workspace) -> None:
    for _ in range(2):
        assert workspace.send({"events": [{"name": "x", "_actor": "a"}] * 100}).status_code == 202
        assert erase(workspace, "a").json() == {"erased": 100}
        assert actors(workspace) == []


@pytest.mark.long
def test_other_workspaces_and_environments_keep_theirs(workspace: Workspace) -> None:
    stranger, development = sign_up(workspace.url), workspace.make_key("development")[0]
    event = {"name": "x", "_actor": "a", "_actorLabel": "Ann"}
    assert workspace.send(event).status_code == 202
    assert workspace.send(event, key=development).status_code == 202
    assert stranger.send(event).status_code == 202
    assert erase(workspace, "a").json() == {"erased": 1}
    assert actor(stranger, "a")["label"] == "Ann"
    assert actor(workspace, "a", environment="development")["label"] == "Ann"
    assert erase(workspace, "a", environment="development").json() == {"erased": 1}
    assert counts(workspace, environment="development") == {}
    assert actor(stranger, "a")["eventCount"] == 1


def test_an_api_key_cannot_erase(workspace: Workspace) -> None:
    assert workspace.send({"name": "x", "_actor": "a"}).status_code == 202
    with workspace.client(workspace.key) as client:
        check_refusal(client.delete("/v1/actors/a"), 401)
        check_refusal(client.delete("/v1/actor", params={"actorKey": "a"}), 401)
    assert counts(workspace) == {"a": 1}


def test_a_wrong_erasure_erases_nothing(workspace: Workspace) -> None:
    assert workspace.send({"events": [{"name": "x", "_actor": "a"}, {"name": "x"}]}).status_code == 202
    check_refusal(erase(workspace, "a", environment="nonsense"), 400)
    check_refusal(erase(workspace, ""), 400)  # not the anonymous ones
    with workspace.client() as client:
        assert client.delete("/v1/actors/").status_code in {400, 404, 405}
        assert client.delete("/v1/actors").status_code == 405
    assert counts(workspace) == {"a": 1}


@pytest.mark.long
@pytest.mark.parametrize("key", ["/ %2F 😀 #?", "'", "\\", "a\nb", "a' OR '1'='1"], ids=ascii)
def test_an_odd_key_is_erased_alone(shared: Workspace, key: str) -> None:
    bystander = f"beside {key!a}"
    events = [{"name": "x", "_actor": actor_key} for actor_key in (key, bystander)]
    assert shared.send({"events": events}).status_code == 202
    with shared.client() as client:
        assert client.delete(f"/v1/actors/{quote(key, safe='')}").json() == {"erased": 1}
    left = counts(shared)
    assert (key in left, left[bystander]) == (False, 1)


@pytest.mark.long
@pytest.mark.parametrize(("key", "other"), [("\\\\", "\\"), ("\\n", "\n"), ("\\x41", "A")], ids=ascii)
def test_a_backslash_in_a_key_means_nothing(workspace: Workspace, key: str, other: str) -> None:
    """Erasing the one actor never erases the one whose key a C program would take it for."""
    assert workspace.send({"events": [{"name": "x", "_actor": key}, {"name": "x", "_actor": other}]}).status_code == 202
    answer = erase(workspace, key)
    assert counts(workspace) == {other: 1}
    assert answer.json() == {"erased": 1}
