"""The parts of a formula: up to four measures, and the expression that combines them (rules/questions#formula)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, NamedTuple, Protocol

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.cells import SlicedRows
from tallyroom.queries.counted_measure import CountedMeasure, check_counted_measure, metric_conditions
from tallyroom.queries.formula import (
    MAX_EXPRESSION_LENGTH,
    PART_NAMES,
    ExpressionTree,
    PartName,
    evaluate,
    find_part_names,
    parse_expression,
)
from tallyroom.queries.measures import (
    MeasureSql,
    StoredValue,
    build_measure,
    combine_stored_values,
    empty_value,
    read_stored_value,
)
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import UNION_ALL, QueryPlan, pause_after, query_rows_or_slices, scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.sliced_measures import build_sliced_measures, merge_sliced_measures
from tallyroom.queries.values import Value

Expression = Annotated[str, Meta(min_length=1, max_length=MAX_EXPRESSION_LENGTH)]
ValuesByPart = Mapping[PartName, Mapping[int, Value]]  # by bucket number, for the buckets that have values

_BATCH_SIZE = 250  # values to compute before other tasks run


class MeasuredParts(NamedTuple):
    """The value of each part in its buckets and over the window; UNSET if it does not follow from the buckets."""

    values_by_part: ValuesByPart
    total_by_part: Mapping[PartName, Value | UnsetType]


class FormulaFields(Protocol):
    """Anything with the fields of a formula."""

    @property
    def a(self) -> CountedMeasure:
        """Part a."""

    @property
    def b(self) -> CountedMeasure | None:
        """Part b."""

    @property
    def c(self) -> CountedMeasure | None:
        """Part c."""

    @property
    def d(self) -> CountedMeasure | None:
        """Part d."""

    @property
    def expression(self) -> str:
        """The expression."""


class Formula(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel", omit_defaults=True
):
    """A formula by itself, which has one value."""

    a: CountedMeasure
    b: CountedMeasure | None = None
    c: CountedMeasure | None = None
    d: CountedMeasure | None = None
    expression: Expression


class _PartSeriesRow(msgspec.Struct):
    part: PartName
    points: list[tuple[int, str | None]]  # each value as JSON, because measures can have different types


def read_formula(text: str | None) -> Formula | None:
    """Return a formula from JSON; None for None."""
    return None if text is None else msgspec.json.decode(text, type=Formula)


def parts_by_name(formula: FormulaFields) -> dict[PartName, CountedMeasure]:
    """Return the parts by their names, in order."""
    parts: tuple[CountedMeasure | None, ...] = (formula.a, formula.b, formula.c, formula.d)
    return {name: part for name, part in zip(PART_NAMES, parts, strict=True) if part is not None}


def check_formula(formula: FormulaFields, path: Sequence[str | int]) -> None:
    """Raise `ValidationFailed`, with fields under `path`, for an invalid expression, unused part or wrong measure."""
    tree = parse_expression(formula.expression, (*path, "expression"))
    parts, names = parts_by_name(formula), find_part_names(tree)
    for name in PART_NAMES:
        if name in parts and name not in names:
            raise ValidationFailed.at([*path, name], "is not used in the expression")
        if name in names and name not in parts:
            raise ValidationFailed.at([*path, name], "is required, because the expression uses it")
    for name, part in parts.items():
        check_counted_measure(part, [*path, name])


def empty_values(parts: Mapping[PartName, CountedMeasure]) -> dict[PartName, Value]:
    """Return the values of the parts over no events."""
    return {name: empty_value(part.measure) for name, part in parts.items()}


def evaluate_rows(tree: ExpressionTree, values_by_part: Mapping[PartName, Iterable[Value]]) -> list[Value]:
    """Evaluate a tree for the first value of each part, the second, and so on; equal rows are computed once."""
    value_by_row: dict[tuple[Value, ...], Value] = {}
    values: list[Value] = []
    for row in zip(*values_by_part.values(), strict=True):
        if row not in value_by_row:
            value_by_row[row] = evaluate(tree, dict(zip(values_by_part, row, strict=True)))
        values.append(value_by_row[row])
    return values


def query_parts(
    parts: Mapping[PartName, CountedMeasure], buckets: Buckets, question: Question
) -> QueryPlan[MeasuredParts]:
    """Measure each part in each bucket, in one query."""
    parameters = QueryParameters()
    measure_by_name = {name: build_measure(part.measure, part.property, parameters) for name, part in parts.items()}
    selects = []
    for name, part in parts.items():
        where_sql = scoped_where(*metric_conditions(part, question, parameters), buckets.window.condition(parameters))
        by_bucket_sql = f"""
SELECT {buckets.bucket_number_sql(parameters)} AS bucket, toJSONString({measure_by_name[name].aggregate_sql()}) AS value
FROM events
{where_sql}
GROUP BY bucket"""
        selects.append(f"SELECT '{name}' AS part, groupArray((bucket, value)) AS points\nFROM ({by_bucket_sql}\n)")
    values_by_part: dict[PartName, dict[int, Value]] = {}
    total_by_part: dict[PartName, Value | UnsetType] = {}
    sliced_query = build_sliced_measures(list(parts.values()), question, buckets, [buckets.window])
    answer_rows = yield from query_rows_or_slices(UNION_ALL.join(selects), parameters, _PartSeriesRow, sliced_query)
    if isinstance(answer_rows, SlicedRows):
        return _merge_parts(parts, measure_by_name, answer_rows)
    for series_row in answer_rows:
        measure = measure_by_name[series_row.part]
        values_by_part[series_row.part], total_by_part[series_row.part] = read_part_points(
            parts[series_row.part], measure, series_row.points
        )
        yield from pause_after(series_row.points)
    return MeasuredParts(values_by_part, total_by_part)


def _merge_parts(
    parts: Mapping[PartName, CountedMeasure], measure_by_name: Mapping[PartName, MeasureSql], sliced_rows: SlicedRows
) -> MeasuredParts:
    metrics, measures = list(parts.values()), list(measure_by_name.values())
    values_by_part: dict[PartName, dict[int, Value]] = {}
    total_by_part: dict[PartName, Value | UnsetType] = {}
    for name, stored_value_by_bucket in zip(parts, merge_sliced_measures(metrics, measures, sliced_rows), strict=True):
        values_by_part[name], total_by_part[name] = _read_values(
            parts[name], measure_by_name[name], stored_value_by_bucket
        )
    return MeasuredParts(values_by_part, total_by_part)


def read_part_points(
    part: CountedMeasure, measure: MeasureSql, points: Sequence[tuple[int, str | None]]
) -> tuple[dict[int, Value], Value | UnsetType]:
    """Return the values of a part by bucket, and over the whole window, from the store's JSON."""
    return _read_values(part, measure, {bucket: read_stored_value(text) for bucket, text in points})


def _read_values(
    part: CountedMeasure, measure: MeasureSql, stored_value_by_bucket: Mapping[int, StoredValue]
) -> tuple[dict[int, Value], Value | UnsetType]:
    value_by_bucket = {
        bucket: measure.to_value(stored_value) for bucket, stored_value in stored_value_by_bucket.items()
    }
    return value_by_bucket, combine_stored_values(part.measure, measure, stored_value_by_bucket.values())


def evaluate_total(
    tree: ExpressionTree, parts: Mapping[PartName, CountedMeasure], measured_parts: MeasuredParts
) -> Value | UnsetType:
    """Return the value of a formula over the whole window; UNSET if the value of a part is unknown."""
    total_by_name: dict[PartName, Value] = empty_values(parts)
    for name, total in measured_parts.total_by_part.items():
        if total is UNSET:
            return UNSET
        total_by_name[name] = total
    return evaluate(tree, total_by_name)


def evaluate_buckets(
    tree: ExpressionTree, parts: Mapping[PartName, CountedMeasure], values_by_part: ValuesByPart
) -> QueryPlan[tuple[list[tuple[int, Value]], Value]]:
    """Return the formula's value in each bucket that has events of a part, and its value in an empty bucket."""
    default_by_name = empty_values(parts)
    bucket_numbers = sorted({number for value_by_bucket in values_by_part.values() for number in value_by_bucket})
    values: list[Value] = []
    for start in range(0, len(bucket_numbers), _BATCH_SIZE):
        batch = bucket_numbers[start : start + _BATCH_SIZE]
        batch_values_by_part = {
            name: [values_by_part.get(name, {}).get(number, default_by_name[name]) for number in batch]
            for name in parts
        }
        values += evaluate_rows(tree, batch_values_by_part)
        yield from pause_after(batch)
    return list(zip(bucket_numbers, values, strict=True)), evaluate(tree, default_by_name)
