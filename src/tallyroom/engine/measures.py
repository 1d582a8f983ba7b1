"""Measures: what is counted or computed over events (contract 7)."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from tallyroom.core.errors import ValidationFailed
from tallyroom.engine.bound import Bound
from tallyroom.engine.keys import OwnField, is_own_field, read

Measure = Literal["count", "sum", "avg", "min", "max", "uniq", "uniq_actors", "median", "p95", "p99"]
Value = int | float | None
"""What a measure answers: a whole number as one, and None where it has no value or one beyond the range of a double."""

_WITHOUT_PROPERTY = {"count", "uniq_actors"}
_ZERO_WHEN_EMPTY = {"count", "sum", "uniq", "uniq_actors"}
_QUANTILES = {"median": "(0.5)", "p95": "(0.95)", "p99": "(0.99)"}
_MOST_EXACT = 2**53


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """A measure as SQL, in the two halves that meet in `over`: what each event adds, and what becomes of it.

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
        """The measure over a group of events; NULL where it has no value."""
        return self._finite(self._call("", ", ".join(filter(None, (self.added, self.held)))))

    def inputs(self) -> list[str]:
        """Columns for the select list of a sub-query, over which `over_inputs` then computes the measure."""
        return [f"{sql} AS {name}" for sql, name in ((self.added, "added"), (self.held, "held")) if sql]

    def over_inputs(self) -> str:
        """The measure over rows that have the columns of `inputs`."""
        return self._finite(self._call("", self._names()))

    def state(self) -> str:
        """An intermediate state over such rows, to be merged with others or finished."""
        return self._call("State", self._names())

    def merged(self, state: str) -> str:
        """The measure over everything that the states in a column saw."""
        return self._finite(self._call("Merge", state))

    def finished(self, state: str) -> str:
        """The measure over what one state saw."""
        return self._finite(f"finalizeAggregation({state})")

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
        return Measured(function="count")
    if measure == "uniq_actors":
        return Measured(function="uniqExact", added="actor", held="actor != ''")
    if measure == "uniq":
        return _distinct(property_ or "", bound)
    source = read(property_ or "", bound)
    if isinstance(source, OwnField):
        raise TypeError(f"{measure} of {source.column} passed its check")
    number, held = source.of("numbers"), source.held_by("numbers")
    if measure in _QUANTILES:  # R-7, over all values
        level = _QUANTILES[measure]
        return Measured(
            function="quantileExactInclusiveOrNull", level=level, added=number, held=held, may_overflow=True
        )
    function = measure if measure == "sum" else f"{measure}OrNull"
    return Measured(function=function, added=number, held=held, may_overflow=measure in {"sum", "avg"})


def empty_value(measure: Measure) -> Value:
    """What nothing measures: 0 for counts and sums, None for the others."""
    return 0 if measure in _ZERO_WHEN_EMPTY else None


def value_of(number: float | None) -> Value:
    """A number of the store as an answer shows it: 3 and not 3.0."""
    if number is not None and number.is_integer() and abs(number) < _MOST_EXACT:
        return int(number)
    return number


def _distinct(key: str, bound: Bound) -> Measured:
    """How many different values a property has; each element of a list is one, and the text 1 is not the number 1."""
    source = read(key, bound)
    if isinstance(source, OwnField):
        return Measured(function="uniqExact", added=source.column, held=source.present)
    values = (
        f"multiIf({source.held_by('strings')}, [concat('t', {source.of('strings')})],"
        f" {source.held_by('numbers')}, [concat('n', toString({source.of('numbers')} + 0))],"
        f" {source.held_by('texts')}, [concat('o', {source.of('texts')})],"
        f" arrayMap(element -> concat('t', element), {source.of('lists')}))"
    )
    return Measured(function="uniqExactArray", added=values)
