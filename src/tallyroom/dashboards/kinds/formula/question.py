"""Formula: arithmetic with up to four measures, in the shapes of a metric (rules/questions#formula)."""

from collections.abc import Collection
from typing import Annotated

from msgspec import Meta

from tallyroom.queries.breakdown import check_breakdown
from tallyroom.queries.buckets import Buckets, MeasuredSeries, choose_buckets
from tallyroom.queries.compared_numbers import CountedMeasure, query_compared_numbers, relative_change
from tallyroom.queries.comparison import check_comparison, find_earlier_window, union_of_windows
from tallyroom.queries.config import Result, SegmentedConfig
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.evidence import Evidence
from tallyroom.queries.formula import evaluate, parse_expression
from tallyroom.queries.formula_breakdown import query_label_parts, query_top_labels
from tallyroom.queries.formula_parts import (
    Expression,
    MeasuredParts,
    check_formula,
    evaluate_buckets,
    evaluate_total,
    parts_of,
    query_parts,
)
from tallyroom.queries.keys import Key
from tallyroom.queries.kind import Path
from tallyroom.queries.measure_evidence import build_parts_evidence
from tallyroom.queries.metric_answers import (
    MAX_LABELS,
    Categorical,
    Counter,
    Multiseries,
    Series,
    Timeseries,
    mask_labels,
)
from tallyroom.queries.query_plan import QueryPlan
from tallyroom.queries.question import ChosenInterval, Comparison, Question
from tallyroom.queries.window import Window


class FormulaConfig(SegmentedConfig, frozen=True, kw_only=True, rename="camel"):
    """What to compute, and how to show it.

    Attributes:
        a, b, c, d: the parts, which the expression names.
        expression: arithmetic with them, such as `a / b * 100`.
        breakdown: by which key to split each part.
        over_time: whether to split each part into buckets.
        limit: the most labels of a breakdown.
        interval: of the buckets.
        compare: with what; by default a counter with the window before, and anything over time with nothing.
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


def check(config: FormulaConfig, path: Path) -> None:
    """Refuse what `check_formula` refuses, and the comparison of a breakdown that is not over time."""
    check_formula(config, path)
    check_comparison(config, path)


def query_plan(config: FormulaConfig, question: Question) -> QueryPlan[Result]:
    """Choose the query plan for the shape that the config describes."""
    if config.breakdown is None:
        return _answer_timeseries(config, question) if config.over_time else _answer_counter(config, question)
    check_breakdown(config.breakdown, question)
    if config.over_time:
        return _answer_multiseries(config, config.breakdown, question)
    return _answer_categorical(config, config.breakdown, question)


def public_form(config: FormulaConfig, result: Result, group_keys: Collection[str]) -> Result:
    """Hide the labels that are actors, groups or sources."""
    return mask_labels(config.breakdown, result, group_keys)


def covered_window(config: FormulaConfig, question: Question) -> Window:
    """Include the window that the answer is compared with."""
    return union_of_windows(question.window, find_earlier_window(config, question))


def drill_down(config: FormulaConfig, question: Question, data_point: DataPoint) -> QueryPlan[Evidence]:
    """Return the events behind the whole, a point, a label, or a point of a label, whichever part they add to."""
    yield from ()
    has_breakdown = config.breakdown is not None
    buckets = choose_buckets(config.interval, question, has_several_series=has_breakdown) if config.over_time else None
    return build_parts_evidence(list(parts_of(config).values()), config.breakdown, buckets, question, data_point)


def _answer_counter(config: FormulaConfig, question: Question) -> QueryPlan[Counter]:
    parts, tree = parts_of(config), parse_expression(config.expression)
    earlier_window = find_earlier_window(config, question)
    numbers = yield from query_compared_numbers(list(parts.values()), question, earlier_window)
    part_numbers = list(zip(parts, numbers, strict=True))
    value = evaluate(tree, {name: number.value for name, number in part_numbers})
    previous = (
        None if earlier_window is None else evaluate(tree, {name: number.previous for name, number in part_numbers})
    )
    return Counter(value=value, previous=previous, delta=relative_change(value, previous))


def _answer_timeseries(config: FormulaConfig, question: Question) -> QueryPlan[Timeseries]:
    parts, buckets = parts_of(config), choose_buckets(config.interval, question, has_several_series=False)
    measured_parts = yield from query_parts(parts, buckets, question)
    points, total = yield from _build_series(config, buckets, measured_parts)
    answer = Timeseries(interval=buckets.interval, points=points, total=total)
    if (earlier_window := find_earlier_window(config, question)) is not None:
        earlier_buckets = buckets.for_window(earlier_window)
        earlier_parts = yield from query_parts(parts, earlier_buckets, question)
        answer.compared, answer.compared_total = yield from _build_series(config, earlier_buckets, earlier_parts)
    return answer


def _answer_categorical(config: FormulaConfig, breakdown: str, question: Question) -> QueryPlan[Categorical]:
    label_rows = yield from query_top_labels(
        parse_expression(config.expression), parts_of(config), breakdown, config.limit, question
    )
    return Categorical(rows=label_rows)


def _answer_multiseries(config: FormulaConfig, breakdown: str, question: Question) -> QueryPlan[Multiseries]:
    parts, buckets = parts_of(config), choose_buckets(config.interval, question, has_several_series=True)
    label_rows = yield from query_top_labels(
        parse_expression(config.expression), parts, breakdown, config.limit, question
    )
    totals = {row.label: row.value for row in label_rows if row.label is not None}
    labels = list(totals)
    label_parts = yield from query_label_parts(parts, breakdown, labels, buckets, question)
    series = []
    for label in labels:
        formula_series = yield from _build_series(config, buckets, label_parts[label])
        series.append(Series(label, formula_series.points, total=totals[label]))
    if (earlier_window := find_earlier_window(config, question)) is not None:
        earlier_buckets = buckets.for_window(earlier_window)
        earlier_parts = yield from query_label_parts(parts, breakdown, labels, earlier_buckets, question)
        for label, label_series in zip(labels, series, strict=True):
            label_series.compared, label_series.compared_total = yield from _build_series(
                config, earlier_buckets, earlier_parts[label]
            )
    return Multiseries(interval=buckets.interval, series=series)


def _build_series(config: FormulaConfig, buckets: Buckets, measured_parts: MeasuredParts) -> QueryPlan[MeasuredSeries]:
    tree, parts = parse_expression(config.expression), parts_of(config)
    values, default = yield from evaluate_buckets(tree, parts, measured_parts.values)
    return MeasuredSeries(buckets.fill_points(values, default), evaluate_total(tree, parts, measured_parts))
