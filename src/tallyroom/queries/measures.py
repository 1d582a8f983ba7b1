"""Measures: the numbers that are counted or computed over events (rules/questions#measures)."""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from typing import Any, Literal, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.exact_sums import ExactSum, SumParts
from tallyroom.queries.keys import OwnField, Property, is_own_field, resolve_key
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.values import Value, fraction_of, round_to_15_digits, value_of

Measure = Literal["count", "sum", "avg", "min", "max", "uniq", "uniq_actors", "median", "p95", "p99"]
StoredMeasure = float | SumParts | None
"""The value that the store returns for a measure."""

ADDITIVE: frozenset[Measure] = frozenset({"count", "sum"})
"""Measures of which the values of all parts add up to the value of the whole."""

NEARLY_RANKED: frozenset[Measure] = frozenset({"sum", "avg"})
"""Measures whose `rank_sql` is not exact; that of all others is their value."""

_WITHOUT_PROPERTY = {"count", "uniq_actors"}
_ZERO_WHEN_EMPTY = {"count", "sum", "uniq", "uniq_actors"}
_COMBINE_FUNCTIONS: dict[str, Callable[[list[float]], float]] = {"count": math.fsum, "minOrNull": min, "maxOrNull": max}
_QUANTILES = {"median": "(0.5)", "p95": "(0.95)", "p99": "(0.99)"}


class ComputedMeasure(Protocol):
    """A measure: its SQL, in one step over events or in two steps, and the conversion of the store's result."""

    def restrict(self, condition: str, name: str) -> "ComputedMeasure":
        """The measure of those events that meet an SQL condition; `name` differs from those of other conditions."""

    def aggregate_sql(self) -> str:
        """The measure over a group of events, read as a `StoredMeasure`; NULL if it has no value."""

    def input_columns(self) -> list[str]:
        """Columns for the select list of a subquery, over which `aggregate_inputs_sql` computes the measure."""

    def aggregate_inputs_sql(self) -> str:
        """The measure over rows that have the columns of `input_columns`."""

    def state_sql(self) -> str:
        """An intermediate state over such rows, for `merge_sql` or `finalize_sql`."""

    def merge_sql(self, state: str) -> str:
        """The measure over all rows behind the states in a column."""

    def finalize_sql(self, state: str) -> str:
        """The measure over the rows behind one state."""

    def rank_sql(self, total: str) -> str:
        """The number to rank by, from a column that contains the measure; NULL if it has no value."""

    def to_value(self, stored_value: Any) -> Value:
        """The value in the answer, from the value that the store returned."""

    def combine(self, stored_values: Iterable[Any]) -> Value | UnsetType:
        """The measure over all events of disjoint groups, from their values; UNSET if these do not tell."""

    def to_fraction(self, stored_value: Any) -> Fraction | None:
        """The same before it is rounded for the answer."""


class Aggregate(msgspec.Struct, frozen=True, kw_only=True):
    """A measure that one aggregate function computes; `ComputedMeasure` describes each method.

    Attributes:
        function: the aggregate function.
        level: the parameter of a quantile.
        argument: SQL for what an event contributes; "" if events are only counted.
        condition: SQL that is true for an event that contributes; "" if all do.
        may_overflow: True if the result can leave the range of a double.
    """

    function: str
    level: str = ""
    argument: str = ""
    condition: str = ""
    may_overflow: bool = False

    def restrict(self, condition: str, name: str) -> "Aggregate":  # noqa: ARG002 # it defines no names
        """The measure of those events that meet a condition."""
        return msgspec.structs.replace(
            self, condition=f"({self.condition} AND {condition})" if self.condition else f"({condition})"
        )

    def aggregate_sql(self) -> str:
        """The measure over a group of events."""
        return self._finite(self._call("", ", ".join(filter(None, (self.argument, self.condition)))))

    def input_columns(self) -> list[str]:
        """Columns for the select list of a subquery."""
        return [f"{sql} AS {name}" for sql, name in ((self.argument, "added"), (self.condition, "held")) if sql]

    def aggregate_inputs_sql(self) -> str:
        """The measure over rows that have the columns of `input_columns`."""
        return self._finite(self._call("", self._input_names()))

    def state_sql(self) -> str:
        """An intermediate state over such rows."""
        return self._call("State", self._input_names())

    def merge_sql(self, state: str) -> str:
        """The measure over all rows behind the states in a column."""
        return self._finite(self._call("Merge", state))

    def finalize_sql(self, state: str) -> str:
        """The measure over the rows behind one state."""
        return self._finite(f"finalizeAggregation({state})")

    def rank_sql(self, total: str) -> str:
        """The number itself."""
        return total

    def to_value(self, stored_value: float | None) -> Value:
        """The number as answers show it."""
        return value_of(stored_value)

    def combine(self, stored_values: Iterable[float | None]) -> Value | UnsetType:
        """The sum, least or greatest of the groups; distinct values and quantiles need the events themselves."""
        combine_numbers = _COMBINE_FUNCTIONS.get(self.function)
        if combine_numbers is None:
            return UNSET
        numbers = [number for number in stored_values if number is not None]
        return value_of(combine_numbers(numbers)) if numbers else None

    def to_fraction(self, stored_value: float | None) -> Fraction | None:
        """The decimal that the number shows; the last digits of a quantile are those of its computation."""
        value = value_of(stored_value)
        return round_to_15_digits(value) if self.level and isinstance(value, float) else fraction_of(value)

    def _call(self, step: str, arguments: str) -> str:
        return f"{self.function}{'If' if self.condition else ''}{step}{self.level}({arguments})"

    def _input_names(self) -> str:
        return ", ".join(name for sql, name in ((self.argument, "added"), (self.condition, "held")) if sql)

    def _finite(self, sql: str) -> str:
        return f"ifNotFinite({sql}, NULL)" if self.may_overflow else sql


def check_measure(measure: Measure, property_: str | None, path: Sequence[str | int]) -> None:
    """Refuse a measure that lacks the property it needs, or has one that it cannot use.

    Raises:
        ValidationFailed: names the field `property` under `path`.
    """
    property_path = [*path, "property"]
    if measure in _WITHOUT_PROPERTY:
        if property_ is not None:
            raise ValidationFailed.at(property_path, f"is not valid with {measure}")
    elif property_ is None:
        raise ValidationFailed.at(property_path, f"is required by {measure}")
    elif measure != "uniq" and is_own_field(property_):
        raise ValidationFailed.at(property_path, f"is not a number, which {measure} needs")


def needs_number(measure: Measure) -> bool:
    """Return True if a measure is computed from numbers, rather than from events or from any values."""
    return measure not in _WITHOUT_PROPERTY and measure != "uniq"


def measure_sql(measure: Measure, property_: str | None, parameters: QueryParameters) -> ComputedMeasure:
    """Return a measure of a property; `property_` is None for the measures that take none."""
    if measure == "count":
        return Aggregate(function="count")
    if measure == "uniq_actors":
        return Aggregate(function="uniqExact", argument="actor", condition="actor != ''")
    if measure == "uniq":
        return _distinct_measure(property_ or "", parameters)
    source = resolve_key(property_ or "", parameters)
    if isinstance(source, OwnField):
        raise TypeError(f"{measure} of {source.column} passed its check")
    number, condition = source.value_in("numbers"), source.has_index_in("numbers")
    if measure in {"sum", "avg"}:
        return ExactSum(prefix=source.placeholder_name, number=number, condition=condition, is_average=measure == "avg")
    if measure in _QUANTILES:  # R-7, over all values
        level = _QUANTILES[measure]
        return Aggregate(
            function="quantileExactInclusiveOrNull",
            level=level,
            argument=number,
            condition=condition,
            may_overflow=True,
        )
    return Aggregate(function=f"{measure}OrNull", argument=number, condition=condition)


def contribution_condition(measure: Measure, property_: str | None, parameters: QueryParameters) -> str:
    """Return SQL that is true for an event whose property adds to a measure of it; every event adds to a count."""
    if measure in _WITHOUT_PROPERTY:
        return "1"
    source = resolve_key(property_ or "", parameters)
    return source.is_in_map("numbers") if measure != "uniq" and isinstance(source, Property) else source.present_sql


def empty_value(measure: Measure) -> Value:
    """Return the value of a measure over no events: 0 for counts and sums, None for the others."""
    return 0 if measure in _ZERO_WHEN_EMPTY else None


def combine_stored_values(
    measure: Measure, computed_measure: ComputedMeasure, stored_values: Collection[StoredMeasure]
) -> Value | UnsetType:
    """Return a measure over all events of disjoint groups, from their values; UNSET if these do not tell."""
    return computed_measure.combine(stored_values) if stored_values else empty_value(measure)


def read_stored_measure(text: str | None) -> StoredMeasure:
    """Read a measure that the store wrote as JSON; None for NULL."""
    return None if text is None else msgspec.json.decode(text, type=StoredMeasure)


def typed_values_sql(source: Property) -> str:
    """Return SQL for the values that `uniq` tells apart, as texts that begin with their type; [] without the property.

    Each element of a list is one, and the text 1 differs from the number 1.
    """
    return (
        f"multiIf({source.is_in_map('strings')}, [concat('t', {source.value_in('strings')})],"
        f" {source.is_in_map('numbers')}, [concat('n', toString({source.value_in('numbers')} + 0))],"
        f" {source.is_in_map('texts')}, [concat('o', {source.value_in('texts')})],"
        f" arrayMap(element -> concat('t', element), {source.value_in('lists')}))"
    )


def _distinct_measure(key: str, parameters: QueryParameters) -> Aggregate:
    """Count the distinct values of an own field or a property."""
    source = resolve_key(key, parameters)
    if isinstance(source, OwnField):
        return Aggregate(function="uniqExact", argument=source.column, condition=source.present_sql)
    return Aggregate(function="uniqExactArray", argument=typed_values_sql(source))
