"""Metric: a measure of one event, as one number, over time, by a property, or both (rules/questions#metric).

| shape | config | answer |
| --- | --- | --- |
| counter | neither `breakdown` nor `overTime` | a number, the window before, the change |
| timeseries | `overTime` | a point for each bucket |
| categorical | `breakdown` | a row for each label |
| multiseries | both | a series for each label |
"""

from collections.abc import Collection
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.core.errors import ValidationFailed
from tallyroom.engine.bound import Bound
from tallyroom.engine.breakdown import Row, ranked, tracked
from tallyroom.engine.buckets import Buckets, Interval, Point, interval_of
from tallyroom.engine.config import Display, EventName, Good, Result, SegmentedConfig
from tallyroom.engine.counted import CountedMeasure, check_counted, compare, of_events
from tallyroom.engine.filters import Filters
from tallyroom.engine.keys import Key
from tallyroom.engine.kind import Kind, Path
from tallyroom.engine.masking import is_masked, masked_label
from tallyroom.engine.measures import Measure, StoredMeasure, empty_value, measured
from tallyroom.engine.query_plan import QueryPlan, rows, scoped_where
from tallyroom.engine.question import Question
from tallyroom.engine.values import Value
from tallyroom.engine.window import Window, between

MAX_LABELS = 50

Chart = Literal["line", "bar", "area", "pie", "number", "list"]
"""The way to draw a metric. A chart that does not fit the shape is ignored."""


class MetricConfig(SegmentedConfig, frozen=True, kw_only=True, rename="camel"):
    """What to measure, and how to show it.

    `compare` is on for a counter and off for a timeseries unless it is given; a breakdown has nothing to compare with.
    """

    event: EventName
    measure: Measure
    property: Key | None = None
    breakdown: Key | None = None
    over_time: bool = False
    filters: Filters = ()
    limit: Annotated[int, Meta(ge=1, le=MAX_LABELS)] = 10
    compare: bool | None = None
    chart: Chart | None = None
    goal: float | None = None
    good: Good | None = None


class Counter(Result, tag="counter", kw_only=True):
    """A number; `previous` is that of the window before, `delta` the change as a fraction."""

    value: Value
    previous: Value
    delta: float | None


class Timeseries(Result, tag="timeseries", kw_only=True):
    """Every bucket of the window; `previous` has those of the window before, if they were asked for."""

    interval: Interval
    points: list[Point]
    previous: list[Point] | UnsetType = UNSET


class Categorical(Result, tag="categorical", kw_only=True):
    """The labels of highest value, from the highest on."""

    rows: list[Row]


class Series(msgspec.Struct):
    """Every bucket of the window, for one label."""

    label: str
    points: list[Point]


class Multiseries(Result, tag="multiseries", kw_only=True):
    """The labels of highest value in the whole window, from the highest on."""

    interval: Interval
    series: list[Series]


class _Bucket(msgspec.Struct):
    bucket: int
    value: StoredMeasure


def check(config: MetricConfig, path: Path) -> None:
    """Refuse what `check_counted` refuses, and the comparison of a breakdown."""
    check_counted(_counted(config), path)
    if config.breakdown is not None and config.compare:
        raise ValidationFailed.at([*path, "compare"], "is not valid with a breakdown")


def query_plan(config: MetricConfig, question: Question) -> QueryPlan[Result]:
    """Choose the query plan for the shape that the config describes."""
    if config.breakdown is None:
        return _timeseries(config, question) if config.over_time else _counter(config, question)
    if config.over_time:
        return _multiseries(config, config.breakdown, question)
    return _categorical(config, config.breakdown, question)


def display(config: MetricConfig) -> Display:
    """Show how it is drawn, but not what it measures."""
    return Display(chart=config.chart, goal=config.goal, good=config.good)


def published(config: MetricConfig, result: Result, group_keys: Collection[str]) -> Result:
    """Replace labels that are actors, groups or sources by ``••• 1``, ``••• 2``… in their order."""
    if not is_masked(config.breakdown, group_keys):
        return result
    if isinstance(result, Categorical):
        masked = [Row(masked_label(number), row.value) for number, row in enumerate(result.rows, 1)]
        return Categorical(computed_at=result.computed_at, rows=masked)
    if isinstance(result, Multiseries):
        series = [Series(masked_label(number), each.points) for number, each in enumerate(result.series, 1)]
        return Multiseries(computed_at=result.computed_at, interval=result.interval, series=series)
    return result


def since(config: MetricConfig, window: Window) -> int:
    """Include the window before if the answer is compared with it."""
    compared = config.breakdown is None and (config.compare or (config.compare is None and not config.over_time))
    return window.before_ms if compared else window.from_ms


def _counted(config: MetricConfig) -> CountedMeasure:
    return CountedMeasure(event=config.event, measure=config.measure, property=config.property, filters=config.filters)


def _counter(config: MetricConfig, question: Question) -> QueryPlan[Counter]:
    [number] = yield from compare([_counted(config)], question, before=config.compare is not False)
    return Counter(value=number.value, previous=number.previous, delta=number.delta)


def _timeseries(config: MetricConfig, question: Question) -> QueryPlan[Timeseries]:
    window = question.window
    buckets = _buckets(question, several=False)
    points = yield from _points(config, buckets, question)
    if not config.compare:
        return Timeseries(interval=buckets.interval, points=points)
    before = msgspec.structs.replace(buckets, from_ms=window.before_ms, until_ms=window.from_ms - 1)
    previous = yield from _points(config, before, question)
    return Timeseries(interval=buckets.interval, points=points, previous=previous)


def _buckets(question: Question, *, several: bool) -> Buckets:
    """Return the buckets of the window; `several` means a chart with more than one series."""
    window = question.window
    interval = interval_of(window.time_range, several=several)
    return Buckets(from_ms=window.from_ms, until_ms=window.until_ms, interval=interval, timezone=question.timezone)


def _points(config: MetricConfig, buckets: Buckets, question: Question) -> QueryPlan[list[Point]]:
    bound = Bound()
    counted = _counted(config)
    where = scoped_where(*of_events(counted, question, bound), between(buckets.from_ms, buckets.until_ms, bound))
    measure = measured(config.measure, config.property, bound)
    sql = f"""
SELECT {buckets.number(bound)} AS bucket, {measure.over_events()} AS value
FROM events
{where}
GROUP BY bucket"""
    found = yield from rows(sql, bound, _Bucket)
    return buckets.points(((row.bucket, measure.value(row.value)) for row in found), empty_value(config.measure))


def _categorical(config: MetricConfig, breakdown: str, question: Question) -> QueryPlan[Categorical]:
    found = yield from ranked(_counted(config), breakdown, config.limit, question)
    return Categorical(rows=found)


def _multiseries(config: MetricConfig, breakdown: str, question: Question) -> QueryPlan[Multiseries]:
    buckets = _buckets(question, several=True)
    tracks = yield from tracked(_counted(config), breakdown, config.limit, buckets, question)
    empty = empty_value(config.measure)
    series = [Series(track.label, buckets.points(track.values, empty)) for track in tracks]
    return Multiseries(interval=buckets.interval, series=series)


METRIC = Kind(
    name="metric",
    config=MetricConfig,
    results=(Counter, Timeseries, Categorical, Multiseries),
    check=check,
    query_plan=query_plan,
    display=display,
    published=published,
    since=since,
)
