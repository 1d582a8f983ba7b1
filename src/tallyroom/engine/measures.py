"""Measures: what is counted or computed over events (contract 7)."""

from collections.abc import Sequence
from typing import Literal

from tallyroom.core.errors import ValidationFailed
from tallyroom.engine.bound import Bound
from tallyroom.engine.keys import OwnField, is_own_field, read

Measure = Literal["count", "sum", "avg", "min", "max", "uniq", "uniq_actors", "median", "p95", "p99"]

_WITHOUT_PROPERTY = {"count", "uniq_actors"}
_ZERO_WHEN_EMPTY = {"count", "sum", "uniq", "uniq_actors"}
_QUANTILES = {"median": "0.5", "p95": "0.95", "p99": "0.99"}


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


def empty_value(measure: Measure) -> int | None:
    """What a bucket without events has: 0 for counts and sums, None for the others."""
    return 0 if measure in _ZERO_WHEN_EMPTY else None


def aggregate(measure: Measure, property_: str | None, bound: Bound, where: str = "") -> str:
    """SQL of a measure over a group of events; NULL where it has no value.

    Args:
        measure: what to compute.
        property_: of what; None for those that take none.
        bound: gets the property's key.
        where: SQL that is true for the events that count; "" for all.
    """
    if measure == "count":
        return f"countIf({where})" if where else "count()"
    if measure == "uniq_actors":
        return f"uniqExactIf(actor, {_both('actor != ' + repr(''), where)})"
    if measure == "uniq":
        return _distinct(property_ or "", bound, where)
    source = read(property_ or "", bound)
    if isinstance(source, OwnField):  # refused by check_measure
        return "NULL"
    number, present = source.of("numbers"), _both(source.held_by("numbers"), where)
    if measure in _QUANTILES:  # R-7, over all values
        return f"quantileExactInclusiveOrNullIf({_QUANTILES[measure]})({number}, {present})"
    return f"{measure}If({number}, {present})" if measure == "sum" else f"{measure}OrNullIf({number}, {present})"


def _distinct(key: str, bound: Bound, where: str) -> str:
    """How many different values a property has; each element of a list is one, and the text 1 is not the number 1."""
    source = read(key, bound)
    if isinstance(source, OwnField):
        return f"uniqExactIf({source.column}, {_both(source.present, where)})"
    values = (
        f"multiIf({source.held_by('strings')}, [concat('t', {source.of('strings')})],"
        f" {source.held_by('numbers')}, [concat('n', toString({source.of('numbers')} + 0))],"
        f" {source.held_by('texts')}, [concat('o', {source.of('texts')})],"
        f" arrayMap(element -> concat('t', element), {source.of('lists')}))"
    )
    return f"uniqExactArrayIf({values}, {where})" if where else f"uniqExactArray({values})"


def _both(one: str, other: str) -> str:
    return f"{one} AND {other}" if other else one
