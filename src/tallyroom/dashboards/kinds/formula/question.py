"""Formula: arithmetic with up to four measures, in the shapes of a metric (rules/questions#formula)."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from tallyroom.queries.breakdown import LabelRow, check_breakdown
from tallyroom.queries.buckets import Buckets, MeasuredSeries, choose_buckets
from tallyroom.queries.compared_numbers import query_compared_numbers, relative_change
from tallyroom.queries.comparison import check_comparison, find_earlier_window
from tallyroom.queries.config import Result, SegmentedConfig
from tallyroom.queries.counted_measure import CountedMeasure
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.differences.measured_point import build_measured_point
from tallyroom.queries.differences.metric_contrast import build_metric_contrast
from tallyroom.queries.evidence import EvidenceQuery
from tallyroom.queries.folded_labels import LabelLimit, fold_labels, rest_beside
from tallyroom.queries.formula import evaluate, parse_expression
from tallyroom.queries.formula_breakdown import query_label_parts, query_other_parts, query_top_labels
from tallyroom.queries.formula_parts import (
    Expression,
    MeasuredParts,
    check_formula,
    evaluate_buckets,
    evaluate_total,
    parts_by_name,
    query_parts,
)
from tallyroom.queries.keys import Key
from tallyroom.queries.kind import Path
from tallyroom.queries.measure_evidence import build_parts_evidence_query
from tallyroom.queries.metric_answers import MAX_LABELS, Categorical, Counter, Multiseries, Series, Timeseries
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.question import ChosenInterval, Comparison, Question


class FormulaConfig(SegmentedConfig, frozen=True, kw_only=True, rename="camel"):
    """Which measures to combine, and how to show the result.

    `expression` is arithmetic with the parts `a` to `d`, such as `a / b * 100`. `breakdown` and `overTime` split each
    part by a key and into buckets; `limit` is the maximum number of labels. By default, `compare` is the previous
    window for one number, and nothing over time.
    """

    a: CountedMeasure
    b: CountedMeasure | None = None
    c: CountedMeasure | None = None
    d: CountedMeasure | None = None
    expression: Expression
    breakdown: Key | None = None
    over_time: bool = False
    limit: Annotated[int, Meta(ge=1, le=MAX_LABELS)] = 10
    interval: ChosenInterval | None = None
    compare: Comparison | None = None


def check_config(config: FormulaConfig, path: Path) -> None:
    """Refuse what `check_formula` refuses, and the comparison of a breakdown that is not over time."""
    check_formula(config, path)
    check_comparison(config, path)


def build_query_plan(config: FormulaConfig, question: Question) -> QueryPlan[Result]:
    """Choose the query plan for the shape that the config describes."""
    if config.breakdown is None:
        return _answer_timeseries(config, question) if config.over_time else _answer_counter(config, question)
    check_breakdown(config.breakdown, question)
    if config.over_time:
        return _answer_multiseries(config, config.breakdown, question)
    return _answer_categorical(config, config.breakdown, question)


def find_evidence_query(config: FormulaConfig, question: Question, data_point: DataPoint) -> QueryPlan[EvidenceQuery]:
    """Return the events behind the total, a point, a label, or a point of a label, for all parts of the formula."""
    return build_parts_evidence_query(
        list(parts_by_name(config).values()),
        config.breakdown,
        _choose_buckets(config, question),
        question,
        data_point,
        (yield from _find_shown_labels(config, question, data_point)),
    )


def find_contrast(config: FormulaConfig, question: Question, data_point: DataPoint) -> QueryPlan[Contrast]:
    """Find the events at a point, of a label, or both, among all that the parts of the formula measure."""
    measured_point = build_measured_point(
        parts_by_name(config),
        parse_expression(config.expression),
        config.breakdown,
        _choose_buckets(config, question),
        question,
        data_point,
        (yield from _find_shown_labels(config, question, data_point)),
    )
    return build_metric_contrast(measured_point, question)


def _choose_buckets(config: FormulaConfig, question: Question) -> Buckets | None:
    if not config.over_time:
        return None
    return choose_buckets(config.interval, question, has_several_series=config.breakdown is not None)


def _find_shown_labels(config: FormulaConfig, question: Question, data_point: DataPoint) -> QueryPlan[list[str] | None]:
    """Find the labels of an answer with a rest, for a data point of the rest; None for any other."""
    if config.breakdown is None or data_point.kind != "other" or _limit_labels(config, question).rest != "other":
        return None
    check_breakdown(config.breakdown, question)
    label_rows = yield from _query_ranking(config, config.breakdown, question)
    return [row.label or "" for row in label_rows]


def _limit_labels(config: FormulaConfig, question: Question) -> LabelLimit:
    if config.over_time and question.folds_series:
        return fold_labels(config.limit, None)
    return LabelLimit(config.limit, None)


def _query_ranking(config: FormulaConfig, breakdown: str, question: Question) -> QueryPlan[list[LabelRow]]:
    limit = _limit_labels(config, question).limit
    return query_top_labels(parse_expression(config.expression), parts_by_name(config), breakdown, limit, question)


def _answer_counter(config: FormulaConfig, question: Question) -> QueryPlan[Counter]:
    part_by_name, expression_tree = parts_by_name(config), parse_expression(config.expression)
    earlier_window = find_earlier_window(config, question)
    numbers = yield from query_compared_numbers(list(part_by_name.values()), question, earlier_window)
    named_numbers = list(zip(part_by_name, numbers, strict=True))
    value = evaluate(expression_tree, {name: number.value for name, number in named_numbers})
    previous = None
    if earlier_window is not None:
        previous = evaluate(expression_tree, {name: number.previous for name, number in named_numbers})
    return Counter(value=value, previous=previous, delta=relative_change(value, previous))


def _answer_timeseries(config: FormulaConfig, question: Question) -> QueryPlan[Timeseries]:
    part_by_name, buckets = parts_by_name(config), choose_buckets(config.interval, question, has_several_series=False)
    measured_parts = yield from query_parts(part_by_name, buckets, question)
    points, total = yield from _build_series(config, buckets, measured_parts)
    answer = Timeseries(interval=buckets.interval, points=points, total=total)
    if (earlier_window := find_earlier_window(config, question)) is not None:
        earlier_buckets = buckets.for_window(earlier_window)
        earlier_measured_parts = yield from query_parts(part_by_name, earlier_buckets, question)
        answer.compared, answer.compared_total = yield from _build_series(
            config, earlier_buckets, earlier_measured_parts
        )
    return answer


def _answer_categorical(config: FormulaConfig, breakdown: str, question: Question) -> QueryPlan[Categorical]:
    return Categorical(rows=(yield from _query_ranking(config, breakdown, question)))


def _answer_multiseries(config: FormulaConfig, breakdown: str, question: Question) -> QueryPlan[Multiseries]:
    buckets = choose_buckets(config.interval, question, has_several_series=True)
    label_rows = yield from _query_ranking(config, breakdown, question)
    total_by_label = {row.label: row.value for row in label_rows if row.label is not None}
    labels = list(total_by_label)
    has_other = rest_beside(len(labels), _limit_labels(config, question)) == "other"
    measured_parts = yield from _query_series_parts(config, breakdown, labels, buckets, question, has_other=has_other)
    has_other = has_other and bool(measured_parts[-1].values_by_part)
    series = []
    for label, label_parts in zip(labels, measured_parts, strict=False):
        formula_series = yield from _build_series(config, buckets, label_parts)
        series.append(Series(label, formula_series.points, total=total_by_label[label]))
    if has_other:
        points, total = yield from _build_series(config, buckets, measured_parts[-1])
        series.append(Series(None, points, kind="other", total=total))
    if (earlier_window := find_earlier_window(config, question)) is not None:
        earlier_buckets = buckets.for_window(earlier_window)
        earlier_parts = yield from _query_series_parts(
            config, breakdown, labels, earlier_buckets, question, has_other=has_other
        )
        for label_series, label_parts in zip(series, earlier_parts, strict=True):
            label_series.compared, label_series.compared_total = yield from _build_series(
                config, earlier_buckets, label_parts
            )
    return Multiseries(interval=buckets.interval, series=series)


def _query_series_parts(
    config: FormulaConfig,
    breakdown: str,
    labels: Sequence[str],
    buckets: Buckets,
    question: Question,
    *,
    has_other: bool,
) -> QueryPlan[list[MeasuredParts]]:
    """Measure the parts of each label, and with `has_other` also those of all other labels, last."""
    part_by_name = parts_by_name(config)
    parts_by_label = yield from query_label_parts(part_by_name, breakdown, labels, buckets, question)
    series_parts = [parts_by_label[label] for label in labels]
    if has_other:
        series_parts.append((yield from query_other_parts(part_by_name, breakdown, labels, buckets, question)))
    return series_parts


def _build_series(config: FormulaConfig, buckets: Buckets, measured_parts: MeasuredParts) -> QueryPlan[MeasuredSeries]:
    expression_tree, part_by_name = parse_expression(config.expression), parts_by_name(config)
    bucket_values, empty_bucket_value = yield from evaluate_buckets(
        expression_tree, part_by_name, measured_parts.values_by_part
    )
    points = buckets.fill_points(bucket_values, empty_bucket_value)
    return MeasuredSeries(points, evaluate_total(expression_tree, part_by_name, measured_parts))
