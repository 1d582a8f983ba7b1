"""Measures: the numbers that are counted or computed from events (rules/questions#measures)."""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import Any, Final, Literal, Protocol

import msgspec
from msgspec import UnsetType

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.aggregate import Aggregate
from tallyroom.queries.exact_sums import ExactSum, SumParts
from tallyroom.queries.keys import OwnField, Property, is_own_field, resolve_key
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.values import Value
from tallyroom.storage.event_store.number_texts import NUMBER_TEXTS

Measure = Literal["count", "sum", "avg", "min", "max", "uniq", "uniq_actors", "median", "p95", "p99"]

NAME_BY_MEASURE: Final[dict[Measure, str]] = {
    "count": "Count",
    "uniq_actors": "Unique actors",
    "uniq": "Unique values",
    "sum": "Sum",
    "avg": "Average",
    "median": "Median",
    "p95": "95th percentile",
    "p99": "99th percentile",
    "min": "Minimum",
    "max": "Maximum",
}
"""The names of measures, in the order of menus; the web app reads them from the OpenAPI document."""

StoredValue = float | SumParts | None

ADDITIVE_MEASURES: frozenset[Measure] = frozenset({"count", "sum"})  # the values of all parts add up to the whole
MERGEABLE_MEASURES = ADDITIVE_MEASURES | {"avg", "min", "max"}  # the whole follows from what the store has of all parts
COUNTS: frozenset[Measure] = frozenset({"count", "uniq", "uniq_actors"})
INEXACTLY_RANKED: frozenset[Measure] = frozenset({"sum", "avg"})  # for all others, `rank_sql` is the value

_MEASURES_WITHOUT_PROPERTY = {"count", "uniq_actors"}
_MEASURES_ZERO_WHEN_EMPTY = {"count", "sum", "uniq", "uniq_actors"}

_QUANTILE_LEVELS = {"median": "(0.5)", "p95": "(0.95)", "p99": "(0.99)"}


class MeasureSql(Protocol):
    """A measure: its SQL, in one or two steps over events, and the conversion of the store's result."""

    def restrict(self, extra_condition_sql: str, name_suffix: str) -> "MeasureSql":
        """Return the measure of the events that meet an SQL condition; each condition has a different `name_suffix`."""

    def aggregate_sql(self) -> str:
        """Return SQL for a `StoredValue` over a group of events; NULL if there is no value."""

    def input_columns(self) -> list[str]:
        """Return columns for the select list of a subquery, over which `aggregate_inputs_sql` computes the measure."""

    def aggregate_inputs_sql(self) -> str:
        """Return SQL for the measure over rows with the columns of `input_columns`."""

    def state_sql(self) -> str:
        """Return SQL for an intermediate state over such rows, for `merge_sql` or `finalize_sql`."""

    def merge_sql(self, state_column: str) -> str:
        """Return SQL for the measure over all rows behind the states in a column."""

    def finalize_sql(self, state_column: str) -> str:
        """Return SQL for the measure over the rows behind one state."""

    def rank_sql(self, total_column: str) -> str:
        """Return SQL for the number to rank by, from a column with the measure; NULL if there is no value."""

    def rank(self, stored_value: Any) -> float | UnsetType | None:
        """Return the number of `rank_sql`, to its last bit; UNSET if only the store can compute it."""

    def to_value(self, stored_value: Any) -> Value:
        """Return the answer's value from the store's value."""

    def merge(self, stored_values: Iterable[Any]) -> Any:
        """Return the store's value over all events of disjoint groups, from theirs; UNSET if it does not follow."""

    def combine(self, stored_values: Iterable[Any]) -> Value | UnsetType:
        """Return the measure over all events of disjoint groups, from their values; UNSET if it does not follow."""

    def to_fraction(self, stored_value: Any) -> Fraction | None:
        """Return the value before it is rounded for the answer."""


def check_measure(measure: Measure, property_: str | None, path: Sequence[str | int]) -> None:
    """Raise `ValidationFailed`, with `property` under `path`, if the property is missing or unsuitable."""
    property_path = [*path, "property"]
    if measure in _MEASURES_WITHOUT_PROPERTY:
        if property_ is not None:
            raise ValidationFailed.at(property_path, f"is not valid with {measure}")
    elif property_ is None:
        raise ValidationFailed.at(property_path, f"is required by {measure}")
    elif measure != "uniq" and is_own_field(property_):
        raise ValidationFailed.at(property_path, f"is not a number, but {measure} needs one")


def needs_number(measure: Measure) -> bool:
    """Return whether a measure is computed from numbers, rather than from events or arbitrary values."""
    return measure not in _MEASURES_WITHOUT_PROPERTY and measure != "uniq"


def build_measure(measure: Measure, property_: str | None, parameters: QueryParameters) -> MeasureSql:
    """Return a measure of a property; `property_` is None for measures without one."""
    if measure == "count":
        return Aggregate(function="count")
    if measure == "uniq_actors":
        return Aggregate(function="uniqExact", argument_sql="actor", condition_sql="actor != ''")
    if measure == "uniq":
        return _build_distinct_measure(property_ or "", parameters)
    resolved_key = resolve_key(property_ or "", parameters)
    if isinstance(resolved_key, OwnField):
        raise TypeError(f"{measure} of {resolved_key.column} passed its check")
    number_sql, condition_sql = resolved_key.value_sql("numbers"), resolved_key.has_index_sql("numbers")
    if measure in {"sum", "avg"}:
        return ExactSum(
            alias_prefix=resolved_key.placeholder_name,
            number_sql=number_sql,
            condition_sql=condition_sql,
            is_average=measure == "avg",
        )
    if measure in _QUANTILE_LEVELS:  # R-7, over all values
        return Aggregate(
            function="quantileExactInclusiveOrNull",
            level=_QUANTILE_LEVELS[measure],
            argument_sql=number_sql,
            condition_sql=condition_sql,
            may_overflow=True,
        )
    return Aggregate(function=f"{measure}OrNull", argument_sql=number_sql, condition_sql=condition_sql)


def contribution_condition(measure: Measure, property_: str | None, parameters: QueryParameters) -> str:
    """Return SQL that is true for an event whose property contributes to the measure; a count includes every event."""
    if measure in _MEASURES_WITHOUT_PROPERTY:
        return "1"
    resolved_key = resolve_key(property_ or "", parameters)
    if measure != "uniq" and isinstance(resolved_key, Property):
        return resolved_key.in_map_sql("numbers")
    return resolved_key.present_sql


def empty_value(measure: Measure) -> Value:
    """Return the value of a measure over no events: 0 for counts and sums, None for the others."""
    return 0 if measure in _MEASURES_ZERO_WHEN_EMPTY else None


def combine_stored_values(
    measure: Measure, measure_sql: MeasureSql, stored_values: Collection[StoredValue]
) -> Value | UnsetType:
    """Return a measure over all events of disjoint groups, from their values; UNSET if it does not follow."""
    return measure_sql.combine(stored_values) if stored_values else empty_value(measure)


def read_stored_value(text: str | None) -> StoredValue:
    """Read a measure that the store wrote as JSON; None for NULL."""
    return None if text is None else msgspec.json.decode(text, type=StoredValue)


def typed_values_sql(property_: Property) -> str:
    """Return SQL for the values that `uniq` distinguishes, as texts with a type prefix; [] without the property."""
    return (
        f"multiIf({property_.in_map_sql('strings')}, [concat('t', {property_.value_sql('strings')})],"
        f" {property_.has_number_text_sql}, [concat('n', {property_.value_sql(NUMBER_TEXTS)})],"
        f" {property_.in_map_sql('numbers')}, [concat('n', toString({property_.value_sql('numbers')} + 0))],"
        f" {property_.in_map_sql('texts')}, [concat('o', {property_.value_sql('texts')})],"
        f" arrayMap(element -> concat('t', element), {property_.value_sql('lists')}))"
    )


def _build_distinct_measure(key: str, parameters: QueryParameters) -> Aggregate:
    resolved_key = resolve_key(key, parameters)
    if isinstance(resolved_key, OwnField):
        return Aggregate(function="uniqExact", argument_sql=resolved_key.column, condition_sql=resolved_key.present_sql)
    return Aggregate(function="uniqExactArray", argument_sql=typed_values_sql(resolved_key))
