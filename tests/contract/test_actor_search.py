"""`q` of the actor list: key or label contains it, no character is special (rules/actors-and-groups#actor-list)."""

import pytest

from harness.clients.actor import counts
from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server
from harness.suite.few import few

# Actors by key, with their label.
ACTORS = {
    "alice@example.com": "Alice",
    "bob_1": "Bob 100%",
    "bobx1": "Robert",
    "O'Brien": None,
    "ÉCOLE": "Straße",
    "back\\slash": 'say "hi"',
    "100%": "Percent",
    "tab\there": "line\nfeed",
    "{q:String}": "😀 smile",
    "a*b.c?[d]": "(x|y)^$",
    "renamed": "new name",
}

# What is asked, and who is found.
FOUND: dict[str, set[str]] = {
    "": set(ACTORS),
    "alice": {"alice@example.com"},
    "ALICE": {"alice@example.com"},
    "e@E": {"alice@example.com"},
    "robert": {"bobx1"},
    "bob": {"bob_1", "bobx1"},
    "b_1": {"bob_1"},
    "_": {"bob_1"},
    "%": {"bob_1", "100%"},
    "100%": {"bob_1", "100%"},
    "%%": set(),
    "'": {"O'Brien"},
    "o'b": {"O'Brien"},
    "' OR 1=1 --": set(),
    "\\": {"back\\slash"},
    "\\\\": set(),
    "k\\s": {"back\\slash"},
    '"hi"': {"back\\slash"},
    "école": {"ÉCOLE"},
    "STRASSE": set(),
    "straße": {"ÉCOLE"},
    "\t": {"tab\there"},
    "e\nf": {"tab\there"},
    "\\t": set(),
    "{q:String}": {"{q:String}"},
    "😀": {"{q:String}"},
    ".": {"alice@example.com", "a*b.c?[d]"},
    "*b": {"a*b.c?[d]"},
    ".*": set(),
    "[d]": {"a*b.c?[d]"},
    "|y)^$": {"a*b.c?[d]"},
    "new name": {"renamed"},
    "old name": set(),  # the label that it had before
    "\0": set(),
    "zzz": set(),
    "x" * 2000: set(),
}


@pytest.fixture(scope="module")
def crowd(server: Server) -> Workspace:
    workspace = sign_up(server.url)
    events = [{"name": "x", "_actor": "renamed", "_actorLabel": "old name"}]
    for key, label in ACTORS.items():
        events.append({"name": "x", "_actor": key} | ({"_actorLabel": label} if label else {}))
    assert workspace.send({"events": events}).status_code == 202
    return workspace


@few(4, "q", FOUND, ids=lambda q: ascii(q)[:30])
def test_q_finds(crowd: Workspace, q: str) -> None:
    assert set(counts(crowd, q=q)) == FOUND[q]


def test_q_and_limit_and_cursor(crowd: Workspace) -> None:
    first = crowd.get("/v1/actors", q="bob", limit=1).json()
    second = crowd.get("/v1/actors", q="bob", limit=1, cursor=first["next"]).json()
    assert [page["actors"][0]["actorKey"] for page in (first, second)] == ["bob_1", "bobx1"]
    assert second["next"] is None


def test_q_stays_inside_the_workspace_and_the_environment(crowd: Workspace, workspace: Workspace) -> None:
    assert counts(workspace, q="alice") == {}
    assert counts(crowd, q="alice", environment="development") == {}
