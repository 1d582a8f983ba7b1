"""Filters: the values that they accept, and the SQL that they become (rules/questions#filters).

Filters are ANDed; in a list, `any` stands for several of which one is enough. An event without the key matches only
`not_exists`. For `eq`, `neq`, `in` and `not_in`, a text and a
number that read the same are equal, so that neither a form nor a URL has to know the type; a list is equal to neither.
`has` is true for a list with this element. `gt`, `gte`, `lt` and `lte` compare numbers only; `contains`, `starts_with`
and `regex` look at texts and at the elements of lists. Booleans and objects count as texts here.
`contains` ignores case by Unicode's case folding: ``STRASSE`` finds ``straße``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.core.errors import Detail, ValidationFailed
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.keys import Key, OwnField, Property, read
from tallyroom.queries.regex import MAX_REGEX, for_store

MAX_FILTERS = 20
MAX_ALTERNATIVES = 10
MAX_VALUES = 100

Op = Literal[
    "eq",
    "neq",
    "contains",
    "has",
    "gt",
    "gte",
    "lt",
    "lte",
    "in",
    "not_in",
    "exists",
    "not_exists",
    "starts_with",
    "regex",
]
Scalar = str | bool | int | float

_SIGNS = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_NOT = {"neq": "eq", "not_in": "in"}
_WITHOUT_VALUE = {"exists", "not_exists"}
_WITH_LIST = {"in", "not_in"}
_WITH_TEXT = {"contains", "starts_with", "regex"}

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_INFINITE = float("inf")
_MIN_PLAIN, _FIRST_WITH_EXPONENT = 1e-6, 1e21
_MIN_INTEGER, _MAX_INTEGER = -(2**63), 2**64 - 1


class Filter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One condition on an event, or several of which it has to meet one.

    Attributes:
        key: what to look at.
        op: how.
        value: a list for `in` and `not_in`, and absent for `exists` and `not_exists`.
        any: alternatives, each with a key of its own; all else is absent then.
    """

    key: Key | UnsetType = UNSET
    op: Op | UnsetType = UNSET
    value: Scalar | list[Scalar] | UnsetType = UNSET
    any: Annotated[tuple["Filter", ...], Meta(min_length=1, max_length=MAX_ALTERNATIVES)] | UnsetType = UNSET


Filters = Annotated[tuple[Filter, ...], Meta(max_length=MAX_FILTERS)]


def read_filters(text: str) -> tuple[Filter, ...]:
    """Return filters that were stored as JSON."""
    return msgspec.json.decode(text, type=tuple[Filter, ...])


def check_filters(filters: Iterable[Filter], path: Sequence[str | int]) -> None:
    """Refuse what types cannot say; patterns.py checks the regular expressions themselves.

    Args:
        filters: the filters that a client sent.
        path: their path in the request.

    Raises:
        ValidationFailed: names each wrong filter and says why.
    """
    if wrong := list(chain.from_iterable(_wrong(filter_, [*path, index]) for index, filter_ in enumerate(filters))):
        raise ValidationFailed.of(wrong)


def conditions(filters: Iterable[Filter], bound: Bound) -> list[str]:
    """Return one SQL condition for each of `filters`, true for an event that matches it."""
    return [_condition(filter_, bound) for filter_ in filters]


def number_of(value: Scalar | list[Scalar] | UnsetType) -> float | None:
    """Return the number that a value is or reads as; None for other values and those beyond the range of a double."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) < _INFINITE else None


def text_of(value: Scalar) -> str:
    """Return a value as the text that it becomes as a list element; whole numbers have no decimal point."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else _spelled(value)


def _spelled(number: float) -> str:
    """Write a double as the store does: without an exponent from a millionth up to 10^21."""
    if number == 0:
        return "0"
    if _MIN_PLAIN <= abs(number) < _FIRST_WITH_EXPONENT:
        return format(Decimal(repr(number)), "f").removesuffix(".0")
    return re.sub(r"e[+]?(-?)0*", r"e\1", repr(number))


def _wrong(filter_: Filter, path: Sequence[str | int]) -> Iterator[Detail]:
    if filter_.any is not UNSET:
        for name in ("key", "op", "value"):
            if getattr(filter_, name) is not UNSET:
                yield Detail([*path, name], "is not valid beside any")
        for index, alternative in enumerate(filter_.any):
            at = [*path, "any", index]
            yield from (
                _wrong(alternative, at)
                if alternative.any is UNSET
                else [Detail([*at, "any"], "is not valid within any")]
            )
        return
    for name in ("key", "op"):
        if getattr(filter_, name) is UNSET:
            yield Detail([*path, name], "is required")
    if filter_.key is not UNSET and filter_.op is not UNSET and (reason := _wrong_value(filter_.op, filter_.value)):
        yield Detail([*path, "value"], reason)


def _wrong_value(op: str, value: Scalar | list[Scalar] | UnsetType) -> str:
    if op in _WITHOUT_VALUE:
        return "" if value is UNSET else f"is not valid with {op}"
    if value is UNSET:
        return "is required"
    values = value if isinstance(value, list) else [value]
    if any(isinstance(scalar, int) and not _MIN_INTEGER <= scalar <= _MAX_INTEGER for scalar in values):
        return "does not fit in 64 bits; send its digits as a text"
    if op in _WITH_LIST:
        fits = isinstance(value, list) and 1 <= len(value) <= MAX_VALUES
        return "" if fits else f"must be a list of 1 to {MAX_VALUES} values for {op}"
    return f"must be one value for {op}" if isinstance(value, list) else _wrong_scalar(op, value)


def _wrong_scalar(op: str, value: Scalar) -> str:
    if op in _SIGNS:
        return "" if number_of(value) is not None else f"must be a number for {op}"
    if op not in _WITH_TEXT:
        return ""
    if not isinstance(value, str) or not value:
        return f"must be a text of at least one character for {op}"
    if op == "regex" and len(value) > MAX_REGEX:
        return f"must have at most {MAX_REGEX} characters for {op}"
    return ""


def _condition(filter_: Filter, bound: Bound) -> str:
    if filter_.any is not UNSET:
        return f"({' OR '.join(conditions(filter_.any, bound))})"
    if filter_.key is UNSET or filter_.op is UNSET:
        raise TypeError("a filter without a key or an operator passed its check")
    source = read(filter_.key, bound)
    if filter_.op == "exists":
        return source.present
    if filter_.op == "not_exists":
        return f"NOT {source.present}"
    if positive := _NOT.get(filter_.op):
        return f"({source.present} AND NOT {_match(source, positive, filter_.value, bound)})"
    return _match(source, filter_.op, filter_.value, bound)


def _match(source: OwnField | Property, op: str, value: Scalar | list[Scalar] | UnsetType, bound: Bound) -> str:
    scalars = [scalar for scalar in (value if isinstance(value, list) else [value]) if scalar is not UNSET]
    if op in _SIGNS:
        return _compared(source, _SIGNS[op], bound.number("number", number_of(scalars[0]) or 0.0))
    texts = [text_of(scalar) for scalar in scalars]
    if op in {"eq", "in"}:
        return _equal(source, texts, [number for scalar in scalars if (number := number_of(scalar)) is not None], bound)
    if op == "has":
        return f"has({source.of('lists')}, {bound.text('text', texts[0])})" if isinstance(source, Property) else "0"
    return _looked_at(source, op, bound.pattern(for_store(texts[0])) if op == "regex" else bound.text(op, texts[0]))


def _compared(source: OwnField | Property, sign: str, number: str) -> str:
    if isinstance(source, OwnField):
        return "0"
    return f"({source.held_by('numbers')} AND {source.of('numbers')} {sign} {number})"


def _equal(source: OwnField | Property, texts: list[str], numbers: list[float], bound: Bound) -> str:
    if isinstance(source, OwnField):
        return f"({source.present} AND {_one_of(source.column, texts, bound)})"
    alternatives = [_one_of(source.of("strings"), texts, bound)]
    if "" in texts:  # an absent string also reads as ""
        alternatives = [f"({source.held_by('strings')} AND {alternatives[0]})"]
    json_texts = [text for text in texts if text in {"true", "false"} or text.startswith("{")]
    if json_texts:
        alternatives.append(_one_of(source.of("texts"), json_texts, bound))
    if numbers:
        one = f"has({bound.numbers('numbers', numbers)}, {source.of('numbers')})"
        alternatives.append(f"({source.held_by('numbers')} AND {one})")
    return f"({' OR '.join(alternatives)})" if len(alternatives) > 1 else alternatives[0]


def _one_of(expression: str, texts: list[str], bound: Bound) -> str:
    if len(texts) == 1:
        return f"{expression} = {bound.text('text', texts[0])}"
    return f"has({bound.texts('texts', texts)}, {expression})"


def _looked_at(source: OwnField | Property, op: str, text: str) -> str:
    """Return SQL that is true if one of the source's texts contains, starts with, or matches `text`."""

    def matches(expression: str) -> str:
        if op == "contains":
            return f"position(caseFoldUTF8({expression}), caseFoldUTF8({text})) > 0"
        return f"{'startsWith' if op == 'starts_with' else 'match'}({expression}, {text})"

    if isinstance(source, OwnField):
        return f"({source.present} AND {matches(source.column)})"
    single = [f"({source.held_by(kind)} AND {matches(source.of(kind))})" for kind in ("strings", "texts")]
    return f"({' OR '.join(single)} OR arrayExists(element -> {matches('element')}, {source.of('lists')}))"
