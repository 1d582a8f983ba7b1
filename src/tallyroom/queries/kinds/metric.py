"""Metric: a measure of one event, as one number, over time, by a property, or both (rules/questions#metric).

| shape | config | answer |
| --- | --- | --- |
| counter | neither `breakdown` nor `overTime` | a number, the window before, the change |
| timeseries | `overTime` | a point for each bucket |
| categorical | `breakdown` | a row for each label |
| multiseries | both | a series for each label |
"""

from collections.abc import Collection
from typing import Annotated

import msgspec
from msgspec import Meta

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.breakdown import LabelRow, check_breakdown, points_of, ranked, tracked
from tallyroom.queries.buckets import buckets_of
from tallyroom.queries.compared_numbers import CountedMeasure, check_counted, compare, follow
from tallyroom.queries.comparison import both, check_comparison, compared_with
from tallyroom.queries.config import Chart, Display, Good, Result, display_of
from tallyroom.queries.data_point import Spot
from tallyroom.queries.event_choice import EventsConfig
from tallyroom.queries.evidence import Evidence
from tallyroom.queries.filters import Filters
from tallyroom.queries.keys import Key
from tallyroom.queries.kind import Kind, Path
from tallyroom.queries.label_choice import Rest, choice_of, followed
from tallyroom.queries.measure_evidence import Breakdown, evidence_at
from tallyroom.queries.measures import ADDITIVE, Measure, empty_value
from tallyroom.queries.metric_answers import (
    MAX_LABELS,
    Categorical,
    Counter,
    Multiseries,
    Series,
    Timeseries,
    published_answer,
)
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.question import ChosenInterval, Comparison, Question
from tallyroom.queries.window import Window


class MetricConfig(EventsConfig, frozen=True, kw_only=True, rename="camel"):
    """What to measure, and how to show it.

    Attributes:
        measure: what is computed from the events.
        property: of which property.
        breakdown: by which key to split it.
        over_time: whether to split it into buckets.
        filters: what the events have to match.
        limit: the most labels of a breakdown.
        rest: what to add to them: the events without a label, those with other labels, or both; by default nothing.
        interval: of the buckets.
        compare: with what; by default a counter with the window before, and anything over time with nothing.
        chart, goal, good: as in `display`, which takes precedence.
    """

    measure: Measure
    property: Key | None = None
    breakdown: Key | None = None
    over_time: bool = False
    filters: Filters = ()
    limit: Annotated[int, Meta(ge=1, le=MAX_LABELS)] = 10
    rest: Rest | None = None
    interval: ChosenInterval | None = None
    compare: Comparison | None = None
    chart: Chart | None = None
    goal: float | None = None
    good: Good | None = None


def check(config: MetricConfig, path: Path) -> None:
    """Refuse what `check_counted` refuses, a comparison of labels that are not over time, and a rest without labels."""
    check_counted(_counted(config), path)
    check_comparison(config, path)
    if config.breakdown is None and config.rest is not None:
        raise ValidationFailed.at([*path, "rest"], "is only valid with a breakdown")


def query_plan(config: MetricConfig, question: Question) -> QueryPlan[Result]:
    """Choose the query plan for the shape that the config describes."""
    if config.breakdown is None:
        return _timeseries(config, question) if config.over_time else _counter(config, question)
    check_breakdown(config.breakdown, question)
    if config.over_time:
        return _multiseries(config, config.breakdown, question)
    return _categorical(config, config.breakdown, question)


def display(config: MetricConfig) -> Display:
    """Show how it is drawn, but not what it measures."""
    adds_up = config.measure in ADDITIVE or None
    return display_of(config, chart=config.chart, goal=config.goal, good=config.good, adds_up=adds_up)


def published(config: MetricConfig, result: Result, group_keys: Collection[str]) -> Result:
    """Hide the labels that are actors, groups or sources."""
    return published_answer(config.breakdown, result, group_keys)


def covers(config: MetricConfig, question: Question) -> Window:
    """Include the window that the answer is compared with."""
    return both(question.window, compared_with(config, question))


def behind(config: MetricConfig, question: Question, spot: Spot) -> QueryPlan[Evidence]:
    """Find the events behind the whole, a point, a label, or a point of a label."""
    breakdown = None if config.breakdown is None else Breakdown(config.breakdown, config.limit)
    buckets = buckets_of(config.interval, question, several=breakdown is not None) if config.over_time else None
    return evidence_at(_counted(config), breakdown, buckets, question, spot)


def _counted(config: MetricConfig) -> CountedMeasure:
    return CountedMeasure(
        event=config.event,
        events=config.events,
        measure=config.measure,
        property=config.property,
        filters=config.filters,
    )


def _counter(config: MetricConfig, question: Question) -> QueryPlan[Counter]:
    [number] = yield from compare([_counted(config)], question, compared_with(config, question))
    return Counter(value=number.value, previous=number.previous, delta=number.delta)


def _timeseries(config: MetricConfig, question: Question) -> QueryPlan[Timeseries]:
    buckets = buckets_of(config.interval, question, several=False)
    [series] = yield from follow([_counted(config)], question, buckets)
    answer = Timeseries(interval=buckets.interval, points=series.points, total=series.total)
    if (earlier_window := compared_with(config, question)) is not None:
        [before] = yield from follow([_counted(config)], question, buckets.of(earlier_window))
        answer.compared, answer.compared_total = before
    return answer


def _categorical(config: MetricConfig, breakdown: str, question: Question) -> QueryPlan[Categorical]:
    label_rows = yield from ranked(_counted(config), breakdown, config.limit, question)
    choice = choice_of(label_rows, config.rest)
    rest = yield from followed(_counted(config), breakdown, choice, None, question)
    empty = empty_value(config.measure)
    return Categorical(
        rows=[*label_rows, *(LabelRow(None, dict(track.values).get(0, empty), track.kind) for track in rest)]
    )


def _multiseries(config: MetricConfig, breakdown: str, question: Question) -> QueryPlan[Multiseries]:
    buckets = buckets_of(config.interval, question, several=True)
    metric, empty = _counted(config), empty_value(config.measure)
    tracks = yield from tracked(metric, breakdown, config.limit, buckets, question)
    choice = choice_of(tracks, config.rest)
    tracks += yield from followed(metric, breakdown, choice, buckets, question)
    points = yield from points_of(tracks, buckets, empty)
    series = [
        Series(track.label, track_points, kind=track.kind, total=track.total)
        for track, track_points in zip(tracks, points, strict=True)
    ]
    if (earlier_window := compared_with(config, question)) is not None:
        before = buckets.of(earlier_window)
        choice = msgspec.structs.replace(choice, again=True)
        earlier_tracks = yield from followed(metric, breakdown, choice, before, question)
        points = yield from points_of(earlier_tracks, before, empty)
        for label_series, track, track_points in zip(series, earlier_tracks, points, strict=True):
            label_series.compared, label_series.compared_total = track_points, track.total
    return Multiseries(interval=buckets.interval, series=series)


METRIC = Kind(
    name="metric",
    config=MetricConfig,
    results=(Counter, Timeseries, Categorical, Multiseries),
    check=check,
    query_plan=query_plan,
    display=display,
    published=published,
    behind=behind,
    covers=covers,
)
