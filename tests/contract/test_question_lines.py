"""The configs that the lines of the web app stand for: each is a question and a widget (docs/howto/ask-a-question.md).

The web app's tests read the lines of the same fixture.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.clients.dashboards import make_dashboard, make_segment, make_widget
from harness.clients.groups import register, send_groups
from harness.clients.workspace import Workspace

FIXTURE = json.loads((Path(__file__).parents[2] / "fixtures" / "questions" / "lines.json").read_text(encoding="utf-8"))
RANGE_FIELDS = ("timeRange", "from", "to")
OF_THE_PAGE = {"timeRange": "7d"}
"""The time range of a line that has none."""


@pytest.fixture(scope="module")
def asking(shared: Workspace) -> dict[str, str]:
    """The ids of the dashboard and the segment of a workspace with a group key."""
    send_groups(shared, "acme", prop_key=FIXTURE["names"]["groupKey"])
    register(shared, FIXTURE["names"]["groupKey"])
    return {"dashboard": make_dashboard(shared)["id"], "segment": make_segment(shared)["id"]}


@pytest.mark.parametrize("question", FIXTURE["questions"], ids=lambda question: question["line"])
def test_the_config_of_a_line_is_answered_and_saved(
    shared: Workspace, asking: dict[str, str], question: dict[str, Any]
) -> None:
    config = question["config"] | ({"segmentId": asking["segment"]} if "segmentId" in question["config"] else {})
    time_range = {field: question[field] for field in RANGE_FIELDS if field in question} or OF_THE_PAGE
    body = {"environment": "production", "type": question["kind"], "config": config} | time_range
    with shared.client() as client:
        answer = client.post("/v1/query", json=body)
    assert answer.status_code == 200, answer.text
    widget = make_widget(shared, asking["dashboard"], type=question["kind"], config=config)
    assert {field: widget["config"][field] for field in config} == config
