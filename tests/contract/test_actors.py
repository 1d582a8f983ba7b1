"""The actor list and the actor detail (specification, "Actor"; contract 6)."""

import base64
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from harness.actor import actor, actors, counts
from harness.moments import ago
from harness.refusal import check_refusal
from harness.server import Server
from harness.workspace import Workspace, sign_up

HOURS = {"1h": 1, "24h": 24, "7d": 7 * 24, "30d": 30 * 24, "90d": 90 * 24}

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


def by_activity(rows: list[Any]) -> list[tuple[int, str]]:
    return [(-row["eventCount"], row["actorKey"]) for row in rows]


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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    "limit", ["0", "-1", "x", "1.5", "1e2", "", " ", "+5", "5 ", "0x10", "\u0665", "²", "null", "00"]
)
def test_a_wrong_limit_is_400(shared: Workspace, limit: str) -> None:
    body = check_refusal(shared.get("/v1/actors", limit=limit), 400)
    assert body["details"][0]["path"] == ["limit"]


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


@pytest.mark.parametrize("cursor", BAD_CURSORS, ids=lambda text: ascii(text)[:30])
def test_a_wrong_cursor_is_400(shared: Workspace, cursor: str) -> None:
    body = check_refusal(shared.get("/v1/actors", cursor=cursor), 400)
    assert body["details"][0]["path"] == ["cursor"]


@pytest.mark.parametrize("key", ["", "\0", "a\0b", "'", "\\", "\ud800", "x" * 5000], ids=lambda key: ascii(key)[:20])
def test_a_made_up_cursor_is_harmless(crowd: Workspace, key: str) -> None:
    answer = crowd.get("/v1/actors", cursor=cursor_of([int(datetime.now(UTC).timestamp() * 1000), 3, key]))
    assert answer.status_code in {200, 400}


@pytest.mark.parametrize("time_range", HOURS)
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


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("text", ["", "2h", "7D", "7 d", "1y", "all", "90", "-1h", "7d ", "null", "1h,24h", "1h\0"])
def test_an_unknown_range_is_400(ranges: Workspace, path: str, text: str) -> None:
    body = check_refusal(ranges.get(path, timeRange=text, actorKey="everywhere"), 400)
    assert body["details"][0]["path"] == ["timeRange"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", ["staging", "Production", "", " production", "production\0", "' OR ''='", "x" * 1000])
def test_an_unknown_environment_is_400(ranges: Workspace, path: str, name: str) -> None:
    body = check_refusal(ranges.get(path, environment=name, actorKey="everywhere"), 400)
    assert body["details"][0]["path"] == ["environment"]


@pytest.mark.parametrize("path", PATHS)
def test_a_key_reads_its_own_environment(ranges: Workspace, path: str) -> None:
    assert ranges.get(path, token=ranges.key, actorKey="everywhere").status_code == 200
    assert ranges.get(path, token=ranges.key, actorKey="everywhere", environment="production").status_code == 200
    for other in ("development", "nonsense", ""):
        check_refusal(ranges.get(path, token=ranges.key, actorKey="everywhere", environment=other), 403)


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
