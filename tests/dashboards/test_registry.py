"""What kinds have alike: limits, refusals, the time that an answer covers, and the buckets behind it."""

from typing import Any

import msgspec
import pytest

from harness.stores.event_store import NOW_MS
from harness.stores.questions import checked, question
from tallyroom.core.errors import ValidationFailed
from tallyroom.dashboards.registry import KINDS
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.window import Window

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
    ("kind", "config", "path"),
    [
        ("metric", COUNT, ["events"]),
        ("kpi", {"items": [COUNT | {"events": ["f"]}]}, ["items", 0, "events"]),
        ("formula", {"a": COUNT | {"events": ["f"]}, "expression": "a"}, ["a", "events"]),
        ("table", {"event": "e", "columns": ["time"]}, ["events"]),
        ("histogram", {"event": "e", "property": "p"}, ["events"]),
        ("heatmap", {"event": "e"}, ["events"]),
        ("funnel", {"steps": [STEPS[0], STEPS[1] | {"events": ["f"]}]}, ["steps", 1, "events"]),
    ],
)
def test_one_name_beside_several_is_refused(kind: str, config: dict[str, Any], path: list[Any]) -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(KINDS[kind], config | {"events": ["f"]} if path == ["events"] else config)
    assert [each.path for each in refused.value.details] == [["config", *path]]


@pytest.mark.parametrize(("kind", "config"), [("metric", COUNT), ("formula", {"a": COUNT, "expression": "a"})])
def test_without_a_default_group_key_there_is_no_breakdown_by_group(kind: str, config: dict[str, Any]) -> None:
    by_group = checked(KINDS[kind], config | {"breakdown": "_group"})
    with pytest.raises(ValidationFailed) as refused:
        next(KINDS[kind].build_query_plan(by_group, question("7d")))
    assert [each.path for each in refused.value.details] == [["config", "breakdown"]]
    next(KINDS[kind].build_query_plan(by_group, question("7d", group_key="team")))


@pytest.mark.parametrize(("kind", "config"), [("metric", COUNT), ("formula", {"a": COUNT, "expression": "a"})])
@pytest.mark.parametrize(("breakdown", "first_hour"), [({}, 1), ({"breakdown": "team"}, 0)])
def test_behind_a_point_are_buckets_as_long_as_those_of_the_answer(
    kind: str, config: dict[str, Any], breakdown: dict[str, Any], first_hour: int
) -> None:
    """A week of one series is shown by the hour, and one of several by the day."""
    over_time = checked(KINDS[kind], config | breakdown | {"overTime": True})
    drill_down = KINDS[kind].find_evidence_query
    assert drill_down is not None
    for hour in range(2):
        label = {"label": "a"} if breakdown else {}
        data_point = msgspec.convert({"t": f"2026-11-19T0{hour}:00:00.000Z"} | label, DataPoint)
        with pytest.raises(StopIteration if hour <= first_hour else ValidationFailed):
            next(drill_down(over_time, question("7d"), data_point))


@pytest.mark.parametrize(
    ("kind", "config", "at", "path"),
    [
        ("kpi", {"items": [COUNT]}, {}, []),
        ("kpi", {"items": [COUNT]}, {"item": 1}, ["item"]),
        ("funnel", {"steps": STEPS}, {"step": 1}, []),
        ("funnel", {"steps": STEPS}, {"step": 3, "outcome": "reached"}, ["step"]),
        ("funnel", {"steps": STEPS}, {"step": 2, "outcome": "dropped"}, ["outcome"]),
        ("histogram", {"event": "e", "property": "p"}, {"item": 0}, []),
        ("heatmap", {"event": "e"}, {"bucket": 0}, []),
        ("retention", {"cohortEvent": "e"}, {"cohort": "2026-11-19T00:00:00.000Z"}, []),
        ("retention", {"cohortEvent": "e"}, {"cohort": "2026-11-19T01:00:00.000Z", "period": 0}, ["cohort"]),
        ("retention", {"cohortEvent": "e"}, {"cohort": "2026-11-19T00:00:00.000Z", "period": 2}, ["period"]),
    ],
)
def test_behind_what_the_answer_does_not_have_is_nobody(
    kind: str, config: dict[str, Any], at: dict[str, Any], path: list[Any]
) -> None:
    drill_down = KINDS[kind].find_evidence_query
    assert drill_down is not None
    with pytest.raises(ValidationFailed) as refused:
        next(drill_down(checked(KINDS[kind], config), question("7d"), msgspec.convert(at, DataPoint)))
    assert [each.path for each in refused.value.details] == [["at", *path]]


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
        (
            "table",
            {"columns": ["time"], "rows": 1},
            {"columns": ["time"], "rows": 100},
            {"columns": ["time"], "rows": 101},
        ),
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
    covered = KINDS[kind].find_covered_window(checked(KINDS[kind], config), question("7d"))
    assert covered == (None if since_ms is None else Window(since_ms, NOW_MS))
