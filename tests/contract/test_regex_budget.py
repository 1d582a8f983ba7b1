"""What regular expressions may cost, wherever a request may have some (rules/questions#regular-expressions)."""

import json
from typing import Any

import pytest

from harness.clients.dashboards import make_dashboard, make_segment, make_widget
from harness.clients.workspace import Workspace
from harness.oracles.refusal import check_refusal

COSTLY = r"(?:[\pL\pN]?){150}"
TOO_MANY = [{"key": "p", "op": "regex", "value": f"a{{900}}{at}"} for at in range(9)]


def filters(pattern: str) -> list[dict[str, str]]:
    return [{"key": "p", "op": "exists"}, {"key": "p", "op": "regex", "value": pattern}]


def config(found: Any) -> dict[str, Any]:
    return {"event": "x", "measure": "count", "filters": found}


@pytest.mark.parametrize(("found", "at"), [(filters(COSTLY), 1), (filters("("), 1), (TOO_MANY, 8)])
def test_more_than_that_is_refused_with_its_place(shared: Workspace, found: Any, at: int) -> None:
    dashboard_id, question = make_dashboard(shared)["id"], {"environment": "production", "timeRange": "7d"}
    widget_id, segment_id = make_widget(shared, dashboard_id)["id"], make_segment(shared)["id"]
    with shared.client() as client:
        answers = {
            ("config", "filters", at, "value"): [
                client.post("/v1/query", json=question | {"type": "metric", "config": config(found)}),
                client.post(f"/v1/dashboards/{dashboard_id}/widgets", json={"type": "metric", "config": config(found)}),
                client.patch(f"/v1/widgets/{widget_id}", json={"type": "metric", "config": config(found)}),
            ],
            ("filters", at, "value"): [
                client.post("/v1/segments", json={"name": "s", "environment": "production", "filters": found}),
                client.patch(f"/v1/segments/{segment_id}", json={"filters": found}),
                client.get("/v1/events", params={"filters": json.dumps(found)}),
                client.get("/v1/events/stream", params={"filters": json.dumps(found)}),
            ],
        }
    for path, refused in answers.items():
        for answer in refused:
            [detail] = check_refusal(answer, 400)["details"]
            assert detail["path"] == list(path)
            assert "regular expression" in detail["message"]
