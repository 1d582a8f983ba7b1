"""`sort` and `filters` of the lists of actors and groups over HTTP (rules/actors-and-groups#actor-list)."""

import json
from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.groups import register
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server

PAID = json.dumps([{"key": "name", "op": "eq", "value": "paid"}])


@pytest.fixture(scope="module")
def cafe(server: Server) -> Workspace:
    """Ann has most events, Bob came last, Cat was first seen last; they belong to teams of their own."""
    workspace = sign_up(server.url)
    moments: dict[str, list[float]] = {"ann": [5, 4, 3, 3], "bob": [6, 2, 1], "cat": [2.5, 2.25]}
    events = [
        {
            "name": "paid" if place == 0 else "came",
            "_actor": actor,
            "_timestamp": ago(hours=hours),
            "properties": {"team": f"team of {actor}"},
        }
        for actor, all_hours in moments.items()
        for place, hours in enumerate(all_hours)
    ]
    assert workspace.send({"events": events}).status_code == 202
    register(workspace)
    return workspace


def actors(workspace: Workspace, **params: Any) -> list[tuple[str, int]]:
    answer = workspace.get("/v1/actors", **params)
    assert answer.status_code == 200, answer.text
    return [(row["actorKey"], row["eventCount"]) for row in answer.json()["actors"]]


def groups(workspace: Workspace, **params: Any) -> list[tuple[str, int]]:
    answer = workspace.get("/v1/groups", environment="production", timeRange="7d", **params)
    assert answer.status_code == 200, answer.text
    return [(row["groupKey"], row["eventCount"]) for row in answer.json()["groups"]]


def test_actors_are_sorted_by_events_unless_the_request_says_otherwise(cafe: Workspace) -> None:
    busiest_first = [("ann", 4), ("bob", 3), ("cat", 2)]
    assert actors(cafe) == actors(cafe, sort="events") == busiest_first
    assert actors(cafe, sort="lastSeen") == [("bob", 3), ("cat", 2), ("ann", 4)]
    assert actors(cafe, sort="firstSeen") == [("cat", 2), ("ann", 4), ("bob", 3)]


def test_counts_and_times_are_of_the_events_that_match(cafe: Workspace) -> None:
    assert actors(cafe, filters=PAID, sort="lastSeen") == [("cat", 1), ("ann", 1), ("bob", 1)]
    [row] = cafe.get("/v1/actors", filters=PAID, q="ann").json()["actors"]
    assert row["firstSeen"] == row["lastSeen"]
    assert actors(cafe, filters=PAID, token=cafe.key) == [("ann", 1), ("bob", 1), ("cat", 1)], "a key may filter, too"
    assert actors(cafe, filters='[{"key":"team","op":"contains","value":"bob"}]') == [("bob", 3)]
    assert actors(cafe, filters="[]") == actors(cafe)


def test_groups_are_sorted_and_filtered_as_actors_are(cafe: Workspace) -> None:
    assert groups(cafe) == [("team of ann", 4), ("team of bob", 3), ("team of cat", 2)]
    assert groups(cafe, sort="lastSeen") == [("team of bob", 3), ("team of cat", 2), ("team of ann", 4)]
    assert groups(cafe, filters=PAID, sort="lastSeen") == [("team of cat", 1), ("team of ann", 1), ("team of bob", 1)]


@pytest.mark.parametrize("sort", ["lastSeen", "firstSeen"])
def test_pages_go_on_in_the_order_of_the_first(cafe: Workspace, sort: str) -> None:
    pages, cursor = [], {}
    for _ in range(3):
        page = cafe.get("/v1/actors", limit=1, sort=sort, **cursor).json()
        pages += [row["actorKey"] for row in page["actors"]]
        cursor = {"cursor": page["next"]}
    assert pages == [key for key, _ in actors(cafe, sort=sort)]
    assert cursor == {"cursor": None}


@pytest.mark.parametrize("other", [{}, {"sort": "firstSeen"}, {"sort": "lastSeen", "filters": PAID}])
@pytest.mark.parametrize("path", ["/v1/actors", "/v1/groups"])
def test_a_cursor_of_another_sort_or_filter_is_400(cafe: Workspace, path: str, other: dict[str, str]) -> None:
    question: dict[str, Any] = {"environment": "production", "timeRange": "7d", "limit": 1}
    cursor = cafe.get(path, **question, sort="lastSeen").json()["next"]
    assert cafe.get(path, **question, sort="lastSeen", cursor=cursor).status_code == 200
    body = check_refusal(cafe.get(path, **question, cursor=cursor, **other), 400)
    unknown_sort = path == "/v1/groups" and other.get("sort") == "firstSeen"
    assert [detail["path"] for detail in body["details"]] == [["sort"] if unknown_sort else ["cursor"]]


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"sort": "newest"}, ["sort"]),
        ({"sort": ""}, ["sort"]),
        ({"filters": "x"}, ["filters"]),
        ({"filters": '[{"key":"a","op":"nope","value":1}]'}, ["filters", 0, "op"]),
        ({"filters": '[{"key":"a","op":"regex","value":"("}]'}, ["filters", 0, "value"]),
    ],
)
@pytest.mark.parametrize("route", ["/v1/actors", "/v1/groups"])
def test_what_is_wrong_is_named(cafe: Workspace, route: str, params: dict[str, str], path: list[str | int]) -> None:
    body = check_refusal(cafe.get(route, environment="production", timeRange="7d", **params), 400)
    assert [detail["path"] for detail in body["details"]] == [path]


def test_a_group_counts_the_event_types_of_the_whole_range(workspace: Workspace) -> None:
    """120 events that are older than the newest hundred count, too."""
    old = [{"name": "old", "_timestamp": ago(days=2), "properties": {"team": "acme"}}] * 120
    new = [{"name": "new", "properties": {"team": "acme"}}] * 110
    assert workspace.send({"events": old + new}).status_code == 202
    register(workspace)
    group = workspace.get("/v1/groups/acme", environment="production", timeRange="7d").json()
    assert group["eventTypes"] == [{"name": "old", "count": 120}, {"name": "new", "count": 110}]
    assert {event["name"] for event in group["recent"]} == {"new"}
