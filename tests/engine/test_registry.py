"""engine.registry: what all kinds have alike: limits, refusals of filters, and the time that an answer covers."""

from typing import Any

import msgspec
import pytest

from harness.asking import checked, question
from harness.store import NOW_MS
from tallyroom.core.errors import ValidationFailed
from tallyroom.engine.registry import KINDS
from tallyroom.engine.window import Window

WRONG = {"filters": [{"key": "k", "op": "gt", "value": "x"}]}
COUNT = {"event": "e", "measure": "count"}
STEPS = [{"event": "a"}, {"event": "b"}]
WEEK_MS = 7 * 86_400_000


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


@pytest.mark.parametrize(
    ("kind", "least", "most", "beyond"),
    [
        ("kpi", {"items": [COUNT]}, {"items": [COUNT] * 6}, {"items": [COUNT] * 7}),
        (
            "kpi",
            {"items": [COUNT]},
            {"items": [COUNT | {"label": "l" * 120}]},
            {"items": [COUNT | {"label": "l" * 121}]},
        ),
        ("funnel", {"steps": STEPS}, {"steps": STEPS * 4}, {"steps": [*STEPS * 4, *STEPS]}),
        ("funnel", {"steps": STEPS, "windowHours": 1}, {"steps": STEPS, "windowHours": 720}, {"steps": STEPS[:1]}),
        ("note", {"text": ""}, {"text": "t" * 2000}, {"text": "t" * 2001}),
    ],
)
def test_limits(kind: str, least: dict[str, Any], most: dict[str, Any], beyond: dict[str, Any]) -> None:
    checked(KINDS[kind], least)
    checked(KINDS[kind], most)
    with pytest.raises(msgspec.ValidationError):
        checked(KINDS[kind], beyond)


@pytest.mark.parametrize(
    ("kind", "config", "since_ms"),
    [
        ("metric", COUNT, NOW_MS - 2 * WEEK_MS),
        ("metric", COUNT | {"compare": False}, NOW_MS - WEEK_MS),
        ("metric", COUNT | {"overTime": True}, NOW_MS - WEEK_MS),
        ("kpi", {"items": [COUNT]}, NOW_MS - 2 * WEEK_MS),
        ("kpi", {"items": [COUNT], "compare": False}, NOW_MS - WEEK_MS),
        ("formula", {"a": COUNT, "expression": "a"}, NOW_MS - 2 * WEEK_MS),
        ("formula", {"a": COUNT, "expression": "a", "overTime": True}, NOW_MS - WEEK_MS),
        ("table", {"event": "e", "columns": ["time"]}, NOW_MS - WEEK_MS),
        ("heatmap", {"event": "e"}, NOW_MS - WEEK_MS),
        ("histogram", {"event": "e", "property": "p"}, NOW_MS - WEEK_MS),
        ("funnel", {"steps": STEPS}, NOW_MS - WEEK_MS),
        ("retention", {"cohortEvent": "e"}, 0),  # whoever came before is no newcomer
        ("note", {"text": "t"}, None),
        ("external", {"sourceId": "s", "url": "https://a.test/", "valuePath": "v", "valueType": "text"}, None),
    ],
)
def test_the_time_from_which_events_count(kind: str, config: dict[str, Any], since_ms: int | None) -> None:
    covered = KINDS[kind].covers(checked(KINDS[kind], config), question("7d"))
    assert covered == (None if since_ms is None else Window(since_ms, NOW_MS))
