"""engine.registry: each kind refuses a filter that no event can be compared with, wherever its config has filters."""

from typing import Any

import pytest

from harness.asking import checked
from tallyroom.core.errors import ValidationFailed
from tallyroom.engine.registry import KINDS

WRONG = {"filters": [{"key": "k", "op": "gt", "value": "x"}]}
COUNT = {"event": "e", "measure": "count"}
STEPS = [{"event": "a"}, {"event": "b"}]


@pytest.mark.parametrize(
    ("kind", "config", "path"),
    [
        ("metric", COUNT | WRONG, ["filters"]),
        ("kpi", {"items": [COUNT, COUNT | WRONG]}, ["items", 1, "filters"]),
        ("formula", {"a": COUNT, "b": COUNT | WRONG, "expression": "a / b"}, ["b", "filters"]),
        ("table", {"event": "e", "columns": ["time"]} | WRONG, ["filters"]),
        ("histogram", {"event": "e", "property": "p"} | WRONG, ["filters"]),
        ("heatmap", {"event": "e"} | WRONG, ["filters"]),
        ("funnel", {"steps": [STEPS[0], STEPS[1] | WRONG]}, ["steps", 1, "filters"]),
        ("funnel", {"steps": STEPS, "exclude": [{"event": "c", "between": [1, 2]} | WRONG]}, ["exclude", 0, "filters"]),
        ("retention", {"cohortEvent": "e", "cohortFilters": WRONG["filters"]}, ["cohortFilters"]),
        ("retention", {"cohortEvent": "e", "returnFilters": WRONG["filters"]}, ["returnFilters"]),
    ],
)
def test_wrong_filters_are_refused(kind: str, config: dict[str, Any], path: list[Any]) -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(KINDS[kind], config)
    assert [each.path for each in refused.value.details] == [["config", *path, 0, "value"]]
