"""Metric: a measure of one event, as one number, over time, by a property, or both (rules/questions#metric).

| shape | config | answer |
| --- | --- | --- |
| counter | neither `breakdown` nor `overTime` | a number, the window before, the change |
| timeseries | `overTime` | a point for each bucket |
| categorical | `breakdown` | a row for each label |
| multiseries | both | a series for each label |
"""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.breakdown import LabelRow, build_points, check_breakdown, query_label_series, query_top_labels
from tallyroom.queries.buckets import Buckets, choose_buckets
from tallyroom.queries.compared_numbers import query_compared_numbers, query_series
from tallyroom.queries.comparison import check_comparison, find_earlier_window
from tallyroom.queries.config import Chart, Display, GoodDirection, Result, display_of
from tallyroom.queries.counted_measure import CountedMeasure, check_counted_measure
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.differences.measured_point import build_measured_point
from tallyroom.queries.differences.metric_contrast import build_metric_contrast
from tallyroom.queries.event_choice import EventsConfig
from tallyroom.queries.evidence import EvidenceQuery
from tallyroom.queries.filters import Filters
from tallyroom.queries.folded_labels import LabelLimit, drop_empty_rest, fold_labels, rest_beside
from tallyroom.queries.formula import NamedPart
from tallyroom.queries.keys import Key
from tallyroom.queries.kind import Path
from tallyroom.queries.label_choice import Rest, choose_rest, query_chosen_series
from tallyroom.queries.measure_evidence import Breakdown, find_evidence_query
from tallyroom.queries.measures import ADDITIVE_MEASURES, Measure, empty_value
from tallyroom.queries.metric_answers import MAX_LABELS, Categorical, Counter, Multiseries, Series, Timeseries
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.question import ChosenInterval, Comparison, Question


class MetricConfig(EventsConfig, frozen=True, kw_only=True, rename="camel"):
    """What to measure, and how to show it.

    `breakdown` and `overTime` split the measure by a key and into buckets; `limit` is the maximum number of labels.
    `rest` adds the events without a label, those with other labels, or both. By default, `compare` is the previous
    window for one number, and nothing over time. `chart`, `goal` and `good` are as in `display`, which overrides them.
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
    good: GoodDirection | None = None


def check_config(config: MetricConfig, path: Path) -> None:
    """Refuse an invalid measure, a comparison of labels alone, and a rest without labels."""
    check_counted_measure(_to_counted_measure(config), path)
    check_comparison(config, path)
    if config.breakdown is None and config.rest is not None:
        raise ValidationFailed.at([*path, "rest"], "is only valid with a breakdown")


def build_query_plan(config: MetricConfig, question: Question) -> QueryPlan[Result]:
    """Choose the query plan for the shape that the config describes."""
    if config.breakdown is None:
        return _answer_timeseries(config, question) if config.over_time else _answer_counter(config, question)
    check_breakdown(config.breakdown, question)
    if config.over_time:
        return _answer_multiseries(config, config.breakdown, question)
    return _answer_categorical(config, config.breakdown, question)


def build_display(config: MetricConfig) -> Display:
    """Return how the metric is drawn, but not what it measures."""
    adds_up = config.measure in ADDITIVE_MEASURES or None
    return display_of(config, chart=config.chart, goal=config.goal, good=config.good, adds_up=adds_up)


def find_metric_evidence_query(
    config: MetricConfig, question: Question, data_point: DataPoint
) -> QueryPlan[EvidenceQuery]:
    """Find the events behind the total, a point, a label, or a point of a label."""
    breakdown = None if config.breakdown is None else Breakdown(config.breakdown, _limit_labels(config, question).limit)
    return find_evidence_query(
        _to_counted_measure(config), breakdown, _choose_buckets(config, question), question, data_point
    )


def find_contrast(config: MetricConfig, question: Question, data_point: DataPoint) -> QueryPlan[Contrast]:
    """Find the events at a point, of a label, or both, among all that the metric measures."""
    shown_labels: list[str] = []
    measure = _to_counted_measure(config)
    if config.breakdown is not None and data_point.kind == "other":
        check_breakdown(config.breakdown, question)
        label_limit = _limit_labels(config, question).limit
        label_rows = yield from query_top_labels(measure, config.breakdown, label_limit, question)
        shown_labels = [row.label or "" for row in label_rows]
    measured_point = build_measured_point(
        {"a": measure},
        NamedPart("a"),
        config.breakdown,
        _choose_buckets(config, question),
        question,
        data_point,
        shown_labels,
    )
    return build_metric_contrast(measured_point, question)


def _choose_buckets(config: MetricConfig, question: Question) -> Buckets | None:
    if not config.over_time:
        return None
    return choose_buckets(config.interval, question, has_several_series=config.breakdown is not None)


def _limit_labels(config: MetricConfig, question: Question) -> LabelLimit:
    if config.over_time and question.folds_series:
        return fold_labels(config.limit, config.rest)
    return LabelLimit(config.limit, config.rest)


def _to_counted_measure(config: MetricConfig) -> CountedMeasure:
    return CountedMeasure(
        event=config.event,
        events=config.events,
        measure=config.measure,
        property=config.property,
        filters=config.filters,
    )


def _answer_counter(config: MetricConfig, question: Question) -> QueryPlan[Counter]:
    earlier_window = find_earlier_window(config, question)
    [compared_number] = yield from query_compared_numbers([_to_counted_measure(config)], question, earlier_window)
    return Counter(value=compared_number.value, previous=compared_number.previous, delta=compared_number.delta)


def _answer_timeseries(config: MetricConfig, question: Question) -> QueryPlan[Timeseries]:
    buckets = choose_buckets(config.interval, question, has_several_series=False)
    [series] = yield from query_series([_to_counted_measure(config)], question, buckets)
    answer = Timeseries(interval=buckets.interval, points=series.points, total=series.total)
    if (earlier_window := find_earlier_window(config, question)) is not None:
        earlier_buckets = buckets.for_window(earlier_window)
        [earlier_series] = yield from query_series([_to_counted_measure(config)], question, earlier_buckets)
        answer.compared, answer.compared_total = earlier_series
    return answer


def _answer_categorical(config: MetricConfig, breakdown: str, question: Question) -> QueryPlan[Categorical]:
    label_rows = yield from query_top_labels(_to_counted_measure(config), breakdown, config.limit, question)
    label_choice = choose_rest(label_rows, config.rest)
    rest_series = yield from query_chosen_series(_to_counted_measure(config), breakdown, label_choice, None, question)
    empty_bucket_value = empty_value(config.measure)
    rest_rows = [
        LabelRow(None, dict(series.bucket_values).get(0, empty_bucket_value), series.kind) for series in rest_series
    ]
    return Categorical(rows=[*label_rows, *rest_rows])


def _answer_multiseries(config: MetricConfig, breakdown: str, question: Question) -> QueryPlan[Multiseries]:
    buckets = choose_buckets(config.interval, question, has_several_series=True)
    counted_measure, empty_bucket_value = _to_counted_measure(config), empty_value(config.measure)
    label_limit = _limit_labels(config, question)
    measured_series = yield from query_label_series(counted_measure, breakdown, label_limit.limit, buckets, question)
    rest = rest_beside(len(measured_series), label_limit) if question.folds_series else label_limit.rest
    label_choice = choose_rest(measured_series, rest)
    rest_series = yield from query_chosen_series(counted_measure, breakdown, label_choice, buckets, question)
    measured_series += drop_empty_rest(rest_series) if question.folds_series else rest_series
    point_lists = yield from build_points(measured_series, buckets, empty_bucket_value)
    series = [
        Series(measured.label, points, kind=measured.kind, total=measured.total)
        for measured, points in zip(measured_series, point_lists, strict=True)
    ]
    if (earlier_window := find_earlier_window(config, question)) is not None:
        earlier_buckets = buckets.for_window(earlier_window)
        rest_kinds = tuple(measured.kind for measured in measured_series if measured.kind is not UNSET)
        label_choice = msgspec.structs.replace(label_choice, includes_labels=True, rest_kinds=rest_kinds)
        earlier_series = yield from query_chosen_series(
            counted_measure, breakdown, label_choice, earlier_buckets, question
        )
        point_lists = yield from build_points(earlier_series, earlier_buckets, empty_bucket_value)
        for label_series, measured, points in zip(series, earlier_series, point_lists, strict=True):
            label_series.compared, label_series.compared_total = points, measured.total
    return Multiseries(interval=buckets.interval, series=series)
