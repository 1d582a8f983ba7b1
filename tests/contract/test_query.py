"""POST /v1/query: a widget's config, run without being saved (rules/boards#widget-data).

The filters of a segment: rules/questions#segments-in-questions.
"""

from typing import Any

import pytest

from harness.builders.moments import ago
from harness.clients.dashboards import make_segment
from harness.clients.groups import register, send_groups
from harness.clients.workspace import Workspace, sign_up
from harness.oracles.refusal import check_refusal
from harness.servers.command import tallyroom
from harness.servers.server import Server
from harness.suite.few import few

HEATMAP = {"environment": "production", "timeRange": "7d", "type": "heatmap", "config": {"event": "x"}}
METRIC = {
    "environment": "production",
    "timeRange": "7d",
    "type": "metric",
    "config": {"event": "x", "measure": "count"},
}
NOTE = {"environment": "production", "timeRange": "7d", "type": "note", "config": {"text": "Hello"}}


def ask(workspace: Workspace, body: Any) -> Any:
    with workspace.client() as client:
        answer = client.post("/v1/query", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_note_answers_its_text(shared: Workspace) -> None:
    answer = ask(shared, NOTE)
    assert (answer["kind"], answer["text"]) == ("note", "Hello")
    assert answer["computedAt"]


@pytest.mark.long
def test_it_counts_what_was_acknowledged_in_its_environment_and_range(workspace: Workspace) -> None:
    stranger = sign_up(workspace.url)
    for each in (workspace, stranger):
        events = [{"name": "x", "_timestamp": ago(days=days)} for days in (0, 3, 20)]
        assert each.send({"events": events}).status_code == 202
    assert workspace.send({"name": "x"}, key=workspace.make_key("development")[0]).status_code == 202
    counts = {
        (environment, time_range): sum(
            map(sum, ask(workspace, HEATMAP | {"environment": environment, "timeRange": time_range})["cells"])
        )
        for environment in ("production", "development")
        for time_range in ("1h", "7d", "30d")
    }
    assert list(counts.values()) == [1, 2, 3, 1, 1, 1]


def test_a_segment_adds_its_filters(workspace: Workspace) -> None:
    events = [{"name": "x", "properties": {"plan": plan}} for plan in ("pro", "pro", "free")]
    assert workspace.send({"events": events}).status_code == 202
    config = {"event": "x", "segmentId": make_segment(workspace)["id"]}
    assert sum(map(sum, ask(workspace, HEATMAP | {"config": config})["cells"])) == 2


def test_money_adds_up_to_the_cent_in_any_order(workspace: Workspace) -> None:
    prices = [place * 9973 % 94_812 / 100 for place in range(1000)]
    assert (sum(prices), sum(sorted(prices))) == (477_814.55999999994, 477_814.56)
    for environment, ordered in (("production", prices), ("development", sorted(prices))):
        key = workspace.make_key(environment)[0]
        for first in range(0, len(prices), 250):
            events = [{"name": "paid", "properties": {"price": price}} for price in ordered[first : first + 250]]
            assert workspace.send({"events": events}, key=key).status_code == 202
    for measure, value in (("sum", 477_814.56), ("avg", 477.81456)):
        config = {"event": "paid", "measure": measure, "property": "price"}
        asked = {"timeRange": "1h", "type": "metric", "config": config}
        for environment in ("production", "development"):
            assert ask(workspace, asked | {"environment": environment})["value"] == value


def metric(**config: Any) -> dict[str, Any]:
    return METRIC | {"config": {"event": "x", "measure": "count"} | config}


@pytest.mark.long
def test_a_breakdown_by_number_with_its_rest(workspace: Workspace) -> None:
    events = [{"name": "x", "properties": {"seats": seats}} for seats in (3, 3, "3", 0.5, None)]
    assert workspace.send({"events": events}).status_code == 202
    assert ask(workspace, metric(breakdown="seats", rest="both", limit=1))["rows"] == [
        {"label": "3", "value": 3},
        {"label": None, "value": 1, "kind": "none"},
        {"label": None, "value": 1, "kind": "other"},
    ]
    over_time = metric(breakdown="seats", rest="none", limit=1, overTime=True)
    series = ask(workspace, over_time | {"compare": {"shift": "1d"}})["series"]
    assert [(each["label"], each.get("kind"), sum(point["value"] for point in each["points"])) for each in series] == [
        ("3", None, 3),
        (None, "none", 1),
    ]
    assert [len(each["compared"]) for each in series] == [len(each["points"]) for each in series]


@pytest.mark.long
def test_a_breakdown_by_group(server: Server, workspace: Workspace) -> None:
    send_groups(workspace, "acme", "acme", "zenith", "", 3)
    question = metric(breakdown="_group", rest="none")
    check_without_groups(workspace, question)
    register(workspace)
    assert [(row["label"], row["value"]) for row in ask(workspace, question)["rows"]] == [
        ("acme", 2),
        ("zenith", 1),
        (None, 2),
    ]
    done = tallyroom("workspace", "set-plan", workspace.workspace_id, "free", "--data", str(server.data))
    assert done.returncode == 0, done.stderr
    check_without_groups(workspace, question)


def check_without_groups(workspace: Workspace, question: dict[str, Any]) -> None:
    with workspace.client() as client:
        refusal = check_refusal(client.post("/v1/query", json=question), 400)
    [detail] = refusal["details"]
    assert detail["path"] == ["config", "breakdown"]
    assert "no default group key" in detail["message"]


WRONG: list[tuple[Any, list[Any]]] = [
    *[({name: value for name, value in NOTE.items() if name != lost}, [lost]) for lost in NOTE],
    *[(NOTE | {"environment": value}, ["environment"]) for value in (None, "", "staging", "Production", 1, "a\0")],
    *[(NOTE | {"timeRange": value}, ["timeRange"]) for value in (None, "", "2h", 7, [])],
    *[(NOTE | {"type": value}, ["type"]) for value in (None, "", "External", "NOTE", 1)],
    *[(NOTE | {"config": value}, ["config"]) for value in (None, "", 1, [])],
    (NOTE | {"config": {}}, ["config", "text"]),
    (metric(rest="both"), ["config", "rest"]),
    (metric(rest="other", overTime=True), ["config", "rest"]),
    (metric(rest="all", breakdown="plan"), ["config", "rest"]),
    (metric(compare=True, breakdown="plan"), ["config", "compare"]),
    (metric(breakdown="_group"), ["config", "breakdown"]),
    (NOTE | {"config": {"text": "x" * 2001}}, ["config", "text"]),
    *[(NOTE | {field: "x"}, [field]) for field in ("title", "layout", "workspaceId", "filters", "segmentId", "limit")],
    ([], []),
]


@few(8, ("body", "path"), WRONG)
def test_a_wrong_question_is_refused(shared: Workspace, body: Any, path: list[Any]) -> None:
    with shared.client() as client:
        refusal = check_refusal(client.post("/v1/query", json=body), 400)
    assert [detail["path"] for detail in refusal["details"]] == [path]
