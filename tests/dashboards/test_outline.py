"""What a public page knows of an answer before it is there (rules/boards#public-dashboard)."""

from typing import Any

import msgspec
import pytest

from tallyroom.dashboards.outline import Outline
from tallyroom.dashboards.widgets.configs import find_kind, read_stored_config

COUNT = {"event": "sale", "measure": "count"}


@pytest.mark.parametrize(
    ("name", "config", "outline"),
    [
        ("metric", COUNT, Outline("counter")),
        ("metric", COUNT | {"overTime": True}, Outline("timeseries")),
        ("metric", COUNT | {"overTime": True, "breakdown": "plan", "limit": 8}, Outline("multiseries")),
        ("metric", COUNT | {"breakdown": "plan"}, Outline("categorical", 10)),
        ("metric", COUNT | {"breakdown": "plan", "limit": 5, "rest": "other"}, Outline("categorical", 6)),
        ("metric", COUNT | {"breakdown": "plan", "limit": 5, "rest": "both"}, Outline("categorical", 7)),
        ("formula", {"a": COUNT, "expression": "a", "breakdown": "plan", "limit": 3}, Outline("categorical", 3)),
        ("kpi", {"items": [COUNT, COUNT]}, Outline("kpi", 2)),
        ("funnel", {"steps": [{"event": "a"}, {"event": "b"}, {"event": "c"}]}, Outline("funnel", 3)),
        ("retention", {"cohortEvent": "a", "periods": 6}, Outline("retention", 6)),
        ("histogram", {"event": "sale", "property": "total"}, Outline("histogram")),
        ("heatmap", {"event": "sale"}, Outline("heatmap")),
        ("table", {"columns": ["time"], "rows": 20}, Outline("table", 20)),
        ("note", {"text": "Welcome"}, Outline("note")),
    ],
)
def test_the_outline_of_each_shape(name: str, config: dict[str, Any], outline: Outline) -> None:
    kind = find_kind(name)
    assert kind.build_outline(read_stored_config(kind, msgspec.json.encode(config).decode())) == outline
