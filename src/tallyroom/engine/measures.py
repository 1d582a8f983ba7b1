"""Measures: what is counted or computed over events (rules/questions#measures)."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol

import msgspec

from tallyroom.core.errors import ValidationFailed
from tallyroom.engine.bound import Bound
from tallyroom.engine.exact import ExactSum, SumParts
from tallyroom.engine.keys import OwnField, is_own_field, read
from tallyroom.engine.values import Value, value_of

Measure = Literal["count", "sum", "avg", "min", "max", "uniq", "uniq_actors", "median", "p95", "p99"]
StoredMeasure = float | SumParts | None
"""What the store answers for a measure."""

_WITHOUT_PROPERTY = {"count", "uniq_actors"}
_ZERO_WHEN_EMPTY = {"count", "sum", "uniq", "uniq_actors"}
_QUANTILES = {"median": "(0.5)", "p95": "(0.95)", "p99": "(0.99)"}


class Measured(Protocol):
    """A measure: as SQL, over events or in two halves, and from what the store answers to the answer."""

    def over_events(self) -> str:
        """The measure over a group of events, to be read as `StoredMeasure`; NULL where it has no value."""

    def inputs(self) -> list[str]:
        """Columns for the select list of a sub-query, over which `over_inputs` then computes the measure."""

    def over_inputs(self) -> str:
        """The measure over rows that have the columns of `inputs`."""

    def state(self) -> str:
        """An intermediate state over such rows, to be merged with others or finished."""

    def merged(self, state: str) -> str:
        """The measure over everything that the states in a column saw."""

    def finished(self, state: str) -> str:
        """The measure over what one state saw."""

    def rank(self, total: str) -> str:
        """The number to rank by, from a column that holds the measure; NULL where it has no value."""

    def value(self, found: Any) -> Value:
        """The answer, from what the store found."""


class Aggregate(msgspec.Struct, frozen=True, kw_only=True):
    """A measure that one aggregate function computes; `Measured` says what each method is.

    Attributes:
        function: the aggregate function.
        level: the parameter of a quantile.
        added: what an event adds; "" where events are only counted.
        held: true for an event that adds something; "" for all.
        may_overflow: whether it can leave the range of a double.
    """

    function: str
    level: str = ""
    added: str = ""
    held: str = ""
    may_overflow: bool = False

    def over_events(self) -> str:
        """The measure over a group of events."""
        return self._finite(self._call("", ", ".join(filter(None, (self.added, self.held)))))

    def inputs(self) -> list[str]:
        """Columns for the select list of a sub-query."""
        return [f"{sql} AS {name}" for sql, name in ((self.added, "added"), (self.held, "held")) if sql]

    def over_inputs(self) -> str:
        """The measure over rows that have the columns of `inputs`."""
        return self._finite(self._call("", self._names()))

    def state(self) -> str:
        """An intermediate state over such rows."""
        return self._call("State", self._names())

    def merged(self, state: str) -> str:
        """The measure over everything that the states in a column saw."""
        return self._finite(self._call("Merge", state))

    def finished(self, state: str) -> str:
        """The measure over what one state saw."""
        return self._finite(f"finalizeAggregation({state})")

    def rank(self, total: str) -> str:
        """The number itself."""
        return total

    def value(self, found: float | None) -> Value:
        """The number as it is shown."""
        return value_of(found)

    def _call(self, step: str, arguments: str) -> str:
        return f"{self.function}{'If' if self.held else ''}{step}{self.level}({arguments})"

    def _names(self) -> str:
        return ", ".join(name for sql, name in ((self.added, "added"), (self.held, "held")) if sql)

    def _finite(self, sql: str) -> str:
        return f"ifNotFinite({sql}, NULL)" if self.may_overflow else sql


def check_measure(measure: Measure, property_: str | None, path: Sequence[str | int]) -> None:
    """Refuse a measure without the property that it needs, or with one that it cannot use.

    Raises:
        ValidationFailed: names the field `property` under `path`.
    """
    where = [*path, "property"]
    if measure in _WITHOUT_PROPERTY:
        if property_ is not None:
            raise ValidationFailed.at(where, f"is not taken by {measure}")
    elif property_ is None:
        raise ValidationFailed.at(where, f"is required by {measure}")
    elif measure != "uniq" and is_own_field(property_):
        raise ValidationFailed.at(where, f"is no number; {measure} needs one")


def measured(measure: Measure, property_: str | None, bound: Bound) -> Measured:
    """The SQL of a measure of a property; `property_` is None for the measures that take none."""
    if measure == "count":
        return Aggregate(function="count")
    if measure == "uniq_actors":
        return Aggregate(function="uniqExact", added="actor", held="actor != ''")
    if measure == "uniq":
        return _distinct(property_ or "", bound)
    source = read(property_ or "", bound)
    if isinstance(source, OwnField):
        raise TypeError(f"{measure} of {source.column} passed its check")
    number, held = source.of("numbers"), source.is_in("numbers")
    if measure in {"sum", "avg"}:
        return ExactSum(name=source.name, number=number, held=held, average=measure == "avg")
    if measure in _QUANTILES:  # R-7, over all values
        level = _QUANTILES[measure]
        return Aggregate(
            function="quantileExactInclusiveOrNull", level=level, added=number, held=held, may_overflow=True
        )
    return Aggregate(function=f"{measure}OrNull", added=number, held=held)


def empty_value(measure: Measure) -> Value:
    """What nothing measures: 0 for counts and sums, None for the others."""
    return 0 if measure in _ZERO_WHEN_EMPTY else None


def _distinct(key: str, bound: Bound) -> Aggregate:
    """How many different values a property has; each element of a list is one, and the text 1 is not the number 1."""
    source = read(key, bound)
    if isinstance(source, OwnField):
        return Aggregate(function="uniqExact", added=source.column, held=source.present)
    values = (
        f"multiIf({source.held_by('strings')}, [concat('t', {source.of('strings')})],"
        f" {source.held_by('numbers')}, [concat('n', toString({source.of('numbers')} + 0))],"
        f" {source.held_by('texts')}, [concat('o', {source.of('texts')})],"
        f" arrayMap(element -> concat('t', element), {source.of('lists')}))"
    )
    return Aggregate(function="uniqExactArray", added=values)
