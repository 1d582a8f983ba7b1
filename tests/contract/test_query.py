"""POST /v1/query: a widget's config, run without being saved (rules/boards#widget-data).

The filters of a segment: rules/questions#segments-in-questions.
"""

from typing import Any

import pytest

from harness.dashboards import make_segment
from harness.moments import ago
from harness.refusal import check_refusal
from harness.workspace import Workspace, sign_up

HEATMAP = {"environment": "production", "timeRange": "7d", "type": "heatmap", "config": {"event": "x"}}
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


WRONG: list[tuple[Any, list[Any]]] = [
    *[({name: value for name, value in NOTE.items() if name != lost}, [lost]) for lost in NOTE],
    *[(NOTE | {"environment": value}, ["environment"]) for value in (None, "", "staging", "Production", 1, "a\0")],
    *[(NOTE | {"timeRange": value}, ["timeRange"]) for value in (None, "", "2h", 7, [])],
    *[(NOTE | {"type": value}, ["type"]) for value in (None, "", "External", "NOTE", 1)],
    *[(NOTE | {"config": value}, ["config"]) for value in (None, "", 1, [])],
    (NOTE | {"config": {}}, ["config", "text"]),
    (NOTE | {"config": {"text": "x" * 2001}}, ["config", "text"]),
    *[(NOTE | {field: "x"}, [field]) for field in ("title", "layout", "workspaceId", "filters", "segmentId", "limit")],
    ([], []),
]


@pytest.mark.parametrize(("body", "path"), WRONG)
def test_a_wrong_question_is_refused(shared: Workspace, body: Any, path: list[Any]) -> None:
    with shared.client() as client:
        refusal = check_refusal(client.post("/v1/query", json=body), 400)
    assert [detail["path"] for detail in refusal["details"]] == [path]
