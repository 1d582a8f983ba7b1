"""Formula: arithmetic with up to four measures, in the shapes of a metric (rules/questions#formula)."""

from collections.abc import Collection
from typing import Annotated

from msgspec import Meta

from tallyroom.queries.breakdown import check_breakdown
from tallyroom.queries.buckets import Buckets, MeasuredSeries, buckets_of
from tallyroom.queries.compared_numbers import CountedMeasure, compare, delta_of
from tallyroom.queries.comparison import both, check_comparison, compared_with
from tallyroom.queries.config import Result, SegmentedConfig
from tallyroom.queries.data_point import Spot
from tallyroom.queries.evidence import Evidence
from tallyroom.queries.formula import evaluate, parse
from tallyroom.queries.formula_breakdown import ranked, tracked
from tallyroom.queries.formula_parts import (
    Expression,
    MeasuredParts,
    check_formula,
    in_buckets,
    parts_of,
    total_of_formula,
    values_in_buckets,
)
from tallyroom.queries.keys import Key
from tallyroom.queries.kind import Kind, Path
from tallyroom.queries.measure_evidence import evidence_of_parts
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
        return _timeseries(config, question) if config.over_time else _counter(config, question)
    check_breakdown(config.breakdown, question)
    if config.over_time:
        return _multiseries(config, config.breakdown, question)
    return _categorical(config, config.breakdown, question)


def published(config: FormulaConfig, result: Result, group_keys: Collection[str]) -> Result:
    """Hide the labels that are actors, groups or sources."""
    return published_answer(config.breakdown, result, group_keys)


def covers(config: FormulaConfig, question: Question) -> Window:
    """Include the window that the answer is compared with."""
    return both(question.window, compared_with(config, question))


def behind(config: FormulaConfig, question: Question, spot: Spot) -> QueryPlan[Evidence]:
    """Return the events behind the whole, a point, a label, or a point of a label, whichever part they add to."""
    yield from ()
    is_split = config.breakdown is not None
    buckets = buckets_of(config.interval, question, several=is_split) if config.over_time else None
    return evidence_of_parts(list(parts_of(config).values()), config.breakdown, buckets, question, spot)


def _counter(config: FormulaConfig, question: Question) -> QueryPlan[Counter]:
    parts, tree = parts_of(config), parse(config.expression)
    before = compared_with(config, question)
    numbers = yield from compare(list(parts.values()), question, before)
    part_numbers = list(zip(parts, numbers, strict=True))
    value = evaluate(tree, {name: number.value for name, number in part_numbers})
    previous = None if before is None else evaluate(tree, {name: number.previous for name, number in part_numbers})
    return Counter(value=value, previous=previous, delta=delta_of(value, previous))


def _timeseries(config: FormulaConfig, question: Question) -> QueryPlan[Timeseries]:
    parts, buckets = parts_of(config), buckets_of(config.interval, question, several=False)
    part_series = yield from in_buckets(parts, buckets, question)
    points, total = yield from _series(config, buckets, part_series)
    answer = Timeseries(interval=buckets.interval, points=points, total=total)
    if (earlier_window := compared_with(config, question)) is not None:
        earlier = buckets.of(earlier_window)
        before = yield from in_buckets(parts, earlier, question)
        answer.compared, answer.compared_total = yield from _series(config, earlier, before)
    return answer


def _categorical(config: FormulaConfig, breakdown: str, question: Question) -> QueryPlan[Categorical]:
    label_rows = yield from ranked(parse(config.expression), parts_of(config), breakdown, config.limit, question)
    return Categorical(rows=label_rows)


def _multiseries(config: FormulaConfig, breakdown: str, question: Question) -> QueryPlan[Multiseries]:
    parts, buckets = parts_of(config), buckets_of(config.interval, question, several=True)
    label_rows = yield from ranked(parse(config.expression), parts, breakdown, config.limit, question)
    totals = {row.label: row.value for row in label_rows if row.label is not None}
    labels = list(totals)
    tracks = yield from tracked(parts, breakdown, labels, buckets, question)
    series = []
    for label in labels:
        formula_series = yield from _series(config, buckets, tracks[label])
        series.append(Series(label, formula_series.points, total=totals[label]))
    if (earlier_window := compared_with(config, question)) is not None:
        earlier = buckets.of(earlier_window)
        before = yield from tracked(parts, breakdown, labels, earlier, question)
        for label, label_series in zip(labels, series, strict=True):
            label_series.compared, label_series.compared_total = yield from _series(config, earlier, before[label])
    return Multiseries(interval=buckets.interval, series=series)


def _series(config: FormulaConfig, buckets: Buckets, part_series: MeasuredParts) -> QueryPlan[MeasuredSeries]:
    tree, parts = parse(config.expression), parts_of(config)
    values, empty = yield from values_in_buckets(tree, parts, part_series.values)
    return MeasuredSeries(buckets.points(values, empty), total_of_formula(tree, parts, part_series))


FORMULA = Kind(
    name="formula",
    config=FormulaConfig,
    results=(Counter, Timeseries, Categorical, Multiseries),
    check=check,
    query_plan=query_plan,
    published=published,
    behind=behind,
    covers=covers,
)
