"""The properties whose values are compared, and in which of the store's maps they are (rules/questions#differences)."""

from collections.abc import Collection
from typing import Final

import msgspec

from tallyroom.queries.breakdown import to_subquery
from tallyroom.queries.differences.contrast import Contrast, MapName, NamesByMap
from tallyroom.queries.query_plan import UNION_ALL, QueryPlan, query_rows, scoped_where
from tallyroom.storage.event_store.number_texts import HAS_NUMBER_TEXTS_SQL, NUMBER_TEXTS

MAX_PROPERTIES: Final = 5_000  # in order of their names
NUMBER_LABEL_SQL: Final = (
    f"ifNull(nullIf(if({HAS_NUMBER_TEXTS_SQL}, {NUMBER_TEXTS}[key], ''), ''), toString(number + 0))"
)
"""SQL for the label of a `number` of the property `key`; -0 is 0."""

_MAP_NAMES: tuple[MapName, ...] = ("strings", "texts", "numbers", "lists")
_MAX_INTEGERS = 200  # different ones of a number property that is compared
_SAMPLE_EVENTS = 5_000


class ComparedProperties(msgspec.Struct, frozen=True):
    """The properties to compare, and all properties in each map; of the `numbers`, only the `integers` are compared."""

    names: list[str]
    names_by_map: NamesByMap
    integers: set[str]


class _NamesRow(msgspec.Struct):
    map: MapName
    names: list[str]


class _NameRow(msgspec.Struct):
    name: str


def query_compared_properties(contrast: Contrast) -> QueryPlan[ComparedProperties]:
    """Find the properties to compare: those with texts or booleans, or with few numbers that are all integers."""
    names_by_map = yield from _query_names(contrast)
    integers = yield from _query_integers(contrast, names_by_map["numbers"])
    names = sorted(names_by_map["strings"] | names_by_map["texts"] | integers)
    return ComparedProperties(names[:MAX_PROPERTIES], names_by_map, integers)


def _query_names(contrast: Contrast) -> QueryPlan[dict[MapName, set[str]]]:
    """Find the properties of some events, and then of all events with others.

    Usually there are no others, which the store learns from its indexes of keys, without reading events.
    """
    names_by_map: dict[MapName, set[str]] = {map_name: set() for map_name in _MAP_NAMES}
    for row in (yield from query_rows(_build_sample_sql(contrast), contrast.parameters, _NamesRow)):
        names_by_map[row.map].update(row.names)
    other_names_sql = UNION_ALL.join(
        _build_other_names_sql(contrast, map_name, names) for map_name, names in names_by_map.items()
    )
    for row in (yield from query_rows(other_names_sql, contrast.parameters, _NamesRow)):
        names_by_map[row.map].update(row.names)
    return names_by_map


def _build_sample_sql(contrast: Contrast) -> str:
    columns_sql = ", ".join(f"{map_name}.keys AS {map_name}_keys" for map_name in _MAP_NAMES)
    events_sql = f"SELECT {columns_sql}\nFROM events\n{scoped_where(*contrast.conditions)}\nLIMIT {_SAMPLE_EVENTS}"
    pairs_sql = ", ".join(f"('{map_name}', groupUniqArrayArray({map_name}_keys))" for map_name in _MAP_NAMES)
    return f"""
SELECT tupleElement(pair, 1) AS map, tupleElement(pair, 2) AS names
FROM (
  SELECT arrayJoin([{pairs_sql}]) AS pair
  FROM {to_subquery(events_sql)}
)"""


def _build_other_names_sql(contrast: Contrast, map_name: MapName, known_names: Collection[str]) -> str:
    known_placeholder = contrast.parameters.bind_texts(f"known_{map_name}", sorted(known_names))
    where_sql = scoped_where(*contrast.conditions, f"NOT hasAll({known_placeholder}, mapKeys({map_name}))")
    return f"SELECT '{map_name}' AS map, groupUniqArrayArray(mapKeys({map_name})) AS names\nFROM events\n{where_sql}"


def _query_integers(contrast: Contrast, number_names: Collection[str]) -> QueryPlan[set[str]]:
    """Find which number properties have only integers, and not too many different ones.

    Some events rule out most of the others, so that the numbers of all events are seldom read.
    """
    integers = set(number_names)
    for event_limit in (_SAMPLE_EVENTS, None):
        if integers:
            sql = _build_other_numbers_sql(contrast, integers, event_limit)
            integers -= {row.name for row in (yield from query_rows(sql, contrast.parameters, _NameRow))}
    return integers


def _build_other_numbers_sql(contrast: Contrast, names: Collection[str], event_limit: int | None) -> str:
    """Return SQL for those of some properties that have other numbers, in all events or in `event_limit` of them."""
    label_sql = NUMBER_LABEL_SQL if event_limit is None else "number"  # doubles are at most as many as their labels
    labels_sql = f"arrayMap((key, number) -> (key, number, {label_sql}), numbers.keys, numbers.values)"
    events_sql = f"SELECT {labels_sql} AS entries\nFROM events\n{scoped_where(*contrast.conditions)}"
    if event_limit is not None:
        events_sql += f"\nLIMIT {event_limit}"
    return f"""
SELECT tupleElement(entry, 1) AS name
FROM (
  SELECT arrayJoin(entries) AS entry
  FROM {to_subquery(events_sql)}
)
WHERE has({contrast.parameters.bind_texts("number_names", sorted(names))}, name)
GROUP BY name
HAVING max(tupleElement(entry, 2) != trunc(tupleElement(entry, 2)))
  OR uniqExact(tupleElement(entry, 3)) > {_MAX_INTEGERS}"""
