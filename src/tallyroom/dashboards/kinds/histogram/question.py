"""Histogram: the distribution of a numeric property's values (rules/questions#histogram)."""

import struct
from itertools import pairwise
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.cells import COUNT, SlicedRows, cell_columns, count_cells, merge_cells
from tallyroom.queries.config import Result
from tallyroom.queries.event_choice import EventsConfig, check_event_choice, event_conditions
from tallyroom.queries.filters import Filters, check_filters, filter_conditions
from tallyroom.queries.keys import PROPERTY_PREFIX, Key, Property, is_own_field
from tallyroom.queries.kind import Path
from tallyroom.queries.measures import MeasureSql, StoredValue, build_measure
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import QueryPlan, query_rows, query_rows_or_slices, scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.slices import TIME_MARK, SlicedQuery, slice_by_day
from tallyroom.queries.values import Bucket, Value


class HistogramConfig(EventsConfig, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Which events, which of their numbers, how many buckets, and whether to add percentiles."""

    property: Key
    buckets: Annotated[int, Meta(ge=2, le=50)] = 20
    filters: Filters = ()
    percentiles: bool = False


class Percentiles(msgspec.Struct):
    """The same numbers as a metric's measures with these names."""

    median: Value
    p95: Value


class Histogram(Result, tag="histogram", kw_only=True):
    """Buckets of one width from the smallest to the largest value; none without a value, one if all are equal."""

    buckets: list[Bucket]
    percentiles: Percentiles | UnsetType = UNSET


class _ExtremesRow(msgspec.Struct):
    least: float | None
    greatest: float | None


class _PercentilesRow(msgspec.Struct):
    median: StoredValue
    p95: StoredValue


class _BucketRow(msgspec.Struct):
    edge: float
    event_count: int = msgspec.field(name="counted")


def check_config(config: HistogramConfig, path: Path) -> None:
    """Refuse a config without events, a field that is never a number, and invalid filters."""
    check_event_choice(config, path)
    if is_own_field(config.property):
        raise ValidationFailed.at([*path, "property"], "is not a number, but a histogram needs one")
    check_filters(config.filters, [*path, "filters"])


def build_query_plan(config: HistogramConfig, question: Question) -> QueryPlan[Histogram]:
    """Find the least and the greatest value, then count the values between the edges derived from them."""
    parameters = QueryParameters()
    numeric_property = bind_numeric_property(config, parameters)
    where_sql = scoped_where(*build_conditions(config, numeric_property, question, parameters))
    sliced_extremes = _build_sliced_extremes(config, question)
    edges = yield from query_edges(config, numeric_property, where_sql, parameters, sliced_extremes)
    if not edges:
        return Histogram(buckets=[])
    is_number_sql = numeric_property.has_index_sql("numbers")
    counts_sql = f"""
SELECT {build_edge_sql(numeric_property, edges[:-1], parameters)} AS edge, countIf({is_number_sql}) AS counted
FROM events
{where_sql}
GROUP BY edge"""
    sliced_query = _build_sliced_counts(config, question, edges)
    answer_rows = yield from query_rows_or_slices(counts_sql, parameters, _BucketRow, sliced_query)
    if isinstance(answer_rows, SlicedRows):
        event_count_by_edge = {_edge_of_bits(key.bucket): count for key, count in count_cells(answer_rows).items()}
    else:
        event_count_by_edge = {row.edge: row.event_count for row in answer_rows}
    answer = Histogram(
        buckets=[Bucket(start, end, event_count_by_edge.get(start, 0)) for start, end in pairwise(edges)]
    )
    if config.percentiles:
        answer.percentiles = yield from _query_percentiles(config, where_sql, parameters)
    return answer


def is_empty(result: Histogram) -> bool:
    """Return True if no event has a value."""
    return not result.buckets


def bind_numeric_property(config: HistogramConfig, parameters: QueryParameters) -> Property:
    """Return the property of a histogram."""
    return Property(parameters.bind_text("key", config.property.removeprefix(PROPERTY_PREFIX)))


def build_conditions(
    config: HistogramConfig,
    numeric_property: Property,
    question: Question,
    parameters: QueryParameters,
    time_sql: str | None = None,
) -> list[str]:
    """Return SQL conditions for the events that may have a value; `time_sql` replaces the window."""
    return [
        *event_conditions(config, parameters),
        time_sql or question.window.condition(parameters),
        numeric_property.skip_hint_sql("numbers"),
        *filter_conditions((*config.filters, *question.filters), parameters),
    ]


def _build_sliced_extremes(config: HistogramConfig, question: Question) -> SlicedQuery:
    parameters = QueryParameters()
    numeric_property = bind_numeric_property(config, parameters)
    columns_sql = cell_columns(_build_extremes(config, parameters))
    where_sql = scoped_where(*build_conditions(config, numeric_property, question, parameters, TIME_MARK))
    return slice_by_day(
        f"SELECT {columns_sql}\nFROM events\n{where_sql}\nGROUP BY slice", parameters, [question.window]
    )


def _build_sliced_counts(config: HistogramConfig, question: Question, edges: list[float]) -> SlicedQuery:
    parameters = QueryParameters()
    numeric_property = bind_numeric_property(config, parameters)
    bits_sql = f"reinterpretAsInt64({build_edge_sql(numeric_property, edges[:-1], parameters)})"
    columns_sql = cell_columns([COUNT.restrict(numeric_property.has_index_sql("numbers"), "")], bucket_sql=bits_sql)
    where_sql = scoped_where(*build_conditions(config, numeric_property, question, parameters, TIME_MARK))
    return slice_by_day(
        f"SELECT {columns_sql}\nFROM events\n{where_sql}\nGROUP BY slice, bucket", parameters, [question.window]
    )


def _edge_of_bits(bits: int) -> float:
    """Return the double whose bits the store returned as an integer."""
    [edge] = struct.unpack("<d", struct.pack("<q", bits))
    return float(edge)


def _build_extremes(config: HistogramConfig, parameters: QueryParameters) -> list[MeasureSql]:
    return [build_measure("min", config.property, parameters), build_measure("max", config.property, parameters)]


def query_edges(
    config: HistogramConfig,
    numeric_property: Property,
    where_sql: str,
    parameters: QueryParameters,
    sliced_query: SlicedQuery | None = None,
) -> QueryPlan[list[float]]:
    """Find the edges of the buckets, two for each; none if there is no value."""
    value_sql, present_sql = numeric_property.value_sql("numbers"), numeric_property.has_index_sql("numbers")
    extreme_columns = (
        f"minOrNullIf({value_sql}, {present_sql}) AS least, maxOrNullIf({value_sql}, {present_sql}) AS greatest"
    )
    sql = f"SELECT {extreme_columns}\nFROM events\n{where_sql}"
    answer_rows = yield from query_rows_or_slices(sql, parameters, _ExtremesRow, sliced_query)
    if isinstance(answer_rows, SlicedRows):
        extremes = _merge_extremes(config, answer_rows)
    else:
        [extremes] = answer_rows
    if extremes.least is None or extremes.greatest is None:
        return []
    edges = _compute_edges(extremes.least, extremes.greatest, config.buckets)
    return edges * 2 if len(edges) == 1 else edges


def _merge_extremes(config: HistogramConfig, sliced_rows: SlicedRows) -> _ExtremesRow:
    cells = merge_cells(sliced_rows.rows, {0: _build_extremes(config, QueryParameters())})
    least, greatest = next(iter(cells.values()), (None, None))
    return msgspec.convert({"least": least, "greatest": greatest}, _ExtremesRow)


def _query_percentiles(config: HistogramConfig, where_sql: str, parameters: QueryParameters) -> QueryPlan[Percentiles]:
    median = build_measure("median", config.property, parameters)
    p95 = build_measure("p95", config.property, parameters)
    sql = f"SELECT {median.aggregate_sql()} AS median, {p95.aggregate_sql()} AS p95\nFROM events\n{where_sql}"
    [row] = yield from query_rows(sql, parameters, _PercentilesRow)
    return Percentiles(median.to_value(row.median), p95.to_value(row.p95))


def build_edge_sql(numeric_property: Property, starts: list[float], parameters: QueryParameters) -> str:
    """Return SQL for the start of the bucket of an event's value."""
    return f"roundDown({numeric_property.value_sql('numbers')}, {parameters.bind_numbers('edges', starts)})"


def _compute_edges(min_value: float, max_value: float, bucket_count: int) -> list[float]:
    """Return the edges of the buckets in ascending order; fewer if too few doubles lie between the two ends."""
    inner_edges = [
        min_value * (1 - step / bucket_count) + max_value * (step / bucket_count) for step in range(1, bucket_count)
    ]
    return sorted({min_value, *(min(max(edge, min_value), max_value) for edge in inner_edges), max_value})
