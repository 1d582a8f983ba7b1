"""The keys whose values are compared, and how many events or units have each (rules/questions#differences)."""

from collections.abc import Collection, Sequence

import msgspec

from tallyroom.queries.breakdown import to_subquery
from tallyroom.queries.differences.contrast import Contrast
from tallyroom.queries.differences.members import build_members_sql
from tallyroom.queries.keys import spell_property
from tallyroom.queries.query_plan import QueryPlan, query_rows, scoped_where
from tallyroom.storage.event_store.number_texts import HAS_NUMBER_TEXTS_SQL, NUMBER_TEXTS

MAX_KEYS = 5_000  # the most frequent ones

NUMBER_LABEL_SQL = f"ifNull(nullIf(if({HAS_NUMBER_TEXTS_SQL}, {NUMBER_TEXTS}[key], ''), ''), toString(number + 0))"
"""SQL for the label of a `number` of the property `key`; -0 is 0."""

_MAX_INTEGERS = 200  # different ones of a number property whose values are compared
_SAMPLE_EVENTS = 20_000
_STRINGS, _TEXTS, _NUMBERS = 1, 2, 4  # bits of `kinds`
_MAPS = ("strings", "texts", "numbers", "lists")


class ComparedKey(msgspec.Struct, frozen=True, kw_only=True):
    """A property, or a field of the event if it `is_own`, and how many events or units have it, in all and behind.

    The flags are about which of the maps in the store can have a value of it to compare.
    """

    name: str
    is_own: bool
    total_count: int
    drawn_count: int
    has_strings: bool = False
    has_texts: bool = False
    has_integers: bool = False

    @property
    def filter_key(self) -> str:
        """The key as filters name it."""
        return self.name if self.is_own else spell_property(self.name)


class _KeyRow(msgspec.Struct):
    is_own: bool
    key: str
    kinds: int
    total_count: int
    drawn_count: int


class _ExcludedKeyRow(msgspec.Struct):
    key: str


def query_compared_keys(contrast: Contrast, *, by_units: bool) -> QueryPlan[list[ComparedKey]]:
    """Find all keys that the events have; the first is `name`, which each event has."""
    key_rows = yield from _query_keys(contrast, by_units=by_units)
    number_keys = [row.key for row in key_rows if row.kinds & _NUMBERS]
    integer_keys = yield from _query_integer_keys(contrast, number_keys)
    return [
        ComparedKey(
            name=row.key,
            is_own=row.is_own,
            total_count=row.total_count,
            drawn_count=row.drawn_count,
            has_strings=bool(row.kinds & _STRINGS),
            has_texts=bool(row.kinds & _TEXTS),
            has_integers=bool(row.kinds & _NUMBERS) and row.key in integer_keys,
        )
        for row in key_rows
    ]


def _query_keys(contrast: Contrast, *, by_units: bool) -> QueryPlan[list[_KeyRow]]:
    """Count events or units by the keys that they have: there are few combinations."""
    array_names = ["own_fields", *(f"{map_name}_keys" for map_name in _MAPS)]
    own_fields_sql = "if(source = '', ['name'], ['name', '_source'])"
    sql_by_array = dict(zip(array_names, [own_fields_sql, *(f"{map_name}.keys" for map_name in _MAPS)], strict=True))
    combinations_sql = f"""
SELECT {", ".join(array_names)}, count() AS total_count, countIf(is_behind) AS drawn_count
FROM {to_subquery(build_members_sql(contrast, sql_by_array, by_units=by_units))}
GROUP BY {", ".join(array_names)}"""
    kinds_sql = " + ".join(
        f"{kind} * has({map_name}_keys, key)"
        for kind, map_name in zip((_STRINGS, _TEXTS, _NUMBERS), _MAPS, strict=False)
    )
    keys_sql = f"""
SELECT total_count, drawn_count, arrayJoin(arrayConcat(
  arrayMap(key -> (1, key, 0), own_fields),
  arrayMap(key -> (0, key, {kinds_sql}), arrayDistinct(arrayConcat({", ".join(array_names[1:])}))))) AS typed_key
FROM {to_subquery(combinations_sql)}"""
    sql = f"""
SELECT toBool(tupleElement(typed_key, 1)) AS is_own, tupleElement(typed_key, 2) AS key,
  groupBitOr(tupleElement(typed_key, 3)) AS kinds,
  sum(keys.total_count) AS total_count, sum(keys.drawn_count) AS drawn_count
FROM {to_subquery(keys_sql)} AS keys
GROUP BY is_own, key
ORDER BY is_own DESC, total_count DESC, key
LIMIT {MAX_KEYS}"""
    key_rows = yield from query_rows(sql, contrast.parameters, _KeyRow)
    return key_rows


def _query_integer_keys(contrast: Contrast, number_keys: Sequence[str]) -> QueryPlan[Collection[str]]:
    """Find which number properties have only integers, and not too many different ones.

    A sample of the events rules out most of the others, so that the numbers of all events are seldom read.
    """
    for event_limit in (_SAMPLE_EVENTS, None):
        if number_keys:
            sql = _build_excluded_keys_sql(contrast, number_keys, event_limit)
            excluded_rows = yield from query_rows(sql, contrast.parameters, _ExcludedKeyRow)
            excluded_keys = {row.key for row in excluded_rows}
            number_keys = [key for key in number_keys if key not in excluded_keys]
    return set(number_keys)


def _build_excluded_keys_sql(contrast: Contrast, number_keys: Sequence[str], event_limit: int | None) -> str:
    """Return SQL for those of some properties that have other numbers, in all events or in `event_limit` of them."""
    keys_placeholder = contrast.parameters.bind_texts("number_keys", list(number_keys))
    labels_sql = f"arrayMap((key, number) -> (key, number, {NUMBER_LABEL_SQL}), numbers.keys, numbers.values)"
    numbers_sql = f"SELECT {labels_sql} AS labelled_numbers\nFROM events\n{scoped_where(*contrast.conditions)}"
    limit_sql = "" if event_limit is None else f"\nLIMIT {event_limit}"
    return f"""
SELECT tupleElement(labelled_number, 1) AS key
FROM (
  SELECT arrayJoin(labelled_numbers) AS labelled_number
  FROM {to_subquery(numbers_sql + limit_sql)}
)
WHERE has({keys_placeholder}, key)
GROUP BY key
HAVING max(tupleElement(labelled_number, 2) != trunc(tupleElement(labelled_number, 2)))
  OR uniqExact(tupleElement(labelled_number, 3)) > {_MAX_INTEGERS}"""
