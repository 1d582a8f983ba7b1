"""The newest label wins, and a label is no identity (rules/actors-and-groups#label, rules/actors-and-groups#actor)."""

from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.actor import actor, actors, counts
from harness.clients.workspace import Workspace
from harness.suite.few import few

NO_LABEL = None

# Batches of (days ago, label) in the order of arrival, and the label that the actor then has.
HISTORIES: dict[str, tuple[list[list[tuple[float, str | None]]], str | None]] = {
    "no label at all": ([[(1, NO_LABEL)], [(0, NO_LABEL)]], None),
    "the only one": ([[(1, "A")]], "A"),
    "a newer one wins": ([[(2, "A")], [(1, "B")]], "B"),
    "whatever its spelling": ([[(2, "B")], [(1, "A")]], "A"),
    "an older one that arrives late loses": ([[(1, "A")], [(2, "B")]], "A"),
    "in a batch, in order": ([[(2, "A"), (1, "B")]], "B"),
    "in a batch, out of order": ([[(1, "A"), (2, "B")]], "A"),
    "none clears nothing": ([[(2, "A")], [(1, NO_LABEL)]], "A"),
    "none clears nothing in a batch": ([[(2, "A"), (1, NO_LABEL), (0, NO_LABEL)]], "A"),
    "a label fills in late": ([[(1, NO_LABEL)], [(2, "A")]], "A"),
    "same time, the later in the batch wins": ([[(1, "B"), (1, "A")]], "A"),
    "same time, the later batch wins": ([[(1, "B")], [(1, "A")]], "A"),
    "same time, many in a batch": ([[(1, f"L{n * 37 % 100:02}") for n in range(100)]], f"L{99 * 37 % 100:02}"),
    "same time, many batches": ([[(1, label)] for label in "CAB"], "B"),
    "back to an earlier one": ([[(3, "A")], [(2, "B")], [(1, "A")]], "A"),
    "five, shuffled": ([[(3, "C"), (1, "E")], [(5, "A"), (2, "D")], [(4, "B")]], "E"),
    "older than every range": ([[(200, "A")], [(0, NO_LABEL)]], "A"),
    "ahead of now": ([[(-0.9, "A")], [(0, "B")]], "A"),
    "long and odd": ([[(1, "😀" * 256)], [(0.5, "O'Brien \\ \"%_\t\x01")]], "O'Brien \\ \"%_\t\x01"),
}


@pytest.fixture(scope="module")
def labels(shared: Workspace) -> dict[str, dict[str, Any]]:
    """Every history in one workspace, an actor for each; the answer about each actor in the last hour."""
    now = {days: ago(days=days) for history, _ in HISTORIES.values() for batch in history for days, _ in batch}
    for arrival in range(max(len(history) for history, _ in HISTORIES.values())):
        events = [
            {"name": "x", "_actor": name, "_timestamp": now[days]} | ({} if label is None else {"_actorLabel": label})
            for name, (history, _) in HISTORIES.items()
            if arrival < len(history)
            for days, label in history[arrival]
        ]
        assert shared.send({"events": events}).status_code == 202
        actors(shared)  # the batch reaches the store before the next one comes
    assert shared.send({"events": [{"name": "x", "_actor": name} for name in HISTORIES]}).status_code == 202
    return {row["actorKey"]: row for row in actors(shared, timeRange="1h")}


@few(5, "name", HISTORIES)
def test_the_newest_label_wins(labels: dict[str, dict[str, Any]], name: str) -> None:
    """Newest by timestamp, then by arrival, whatever the range that is asked."""
    assert labels[name]["label"] == HISTORIES[name][1]


@pytest.mark.parametrize(
    "name", ["no label at all", "same time, many batches", "older than every range", "ahead of now"]
)
def test_the_detail_has_the_label_of_the_list(shared: Workspace, labels: dict[str, dict[str, Any]], name: str) -> None:
    assert actor(shared, name, timeRange="1h")["label"] == labels[name]["label"]


def test_an_empty_label_clears_nothing(workspace: Workspace) -> None:
    for label in ("Ann", ""):
        assert workspace.send({"name": "x", "_actor": "a", "_actorLabel": label}).status_code == 202
    assert actor(workspace, "a")["label"] == "Ann"


def test_the_same_label_does_not_merge_actors(workspace: Workspace) -> None:
    events = [{"name": "x", "_actor": key, "_actorLabel": "Ann"} for key in ("1", "2", "Ann", "2")]
    assert workspace.send({"events": events}).status_code == 202
    assert [(row["actorKey"], row["label"], row["eventCount"]) for row in actors(workspace)] == [
        ("2", "Ann", 2),
        ("1", "Ann", 1),
        ("Ann", "Ann", 1),
    ]


def test_a_new_label_does_not_split_an_actor(workspace: Workspace) -> None:
    events = [{"name": "x", "_actor": "a", "_actorLabel": f"name {n}"} for n in range(5)]
    assert workspace.send({"events": events}).status_code == 202
    assert counts(workspace) == {"a": 5}


def test_a_label_holds_in_its_environment_only(workspace: Workspace) -> None:
    development = workspace.make_key("development")[0]
    assert workspace.send({"name": "x", "_actor": "a", "_actorLabel": "live"}).status_code == 202
    assert workspace.send({"name": "x", "_actor": "a", "_actorLabel": "test"}, key=development).status_code == 202
    assert workspace.send({"name": "x", "_actor": "b", "_actorLabel": "live"}).status_code == 202
    assert workspace.send({"name": "x", "_actor": "b"}, key=development).status_code == 202
    assert {row["actorKey"]: row["label"] for row in actors(workspace)} == {"a": "live", "b": "live"}
    assert {row["actorKey"]: row["label"] for row in actors(workspace, token=development)} == {"a": "test", "b": None}


def test_a_label_alone_makes_no_actor(workspace: Workspace) -> None:
    assert workspace.send({"name": "x", "_actorLabel": "Ann"}).status_code == 202
    assert actors(workspace) == []
