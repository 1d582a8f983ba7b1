"""Filters: the values that they accept, and their SQL (rules/questions#filters).

Filters are ANDed; `any` has alternatives. An event without the key matches only `not_exists`. For `eq`, `neq`, `in` and
`not_in`, a text and a number that read the same are equal, because a form or a URL does not know the type; a list is
equal to neither. Booleans and objects count as texts. `contains` ignores case by Unicode's case folding: ``STRASSE``
finds ``straße``.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.core.errors import Detail, ValidationFailed
from tallyroom.core.exact_numbers import find_exact_text
from tallyroom.queries.keys import Key, OwnField, Property, ResolvedKey, resolve_key
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.regex import MAX_REGEX, to_store_pattern
from tallyroom.queries.scalars import FilterValue, Scalar, parse_number, to_text, write_digits_as_text
from tallyroom.storage.event_store.number_texts import HAS_NUMBER_TEXTS_SQL, NUMBER_TEXTS

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
_SIGN_BY_OP = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_POSITIVE_OP_BY_NEGATION = {"neq": "eq", "not_in": "in"}
_OPS_WITHOUT_VALUE, _OPS_WITH_LIST = {"exists", "not_exists"}, {"in", "not_in"}
_OPS_WITH_TEXT = {"contains", "starts_with", "regex"}


class Filter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One condition on an event, or several in `any`, of which it has to meet one.

    `value` is a list for `in` and `not_in`, and absent for `exists` and `not_exists`.
    """

    key: Key | UnsetType = UNSET
    op: Op | UnsetType = UNSET
    value: Scalar | list[Scalar] | UnsetType = UNSET
    any: Annotated[tuple["Filter", ...], Meta(min_length=1, max_length=MAX_ALTERNATIVES)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Keep every digit of integers, on the way to a browser and back, too."""
        msgspec.structs.force_setattr(self, "value", write_digits_as_text(self.value))


Filters = Annotated[tuple[Filter, ...], Meta(max_length=MAX_FILTERS)]


def read_filters(text: str) -> tuple[Filter, ...]:
    """Return filters from JSON."""
    return msgspec.json.decode(text, type=tuple[Filter, ...])


def check_filters(filters: Iterable[Filter], path: Sequence[str | int]) -> None:
    """Raise `ValidationFailed` with each invalid filter under `path`; `patterns.py` checks regular expressions."""
    if details := list(
        chain.from_iterable(_find_errors(filter_, [*path, index]) for index, filter_ in enumerate(filters))
    ):
        raise ValidationFailed.of(details)


def filter_conditions(filters: Iterable[Filter], parameters: QueryParameters) -> list[str]:
    """Return one SQL condition for each filter, true for an event that matches it."""
    return [_build_condition_sql(filter_, parameters) for filter_ in filters]


def _find_errors(filter_: Filter, path: Sequence[str | int]) -> Iterator[Detail]:
    if filter_.any is not UNSET:
        for name in ("key", "op", "value"):
            if getattr(filter_, name) is not UNSET:
                yield Detail([*path, name], "is not valid with any")
        for index, alternative in enumerate(filter_.any):
            alternative_path = [*path, "any", index]
            if alternative.any is UNSET:
                yield from _find_errors(alternative, alternative_path)
            else:
                yield Detail([*alternative_path, "any"], "is not valid within any")
        return
    for name in ("key", "op"):
        if getattr(filter_, name) is UNSET:
            yield Detail([*path, name], "is required")
    if filter_.key is not UNSET and filter_.op is not UNSET and (reason := _value_error(filter_.op, filter_.value)):
        yield Detail([*path, "value"], reason)


def _value_error(op: str, value: FilterValue) -> str:
    if op in _OPS_WITHOUT_VALUE:
        return "" if value is UNSET else f"is not valid with {op}"
    if value is UNSET:
        return "is required"
    values = value if isinstance(value, list) else [value]
    if any(
        isinstance(scalar, int) and not isinstance(scalar, bool) and parse_number(scalar) is None for scalar in values
    ):
        return "is beyond the range of a double; send its digits as a string"
    if op in _OPS_WITH_LIST:
        is_valid_list = isinstance(value, list) and 1 <= len(value) <= MAX_VALUES
        return "" if is_valid_list else f"must be a list of 1 to {MAX_VALUES} values for {op}"
    return f"must be one value for {op}" if isinstance(value, list) else _scalar_error(op, value)


def _scalar_error(op: str, value: Scalar) -> str:
    if op in _SIGN_BY_OP:
        return "" if parse_number(value) is not None else f"must be a number for {op}"
    if op not in _OPS_WITH_TEXT:
        return ""
    if not isinstance(value, str) or not value:
        return f"must be a non-empty string for {op}"
    if op == "regex" and len(value) > MAX_REGEX:
        return f"must have at most {MAX_REGEX} characters for {op}"
    return ""


def _build_condition_sql(filter_: Filter, parameters: QueryParameters) -> str:
    if filter_.any is not UNSET:
        return f"({' OR '.join(filter_conditions(filter_.any, parameters))})"
    if filter_.key is UNSET or filter_.op is UNSET:
        raise TypeError("a filter without a key or an operator passed its check")
    resolved_key = resolve_key(filter_.key, parameters)
    if filter_.op == "exists":
        return resolved_key.present_sql
    if filter_.op == "not_exists":
        return f"NOT {resolved_key.present_sql}"
    if positive_op := _POSITIVE_OP_BY_NEGATION.get(filter_.op):
        match_sql = _build_match_sql(resolved_key, positive_op, filter_.value, parameters)
        return f"({resolved_key.present_sql} AND NOT {match_sql})"
    return _build_match_sql(resolved_key, filter_.op, filter_.value, parameters)


def _build_match_sql(resolved_key: ResolvedKey, op: str, value: FilterValue, parameters: QueryParameters) -> str:
    scalars = [scalar for scalar in (value if isinstance(value, list) else [value]) if scalar is not UNSET]
    if op in _SIGN_BY_OP:
        number_sql = parameters.bind_number("number", parse_number(scalars[0]) or 0.0)
        return _compare_sql(resolved_key, _SIGN_BY_OP[op], number_sql)
    texts = [to_text(scalar) for scalar in scalars]
    if op in {"eq", "in"}:
        return _equal_sql(resolved_key, scalars, parameters)
    if op == "has":
        if isinstance(resolved_key, OwnField):
            return "0"
        return f"has({resolved_key.value_sql('lists')}, {parameters.bind_text('text', texts[0])})"
    if op == "regex":
        return _search_sql(resolved_key, op, parameters.bind_pattern(to_store_pattern(texts[0])))
    return _search_sql(resolved_key, op, parameters.bind_text(op, texts[0]))


def _compare_sql(resolved_key: ResolvedKey, sign: str, number_sql: str) -> str:
    if isinstance(resolved_key, OwnField):
        return "0"
    return f"({resolved_key.in_map_sql('numbers')} AND {resolved_key.value_sql('numbers')} {sign} {number_sql})"


def _equal_sql(resolved_key: ResolvedKey, scalars: list[Scalar], parameters: QueryParameters) -> str:
    texts = [to_text(scalar) for scalar in scalars]
    if isinstance(resolved_key, OwnField):
        return f"({resolved_key.present_sql} AND {_one_of_sql(resolved_key.column, texts, parameters)})"
    alternatives = [_one_of_sql(resolved_key.value_sql("strings"), texts, parameters)]
    if "" in texts:  # an absent string also reads as ""
        alternatives = [f"({resolved_key.in_map_sql('strings')} AND {alternatives[0]})"]
    if json_texts := [text for text in texts if text in {"true", "false"} or text.startswith("{")]:
        alternatives.append(_one_of_sql(resolved_key.value_sql("texts"), json_texts, parameters))
    alternatives += _equal_number_conditions(resolved_key, scalars, parameters)
    return f"({' OR '.join(alternatives)})" if len(alternatives) > 1 else alternatives[0]


def _equal_number_conditions(property_: Property, scalars: list[Scalar], parameters: QueryParameters) -> Iterator[str]:
    """Compare numbers by their exact text if they have one and the store's may be read, else as doubles."""
    in_map_sql, number_sql = property_.in_map_sql("numbers"), property_.value_sql("numbers")
    has_text_sql = property_.has_number_text_sql
    plain_numbers, wide_numbers, exact_texts = [], [], []
    for scalar in scalars:
        if (number := parse_number(scalar)) is None:
            continue
        if exact_text := find_exact_text(to_text(scalar)):
            wide_numbers.append(number)
            exact_texts.append(exact_text)
        else:
            plain_numbers.append(number)
    if plain_numbers:
        has_number_sql = f"has({parameters.bind_numbers('numbers', plain_numbers)}, {number_sql})"
        yield f"({in_map_sql} AND {has_number_sql} AND NOT {has_text_sql})"
    if exact_texts:
        is_text_sql = f"has({parameters.bind_texts('exact', exact_texts)}, {property_.value_sql(NUMBER_TEXTS)})"
        has_number_sql = f"has({parameters.bind_numbers('numbers', wide_numbers)}, {number_sql})"
        yield f"({has_text_sql} AND {is_text_sql})"
        yield f"({HAS_NUMBER_TEXTS_SQL} = 0 AND {in_map_sql} AND {has_number_sql})"


def _one_of_sql(expression: str, texts: list[str], parameters: QueryParameters) -> str:
    if len(texts) == 1:
        return f"{expression} = {parameters.bind_text('text', texts[0])}"
    return f"has({parameters.bind_texts('texts', texts)}, {expression})"


def _search_sql(resolved_key: ResolvedKey, op: str, text_sql: str) -> str:
    def match_sql(expression: str) -> str:
        if op == "contains":
            return f"position(caseFoldUTF8({expression}), caseFoldUTF8({text_sql})) > 0"
        return f"{'startsWith' if op == 'starts_with' else 'match'}({expression}, {text_sql})"

    if isinstance(resolved_key, OwnField):
        return f"({resolved_key.present_sql} AND {match_sql(resolved_key.column)})"
    in_map_sql, value_sql = resolved_key.in_map_sql, resolved_key.value_sql
    match_conditions = [f"({in_map_sql(name)} AND {match_sql(value_sql(name))})" for name in ("strings", "texts")]
    return f"({' OR '.join(match_conditions)} OR arrayExists(element -> {match_sql('element')}, {value_sql('lists')}))"
