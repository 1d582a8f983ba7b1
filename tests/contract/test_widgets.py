"""Widgets: a config that fits the type, a place, and the data (rules/boards#widget, rules/boards#order-of-widgets)."""

import itertools
import random
import re
from typing import Any

import httpx
import pytest

from harness.builders.moments import ago
from harness.clients.at_once import at_once
from harness.clients.dashboards import CONFIGS, NOTE, config_of, make_dashboard, make_segment, make_widget, widgets_of
from harness.clients.workspace import JSON, Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.server import Server
from harness.stores.metadata_edits import writing
from harness.suite.few import few
from tallyroom.dashboards.registry import KINDS

FIELDS = ["id", "dashboardId", "title", "type", "config", "layout", "publishRows", "ignoreDashboardFilters"]
FIELDS += ["position", "createdAt", "updatedAt"]
HEATMAP = {"type": "heatmap", "config": {"event": "x"}}


@pytest.fixture
def board(shared: Workspace) -> str:
    """The id of a fresh dashboard in the shared workspace."""
    found: str = make_dashboard(shared)["id"]
    return found


def ok(answer: httpx.Response) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()


def change(workspace: Workspace, widget_id: str, body: Any) -> Any:
    with workspace.client() as client:
        return ok(client.patch(f"/v1/widgets/{widget_id}", json=body))


def data(workspace: Workspace, widget_id: str, body: Any = None) -> Any:
    with workspace.client() as client:
        return ok(client.post(f"/v1/widgets/{widget_id}/data", json=body))


def positions(workspace: Workspace, board: str) -> list[tuple[int, str]]:
    return [(widget["position"], widget["id"]) for widget in widgets_of(workspace, board)]


def numbered(ids: list[str]) -> list[tuple[int, str]]:
    return list(enumerate(ids))


def test_type_and_config_are_enough(shared: Workspace, board: str) -> None:
    made = make_widget(shared, board)
    assert list(made) == FIELDS
    assert made == {
        "id": made["id"],
        "dashboardId": board,
        "title": "",
        "type": "note",
        "config": {"text": "Hello"},
        "layout": {"w": 6, "h": 4},
        "publishRows": False,
        "ignoreDashboardFilters": False,
        "position": 0,
        "createdAt": made["createdAt"],
        "updatedAt": made["createdAt"],
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", made["createdAt"])
    assert widgets_of(shared, board) == [made]


@few(2, "kind", sorted(KINDS))
def test_every_type_is_saved_and_answers(shared: Workspace, board: str, kind: str) -> None:
    config = config_of(shared, kind)
    made = make_widget(shared, board, type=kind, config=config)
    assert (made["type"], made["config"]) == (kind, config)
    answer = data(shared, made["id"])
    preview = {"environment": "production", "timeRange": "7d", "type": kind, "config": config}
    with shared.client() as client:
        again = ok(client.post("/v1/query", json=preview))
    assert answer.pop("computedAt") <= again.pop("computedAt")
    assert answer["kind"] == again["kind"]
    assert list(answer) == list(again)


@few(2, "kind", sorted(KINDS))
def test_every_type_refuses_what_it_does_not_take(shared: Workspace, board: str, kind: str) -> None:
    config = CONFIGS[kind]
    wrong = [(config | {"nonsense": 1}, ["config", "nonsense"])]
    wrong += [({name: config[name] for name in config if name != lost}, ["config", lost]) for lost in config]
    inside = {name: ["no"] if isinstance(value, dict) else [] for name, value in config.items()}
    wrong += [(config | {name: {"no": "type"}}, ["config", name, *more]) for name, more in inside.items()]
    with shared.client() as client:
        for each, path in wrong:
            for answer in (
                client.post(f"/v1/dashboards/{board}/widgets", json={"type": kind, "config": each}),
                client.post(
                    "/v1/query", json={"environment": "production", "timeRange": "7d", "type": kind, "config": each}
                ),
            ):
                assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [path], each
    assert widgets_of(shared, board) == []


def test_the_config_comes_back_without_its_defaults(shared: Workspace, board: str) -> None:
    config = {"filters": [], "timezone": None, "segmentId": None, "event": "x"}
    assert make_widget(shared, board, type="heatmap", config=config)["config"] == {"event": "x"}
    filters: list[dict[str, Any]] = [
        {"key": "a", "op": "in", "value": [1, 1.5, "1", True, 2**52, "ü\u2028"]},
        {"key": "b", "op": "exists"},
    ]
    config = {"event": "x", "timezone": "Europe/Berlin", "filters": filters}
    assert make_widget(shared, board, type="heatmap", config=config)["config"] == config
    filters[0]["value"], wide = (
        [2**63],
        {"key": "a", "op": "in", "value": [str(2**63)]},
    )  # more digits than a double has
    assert make_widget(shared, board, type="heatmap", config=config)["config"]["filters"] == [wide, filters[1]]


FITS: list[tuple[str, Any]] = [
    *[("title", value) for value in ("", " ", "x" * 120, "🗺" * 120)],
    *[("layout", {"w": w, "h": h}) for w, h in ((1, 1), (12, 12), (1, 12))],
    ("config", {"text": ""}),
    ("config", {"text": "x" * 2000}),
]


@few(4, ("field", "value"), FITS)
def test_what_a_field_takes(shared: Workspace, board: str, field: str, value: Any) -> None:
    assert make_widget(shared, board, **{field: value})[field] == value
    before = make_widget(shared, board, title="Before")
    after = change(shared, before["id"], {field: value})
    own = {field: value, "updatedAt": after["updatedAt"]}
    assert after == before | own
    assert widgets_of(shared, board)[1] == after


def test_a_side_that_is_absent_has_its_default_or_stays(shared: Workspace, board: str) -> None:
    assert make_widget(shared, board, layout={})["layout"] == {"w": 6, "h": 4}
    made = make_widget(shared, board, layout={"w": 3})
    assert made["layout"] == {"w": 3, "h": 4}
    assert change(shared, made["id"], {"layout": {"h": 9}})["layout"] == {"w": 3, "h": 9}
    assert change(shared, made["id"], {"layout": {}})["layout"] == {"w": 3, "h": 9}


WRONG: list[tuple[Any, list[Any]]] = [
    *[({"title": value}, ["title"]) for value in (None, "x" * 121, 1, [], "a\n", "a\0")],
    *[({"type": value}, ["type"]) for value in (None, "", "External", "Note", "chart", 1, [])],
    *[({"config": value}, ["config"]) for value in (None, "", "{}", 1, [], [{"text": "x"}])],
    ({"config": {}}, ["config", "text"]),
    *[({"config": {"text": value}}, ["config", "text"]) for value in (None, 1, [], "x" * 2001)],
    ({"config": {"text": "x", "event": "x"}}, ["config", "event"]),
    *[({"layout": value}, ["layout"]) for value in (None, 6, [6, 4], "6x4")],
    *[({"layout": {"w": value}}, ["layout", "w"]) for value in (None, 0, 13, -1, 1.5, "6", True, 2**70)],
    *[({"layout": {"h": value}}, ["layout", "h"]) for value in (None, 0, 13, 6.1, [])],
    *[({"layout": {field: 1}}, ["layout", field]) for field in ("x", "y", "width", "W")],
    *[
        ({field: "x"}, [field])
        for field in ("id", "dashboardId", "position", "createdAt", "segmentId", "environment", "timeRange")
    ],
    (HEATMAP | {"config": {"event": "x", "filters": [{"key": "a", "op": "eq"}]}}, ["config", "filters", 0, "value"]),
    (HEATMAP | {"config": {"event": "x", "filters": [{"key": "a", "op": "like"}]}}, ["config", "filters", 0, "op"]),
    (
        HEATMAP | {"config": {"event": "x", "filters": [{"key": "a", "op": "exists", "not": 1}]}},
        ["config", "filters", 0, "not"],
    ),
    (HEATMAP | {"config": {"event": "x", "timezone": "Mars"}}, ["config", "timezone"]),
    (HEATMAP | {"config": {"text": "x"}}, ["config", "text"]),
    (
        HEATMAP | {"config": {"event": "x", "segmentId": "019aa0b0-0000-7000-8000-000000000000"}},
        ["config", "segmentId"],
    ),
]


@pytest.fixture(scope="module")
def kept(shared: Workspace) -> Any:
    """A widget on a dashboard of its own, of which every change is refused."""
    return make_widget(shared, make_dashboard(shared)["id"], title="Before")


@few(4, ("wrong", "path"), WRONG)
def test_what_is_refused_makes_and_changes_nothing(shared: Workspace, kept: Any, wrong: Any, path: list[Any]) -> None:
    with shared.client() as client:
        for answer in (
            client.post(f"/v1/dashboards/{kept['dashboardId']}/widgets", json=NOTE | wrong),
            client.patch(f"/v1/widgets/{kept['id']}", json={"title": "After", "layout": {"w": 1}} | wrong),
        ):
            assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [path]
    assert widgets_of(shared, kept["dashboardId"]) == [kept]


@pytest.mark.parametrize("missing", ["type", "config"])
def test_what_is_required(shared: Workspace, board: str, missing: str) -> None:
    body = {name: value for name, value in NOTE.items() if name != missing}
    with shared.client() as client:
        refusal = check_refusal(client.post(f"/v1/dashboards/{board}/widgets", json=body), 400)
    assert [detail["path"] for detail in refusal["details"]] == [[missing]]


def heatmap_of(length: int) -> dict[str, Any]:
    """A heatmap's config that takes `length` bytes as JSON."""
    empty = len('{"event":"x","filters":[{"key":"a","op":"eq","value":""}]}')
    return {"event": "x", "filters": [{"key": "a", "op": "eq", "value": "v" * (length - empty)}]}


def test_a_config_is_kept_up_to_64_kib(shared: Workspace, board: str) -> None:
    made = make_widget(shared, board, type="heatmap", config=heatmap_of(65_536))
    assert made["config"] == heatmap_of(65_536)
    with shared.client() as client:
        for answer in (
            client.post(f"/v1/dashboards/{board}/widgets", json={"type": "heatmap", "config": heatmap_of(65_537)}),
            client.patch(f"/v1/widgets/{made['id']}", json={"config": heatmap_of(65_537)}),
        ):
            assert [detail["path"] for detail in check_refusal(answer, 400)["details"]] == [["config"]]
    assert widgets_of(shared, board) == [made]


def test_another_type_needs_a_config_that_fits_it(shared: Workspace, board: str) -> None:
    widget = make_widget(shared, board, title="T")
    with shared.client() as client:
        for body, path in (
            ({"type": "heatmap"}, ["config"]),
            ({"type": "heatmap", "config": {"text": "x"}}, ["config", "text"]),
            ({"config": {"event": "x"}}, ["config", "event"]),
        ):
            refusal = check_refusal(client.patch(f"/v1/widgets/{widget['id']}", json=body), 400)
            assert [detail["path"] for detail in refusal["details"]] == [path]
    assert widgets_of(shared, board) == [widget]
    assert change(shared, widget["id"], {"type": "note"}) == widget
    after = change(shared, widget["id"], HEATMAP)
    assert after == widget | HEATMAP | {"updatedAt": after["updatedAt"]}
    assert data(shared, widget["id"])["kind"] == "heatmap"


def test_a_change_moves_its_time_and_no_change_does_not(shared: Workspace, board: str) -> None:
    widget = make_widget(shared, board)
    for body in ({}, {"title": "", "config": {"text": "Hello"}, "layout": {"w": 6}}):
        assert change(shared, widget["id"], body) == widget
    after = change(shared, widget["id"], {"config": {"text": "Bye"}})
    assert after["createdAt"] == widget["createdAt"] < after["updatedAt"]


def test_a_segment_is_one_of_the_dashboards_environment(workspace: Workspace) -> None:
    board = make_dashboard(workspace)["id"]
    here, there = make_segment(workspace), make_segment(workspace, environment="development")
    theirs = make_segment(sign_up(workspace.url))
    made = make_widget(workspace, board, type="heatmap", config={"event": "x", "segmentId": here["id"]})
    assert made["config"]["segmentId"] == here["id"]
    assert data(workspace, made["id"])["kind"] == "heatmap"
    messages = set()
    with workspace.client() as client:
        for segment_id in (there["id"], theirs["id"], "nonsense", ""):
            body = {"type": "heatmap", "config": {"event": "x", "segmentId": segment_id}}
            preview = body | {"environment": "production", "timeRange": "7d"}
            for answer in (
                client.post(f"/v1/dashboards/{board}/widgets", json=body),
                client.patch(f"/v1/widgets/{made['id']}", json=body),
                client.post("/v1/query", json=preview),
            ):
                refusal = check_refusal(answer, 400)
                assert [detail["path"] for detail in refusal["details"]] == [["config", "segmentId"]]
                messages.add(refusal["message"])
    assert len(messages) == 2  # one for saving, one for asking
    assert widgets_of(workspace, board) == [made]


def test_a_new_widget_takes_the_last_position_and_the_others_close_up(shared: Workspace, board: str) -> None:
    ids = [make_widget(shared, board)["id"] for _ in range(5)]
    assert positions(shared, board) == numbered(ids)
    with shared.client() as client:
        for gone in (ids[1], ids[4], ids[0]):
            answer = client.delete(f"/v1/widgets/{gone}")
            assert (answer.status_code, answer.content) == (204, b"")
            ids.remove(gone)
            assert positions(shared, board) == numbered(ids)
            check_refusal(client.delete(f"/v1/widgets/{gone}"), 404)
    ids.append(make_widget(shared, board)["id"])
    assert positions(shared, board) == numbered(ids)


def test_every_order_can_be_had(shared: Workspace, board: str) -> None:
    made = {widget["id"]: widget for widget in [make_widget(shared, board, title=title) for title in "abc"]}
    path = f"/v1/dashboards/{board}/widgets/reorder"
    with shared.client() as client:
        for order in itertools.permutations(made):
            answer = ok(client.post(path, json={"widgetIds": order}))
            assert answer == {"widgets": [made[each] | {"position": place} for place, each in enumerate(order)]}
            assert widgets_of(shared, board) == answer["widgets"]


def test_a_dashboard_without_widgets_has_one_order(shared: Workspace, board: str) -> None:
    with shared.client() as client:
        assert ok(client.post(f"/v1/dashboards/{board}/widgets/reorder", json={"widgetIds": []})) == {"widgets": []}


@pytest.mark.long
def test_a_wrong_order_changes_nothing(shared: Workspace, board: str) -> None:
    a, b, c = (make_widget(shared, board)["id"] for _ in range(3))
    elsewhere = make_widget(shared, make_dashboard(shared)["id"])["id"]
    wrong: list[tuple[Any, list[Any]]] = [
        ({}, [["widgetIds"]]),
        ({"widgetIds": None}, [["widgetIds"]]),
        ({"widgetIds": a}, [["widgetIds"]]),
        ({"widgetIds": {a: 0, b: 1, c: 2}}, [["widgetIds"]]),
        ({"widgetIds": [c, b, a], "dashboardId": board}, [["dashboardId"]]),
        ({"widgetIds": [c, b, 1]}, [["widgetIds", 2]]),
        ({"widgetIds": []}, [["widgetIds"]]),
        ({"widgetIds": [c, b]}, [["widgetIds"]]),
        ({"widgetIds": [c, b, b]}, [["widgetIds", 1], ["widgetIds", 2], ["widgetIds"]]),
        ({"widgetIds": [c, b, a, a]}, [["widgetIds", 2], ["widgetIds", 3]]),
        ({"widgetIds": [c, b, a, elsewhere]}, [["widgetIds", 3]]),
        ({"widgetIds": [c, b, elsewhere]}, [["widgetIds", 2], ["widgetIds"]]),
        ({"widgetIds": [c, b, a.upper()]}, [["widgetIds", 2], ["widgetIds"]]),
        ({"widgetIds": [c, b, a, "\0"]}, [["widgetIds", 3]]),
        ({"widgetIds": ["x"] * 101}, [["widgetIds"]]),
    ]
    with shared.client() as client:
        for body, paths in wrong:
            refusal = check_refusal(client.post(f"/v1/dashboards/{board}/widgets/reorder", json=body), 400)
            assert [detail["path"] for detail in refusal["details"]] == paths, body
            assert positions(shared, board) == numbered([a, b, c])


@pytest.mark.long
def test_whatever_happens_at_once_leaves_positions_without_gaps(shared: Workspace, board: str) -> None:
    """Orders, additions and deletions in the same moment: some orders come too late, and nothing is ever twice."""
    ids = [make_widget(shared, board)["id"] for _ in range(6)]
    chance = random.Random(5)
    path = f"/v1/dashboards/{board}/widgets"

    def send(method: str, to: str, body: Any = None) -> Any:
        def request() -> httpx.Response:
            with shared.client() as client:
                return client.request(method, to, json=body)

        return request

    for _ in range(4):
        orders = [send("POST", f"{path}/reorder", {"widgetIds": chance.sample(ids, len(ids))}) for _ in range(4)]
        assert at_once(*orders) == [200] * 4
        assert sorted(positions(shared, board)) == positions(shared, board)
        additions = [send("POST", path, NOTE) for _ in range(3)]
        gone = chance.sample(ids, 2)
        deletions = [send("DELETE", f"/v1/widgets/{each}") for each in gone]
        statuses = at_once(*additions, *deletions, *orders)
        assert set(statuses) <= {200, 201, 204, 400}
        assert (statuses.count(201), statuses.count(204)) == (3, 2)
        found = positions(shared, board)
        assert [place for place, _ in found] == list(range(len(ids) + 1))
        assert {each for _, each in found} >= set(ids) - set(gone)
        ids = [each for _, each in found]


@pytest.mark.long
def test_the_data_is_of_the_dashboards_environment_and_range(workspace: Workspace) -> None:
    key, _ = workspace.make_key("development")
    events = [{"name": "x", "_timestamp": ago(days=days)} for days in (0, 3, 3, 20)]
    assert workspace.send({"events": events}, key=key).status_code == 202
    assert workspace.send({"name": "x"}).status_code == 202
    board = make_dashboard(workspace, environment="development", timeRange="24h")["id"]
    widget = make_widget(workspace, board, **HEATMAP)["id"]

    def counted(body: Any = None) -> int:
        return sum(map(sum, data(workspace, widget, body)["cells"]))

    assert [counted(), counted({})] == [1, 1]
    assert [counted({"timeRange": each}) for each in ("1h", "24h", "7d", "30d", "90d")] == [1, 1, 3, 4, 4]
    with workspace.client() as client:
        assert client.patch(f"/v1/dashboards/{board}", json={"timeRange": "7d"}).status_code == 200
        assert counted() == 3
        assert client.patch(f"/v1/dashboards/{board}", json={"environment": "production"}).status_code == 200
        assert counted() == 1


def test_the_data_is_filtered_by_the_segment_as_it_is_now(workspace: Workspace) -> None:
    events = [{"name": "x", "properties": {"plan": plan}} for plan in ("pro", "pro", "free")]
    assert workspace.send({"events": events}).status_code == 202
    segment = make_segment(workspace)
    board = make_dashboard(workspace)["id"]
    widget = make_widget(workspace, board, type="heatmap", config={"event": "x", "segmentId": segment["id"]})
    counts = [sum(map(sum, data(workspace, widget["id"])["cells"]))]
    with workspace.client() as client:
        body = {"filters": [{"key": "plan", "op": "eq", "value": "free"}]}
        assert client.patch(f"/v1/segments/{segment['id']}", json=body).status_code == 200
    counts.append(sum(map(sum, data(workspace, widget["id"])["cells"])))
    assert counts == [2, 1]


def test_the_body_of_a_question_may_be_empty(shared: Workspace, board: str) -> None:
    path = f"/v1/widgets/{make_widget(shared, board)['id']}/data"
    with shared.client() as client:
        for options in ({}, {"json": {}}, {"content": b"", "headers": {"content-type": JSON}}):
            assert ok(client.post(path, **options))["text"] == "Hello"


@few(
    4,
    ("body", "path"),
    [
        *[({"timeRange": value}, ["timeRange"]) for value in (None, "", "2h", 7, [])],
        *[({field: "7d"}, [field]) for field in ("timerange", "time_range", "environment", "config", "filters")],
        ([], []),
        ("7d", []),
    ],
)
def test_a_wrong_question_is_refused(shared: Workspace, kept: Any, body: Any, path: list[Any]) -> None:
    with shared.client() as client:
        refusal = check_refusal(client.post(f"/v1/widgets/{kept['id']}/data", json=body), 400)
    assert [detail["path"] for detail in refusal["details"]] == [path]


def test_another_workspaces_widget_is_as_missing_as_a_missing_one(workspace: Workspace) -> None:
    stranger = sign_up(workspace.url)
    board = make_dashboard(stranger)["id"]
    widget = make_widget(stranger, board)
    bodies = set()
    with workspace.client() as client:
        for name in (widget["id"], board, "019aa0b0-0000-7000-8000-000000000000", "nonsense", "%00", "a" * 5000):
            path = f"/v1/widgets/{name}"
            for answer in (
                client.patch(path, json={"title": "Mine"}),
                client.delete(path),
                client.post(f"{path}/data"),
            ):
                bodies.add(check_refusal(answer, 404)["message"])
    assert len(bodies) == 1
    assert widgets_of(stranger, board) == [widget]


def test_questions_do_not_wait_for_a_writer(server: Server, workspace: Workspace) -> None:
    """They are POSTs that change nothing, so another's write, however long, does not hold them up."""
    widget = make_widget(workspace, make_dashboard(workspace)["id"], **HEATMAP)
    preview = HEATMAP | {"environment": "production", "timeRange": "7d"}
    with writing(server.data):
        assert data(workspace, widget["id"])["kind"] == "heatmap"
        with workspace.client() as client:
            assert ok(client.post("/v1/query", json=preview))["kind"] == "heatmap"
