"""The actor list and the actor detail (rules/actors-and-groups#actor-list)."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from harness.builders.moments import ago
from harness.clients.actor import actor, actors, counts
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.suite.few import few

HOURS = {"1h": 1, "24h": 24, "7d": 7 * 24, "30d": 30 * 24, "90d": 90 * 24}


@pytest.fixture(scope="module")
def ranges(server: Server) -> Workspace:
    """For each range an actor just inside and one just outside of it, and one ahead of now."""
    workspace = sign_up(server.url)
    events = [{"name": "x", "_actor": "ahead", "_timestamp": ago(hours=-1)}]
    for name, hours in HOURS.items():
        events += [
            {"name": "in", "_actor": f"in {name}", "_timestamp": ago(hours=hours, seconds=-120)},
            {"name": "out", "_actor": f"out {name}", "_timestamp": ago(hours=hours, seconds=1)},
            {"name": "in", "_actor": "everywhere", "_timestamp": ago(hours=hours, seconds=-120)},
        ]
    assert workspace.send({"events": events}).status_code == 202
    return workspace


def test_the_list_has_exactly_these_fields(workspace: Workspace) -> None:
    first, last = ago(hours=2), ago(hours=1)
    events = [{"name": "x", "_actor": "a", "_actorLabel": "Ann", "_timestamp": moment} for moment in (last, first)]
    assert workspace.send({"events": events}).status_code == 202
    assert workspace.get("/v1/actors").json() == {
        "actors": [{"actorKey": "a", "label": "Ann", "eventCount": 2, "firstSeen": first, "lastSeen": last}],
        "next": None,
    }


def test_the_detail_has_exactly_these_fields(workspace: Workspace) -> None:
    first, last = ago(hours=2), ago(hours=1)
    events: list[Any] = [
        {"name": "one", "_actor": "a", "_timestamp": first, "_source": "web", "properties": {"plan": "pro", "n": [1]}},
        {"name": "two", "_actor": "a", "_timestamp": last},
    ]
    assert workspace.send({"events": events}).status_code == 202
    found = workspace.get("/v1/actors/a").json()
    two, one = found["timeline"]
    assert found == {
        "actorKey": "a",
        "label": None,
        "eventCount": 2,
        "firstSeen": first,
        "lastSeen": last,
        "timeline": [
            {"id": two["id"], "name": "two", "timestamp": last, "source": None, "properties": {}},
            {
                "id": one["id"],
                "name": "one",
                "timestamp": first,
                "source": "web",
                "properties": {"plan": "pro", "n": [1]},
            },
        ],
    }
    moment_of_id = int(one["id"].replace("-", "")[:12], 16) / 1000
    assert datetime.fromtimestamp(moment_of_id, UTC).isoformat(timespec="milliseconds")[:23] == first[:23]
    assert one["id"][14] == "7"
    assert workspace.get("/v1/actor", actorKey="a").json() == found


def test_the_empty_list(workspace: Workspace) -> None:
    assert workspace.get("/v1/actors").json() == {"actors": [], "next": None}


def test_order_is_by_count_then_key(workspace: Workspace) -> None:
    often = {"b": 3, "a": 2, "é": 2, "B": 2, "10": 1, "9": 1, "😀": 1, "": 9}
    events = [{"name": "x", "_actor": key} for key, count in often.items() for _ in range(count)]
    assert workspace.send({"events": events}).status_code == 202
    assert [row["actorKey"] for row in actors(workspace)] == ["b", "B", "a", "é", "10", "9", "😀"]


@few(3, "time_range", HOURS)
def test_time_range(ranges: Workspace, time_range: str) -> None:
    inside = [name for name, hours in HOURS.items() if hours <= HOURS[time_range]]
    outside = [name for name, hours in HOURS.items() if hours < HOURS[time_range]]
    expected = {f"in {name}": 1 for name in inside} | {f"out {name}": 1 for name in outside}
    assert counts(ranges, timeRange=time_range) == expected | {"everywhere": len(inside)}
    assert len(actor(ranges, "everywhere", timeRange=time_range)["timeline"]) == len(inside)
    check_refusal(ranges.get("/v1/actor", actorKey=f"out {time_range}", timeRange=time_range), 404)


def test_the_default_range_is_7d(ranges: Workspace) -> None:
    rows = {row["actorKey"] for row in ranges.get("/v1/actors").json()["actors"]}
    assert rows == {"in 1h", "out 1h", "in 24h", "out 24h", "in 7d", "everywhere"}
    assert ranges.get("/v1/actor", actorKey="everywhere").json()["eventCount"] == 3
    assert ranges.get("/v1/actors/everywhere").json()["eventCount"] == 3


PATHS = ["/v1/actors", "/v1/actors/everywhere", "/v1/actor"]


def ask(workspace: Workspace, path: str, **params: Any) -> httpx.Response:
    """One of PATHS; the last one needs the actor as a parameter."""
    return workspace.get(path, **params, **({"actorKey": "everywhere"} if path == "/v1/actor" else {}))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("text", ["", "2h", "7D", "7 d", "1y", "All", "90", "-1h", "7d ", "null", "1h,24h", "1h\0"])
def test_an_unknown_range_is_400(ranges: Workspace, path: str, text: str) -> None:
    body = check_refusal(ask(ranges, path, timeRange=text), 400)
    assert body["details"][0]["path"] == ["timeRange"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", ["staging", "Production", "", " production", "production\0", "' OR ''='", "x" * 1000])
def test_an_unknown_environment_is_400(ranges: Workspace, path: str, name: str) -> None:
    body = check_refusal(ask(ranges, path, environment=name), 400)
    assert body["details"][0]["path"] == ["environment"]


@pytest.mark.parametrize("path", PATHS)
def test_a_key_reads_its_own_environment(ranges: Workspace, path: str) -> None:
    assert ask(ranges, path, token=ranges.key).status_code == 200
    assert ask(ranges, path, token=ranges.key, environment="production").status_code == 200
    for other in ("development", "nonsense", ""):
        check_refusal(ask(ranges, path, token=ranges.key, environment=other), 403)


def test_a_session_reads_production_unless_it_says_otherwise(workspace: Workspace) -> None:
    development = workspace.make_key("development")[0]
    assert workspace.send({"name": "x", "_actor": "p"}).status_code == 202
    assert workspace.send({"name": "x", "_actor": "d"}, key=development).status_code == 202
    assert counts(workspace) == counts(workspace, environment="production") == {"p": 1}
    assert counts(workspace, environment="development") == {"d": 1}
    check_refusal(workspace.get("/v1/actors/d"), 404)
    check_refusal(workspace.get("/v1/actors/p", environment="development"), 404)
    check_refusal(workspace.get("/v1/actors/p", token=development), 404)


@pytest.mark.parametrize("key", ["nobody", "EVERYWHERE", "everywhere "])
def test_an_unknown_actor_is_404(ranges: Workspace, key: str) -> None:
    for token in (None, ranges.key):
        check_refusal(ranges.get(f"/v1/actors/{key}", token=token), 404)
        check_refusal(ranges.get("/v1/actor", token=token, actorKey=key), 404)


def test_another_workspaces_actor_is_404(ranges: Workspace, workspace: Workspace) -> None:
    check_refusal(workspace.get("/v1/actors/everywhere", timeRange="90d"), 404)
    assert actors(workspace) == []


def test_the_timeline_has_the_newest_hundred(workspace: Workspace) -> None:
    """Newest first; events of the same moment in the order of their arrival."""
    same = ago(minutes=1)
    events = [{"name": f"same {n:03}", "_actor": "a", "_timestamp": same} for n in range(90)]
    events += [{"name": f"older {n:03}", "_actor": "a", "_timestamp": ago(minutes=2 + n)} for n in range(30)]
    assert workspace.send({"events": events[60:]}).status_code == 202
    assert workspace.send({"events": events[:60]}).status_code == 202
    found = actor(workspace, "a")
    assert found["eventCount"] == 120
    arrived = [*range(60, 90), *range(60)]
    assert [moment["name"] for moment in found["timeline"]] == [
        *[f"same {n:03}" for n in reversed(arrived)],
        *[f"older {n:03}" for n in range(10)],
    ]
