"""Time ranges, intervals and comparisons in requests: rules/questions#window, #buckets and #comparison."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from harness.builders.moments import ago
from harness.clients.dashboards import make_dashboard, make_widget
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.suite.few import few

COUNT = {"event": "x", "measure": "count"}
SPANS = ["today", "yesterday", "wtd", "mtd", "ytd", "last_week", "last_month", "12mo", "all"]


@pytest.fixture(scope="module")
def known(server: Any) -> Workspace:
    """A workspace with an event a minute ago, one three years ago, and one in 1999."""
    workspace = sign_up(server.url)
    times = (ago(minutes=1), ago(days=3 * 365), "1999-05-05T12:00:00Z")
    events = [{"name": "x", "_timestamp": at, "_actor": "u1", "properties": {"team": "t"}} for at in times]
    assert workspace.send({"events": events}).status_code == 202
    return workspace


def ask(workspace: Workspace, path: str = "/v1/query", /, **changed: Any) -> Any:
    body = {"environment": "production", "type": "metric", "config": COUNT, "timeRange": "7d"} | changed
    with workspace.client() as client:
        answer = client.post(path, json={name: value for name, value in body.items() if value is not None})
    assert answer.status_code == 200, answer.text
    return answer.json()


FIXED = {"timeRange": None, "from": "1999-05-05", "to": "1999-05-06T00:00:00Z"}


def test_a_fixed_span_counts_what_happened_in_it(known: Workspace) -> None:
    assert ask(known, **FIXED)["value"] == 1
    assert ask(known, **FIXED | {"to": "1999-05-05T12:00:00Z"})["value"] == 0, "the end is not included"
    assert ask(known, **FIXED | {"from": "1999-05-05T14:00:00+02:00"})["value"] == 1


def test_all_begins_with_the_first_event(known: Workspace) -> None:
    assert ask(known, timeRange="all") | {"computedAt": ""} == {
        "kind": "counter",
        "value": 3,
        "previous": None,
        "delta": None,
        "computedAt": "",
    }
    over_time = ask(known, timeRange="all", config=COUNT | {"overTime": True})
    assert (over_time["interval"], over_time["points"][0]["t"]) == ("month", "1999-05-01T00:00:00.000Z")
    assert over_time["points"][0] == {"t": "1999-05-01T00:00:00.000Z", "value": 1, "partial": True}
    assert sum(point["value"] for point in over_time["points"]) == 3


@pytest.mark.long
@pytest.mark.parametrize("time_range", SPANS)
def test_calendar_spans_are_taken_wherever_spans_are(known: Workspace, time_range: str) -> None:
    assert ask(known, timeRange=time_range)["kind"] == "counter"
    for path in ("/v1/actors", "/v1/events", "/v1/schema"):
        assert known.get(path, timeRange=time_range).status_code == 200, path
    assert known.get("/v1/groups", timeRange=time_range, environment="production").status_code == 200
    board = make_dashboard(known, timeRange=time_range)
    assert board["timeRange"] == time_range
    widget = make_widget(known, board["id"], type="metric", config=COUNT)
    with known.client() as client:
        answer = client.post(f"/v1/widgets/{widget['id']}/data")
        assert answer.status_code == 200, answer.text
        assert answer.json()["value"] == ask(known, timeRange=time_range)["value"]


def test_lists_take_fixed_spans(known: Workspace) -> None:
    time_range = {"from": "1999-05-05", "to": "1999-05-06"}
    assert [each["eventCount"] for each in known.get("/v1/actors", **time_range).json()["actors"]] == [1]
    assert len(known.get("/v1/events", **time_range).json()["events"]) == 1
    assert [each["count"] for each in known.get("/v1/schema", **time_range).json()["events"]] == [1]
    assert known.get(f"/v1/actors/{quote('u1')}", **time_range).json()["eventCount"] == 1


def test_pages_of_a_span_that_is_over_fit_together(workspace: Workspace) -> None:
    events = [{"name": f"e{number}", "_timestamp": ago(days=20), "_actor": f"u{number}"} for number in range(5)]
    assert workspace.send({"events": events}).status_code == 202
    time_range = {"from": ago(days=21), "to": ago(days=19)}
    for path, what in (("/v1/events", "events"), ("/v1/actors", "actors")):
        found, cursor = [], {}
        for _ in range(5):
            page = workspace.get(path, **time_range, limit="2", **cursor).json()
            found += page[what]
            if page["next"] is None:
                break
            cursor = {"cursor": page["next"]}
        assert len(found) == 5, path


WRONG = [
    ({"timeRange": None}, ["timeRange"]),
    ({"timeRange": "2d"}, ["timeRange"]),
    ({"from": "1999-05-05", "to": "1999-05-06"}, ["timeRange"]),
    (FIXED | {"to": None}, ["to"]),
    (FIXED | {"from": None}, ["from"]),
    (FIXED | {"from": "yesterday"}, ["from"]),
    (FIXED | {"to": "1999-05-05"}, ["to"]),
    (FIXED | {"from": "1969-12-31"}, ["from"]),
    (FIXED | {"to": "2100-01-02"}, ["to"]),
    ({"interval": "second"}, ["interval"]),
    ({"compare": "before"}, ["compare"]),
    ({"compare": {"shift": "2d"}}, ["compare", "shift"]),
    ({"compare": {}}, ["compare", "shift"]),
    ({"interval": "minute", "config": COUNT | {"overTime": True}}, ["interval"]),
    ({"config": COUNT | {"overTime": True, "interval": "minute"}}, ["interval"]),
    ({"config": COUNT | {"event": None}}, ["config", "event"]),
    ({"config": COUNT | {"events": ["y"]}}, ["config", "events"]),
    ({"config": COUNT | {"display": {"decimals": 11}}}, ["config", "display", "decimals"]),
    ({"config": COUNT | {"display": {"colour": "red"}}}, ["config", "display", "colour"]),
]


@few(4, ("changed", "path"), WRONG)
def test_what_is_refused(known: Workspace, changed: dict[str, Any], path: list[str]) -> None:
    body = {"environment": "production", "type": "metric", "config": COUNT, "timeRange": "7d"} | changed
    with known.client() as client:
        sent = {name: value for name, value in body.items() if value is not None}
        refusal = check_refusal(client.post("/v1/query", json=sent), 400)
    assert [detail["path"] for detail in refusal["details"]] == [path]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ({"from": "1999-05-05"}, "to"),
        ({"to": "1999-05-05"}, "from"),
        ({"from": "1999-05-05", "to": "1999-05-06", "timeRange": "7d"}, "timeRange"),
        ({"from": "x", "to": "1999-05-06"}, "from"),
        ({"timeRange": "1w"}, "timeRange"),
    ],
)
@pytest.mark.parametrize("path", ["/v1/actors", "/v1/events", "/v1/schema", "/v1/groups"])
def test_what_lists_refuse(known: Workspace, path: str, query: dict[str, str], parameter: str) -> None:
    refusal = check_refusal(known.get(path, environment="production", **query), 400)
    assert [detail["path"] for detail in refusal["details"]] == [[parameter]]


def test_who_asks_chooses_the_interval_and_the_comparison(known: Workspace) -> None:
    config = COUNT | {"overTime": True, "interval": "day", "compare": False}
    assert ask(known, config=config)["interval"] == "day"
    found = ask(known, config=config, interval="week", compare={"shift": "1mo"})
    assert found["interval"] == "week"
    assert len(found["compared"]) >= 1
    assert found["compared"][0]["t"] < found["points"][0]["t"]
    assert "compared" not in ask(known, config=config)
    assert ask(known, compare=False)["previous"] is None
    assert ask(known, compare={"shift": "1y"})["previous"] == 0


@pytest.fixture
def in_zone(workspace: Workspace) -> Callable[[str], Workspace]:
    """Moves the workspace to a time zone."""

    def move(timezone: str) -> Workspace:
        with workspace.client() as client:
            assert client.patch("/v1/workspace", json={"timezone": timezone}).status_code == 200
        return workspace

    return move


def test_days_are_those_of_the_workspace(in_zone: Callable[[str], Workspace]) -> None:
    workspace = in_zone("Asia/Kathmandu")
    assert workspace.send({"name": "x", "_timestamp": ago(minutes=1)}).status_code == 202
    points = ask(workspace, timeRange="wtd", interval="week", config=COUNT | {"overTime": True})["points"]
    assert [point["t"][11:] for point in points] == ["18:15:00.000Z"]


def test_hours_are_those_of_the_workspace(in_zone: Callable[[str], Workspace]) -> None:
    """Sixty events from 10:00 in Kolkata are one of 24 columns, one cell of the heat map, and one actor's."""
    workspace = in_zone("Asia/Kolkata")
    times = [f"2026-03-05T10:{minute:02}:00+05:30" for minute in range(60)]
    events = [{"name": "x", "_timestamp": time, "_actor": "u1"} for time in times]
    assert workspace.send({"events": events}).status_code == 202
    day = {"timeRange": None, "from": "2026-03-05T00:00:00+05:30", "to": "2026-03-06T00:00:00+05:30"}
    config = COUNT | {"overTime": True}
    answer = ask(workspace, **day, config=config)
    assert (answer["interval"], len(answer["points"])) == ("hour", 24)
    assert [point for point in answer["points"] if point["value"]] == [{"t": "2026-03-05T04:30:00.000Z", "value": 60}]
    thursday = ask(workspace, **day, type="heatmap", config={"event": "x"})["cells"][3]
    assert thursday == [point["value"] for point in answer["points"]]
    at = {"t": "2026-03-05T04:30:00.000Z"}
    [actor] = ask(workspace, "/v1/query/actors", **day, config=config, at=at)["actors"]
    assert actor["eventCount"] == 60


def test_whole_local_days_are_compared_with_days(in_zone: Callable[[str], Workspace]) -> None:
    """The 31st of October 1999 had 25 hours in Berlin; the 30th had 24, and an hour of the 29th is not compared."""
    workspace = in_zone("Europe/Berlin")
    times = ["1999-10-29T23:30:00+02:00", "1999-10-30T00:00:00+02:00", "1999-10-31T23:59:59+01:00"]
    assert workspace.send({"events": [{"name": "x", "_timestamp": time} for time in times]}).status_code == 202
    day = {"timeRange": None, "from": "1999-10-31T00:00:00+02:00", "to": "1999-11-01T00:00:00+01:00"}
    assert ask(workspace, **day) | {"computedAt": ""} == ask(workspace, **day, compare=True) | {"computedAt": ""}
    assert (ask(workspace, **day)["value"], ask(workspace, **day)["previous"]) == (1, 1)
    by_length = day | {"from": "1999-10-31T00:00:01+02:00"}
    assert ask(workspace, **by_length)["previous"] == 2, "no whole day: as long a time"
    compared = ask(workspace, **day, config=COUNT | {"overTime": True, "interval": "hour"}, compare="previous")
    assert (len(compared["points"]), len(compared["compared"])) == (25, 24)
    kpi = ask(workspace, **day, type="kpi", config={"items": [COUNT]})
    assert (kpi["items"][0]["value"], kpi["items"][0]["previous"]) == (1, 1)
