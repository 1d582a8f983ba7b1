"""The properties whose values are compared, and in which of the store's maps they are (rules/questions#differences)."""

from collections.abc import Collection
from typing import Final

import msgspec

from tallyroom.queries.differences.contrast import Contrast, MapName, NamesByMap
from tallyroom.queries.query_plan import UNION_ALL, QueryPlan, query_rows, scoped_where, to_subquery
from tallyroom.storage.event_store.number_texts import HAS_NUMBER_TEXTS_SQL, NUMBER_TEXTS

MAX_PROPERTIES: Final = 5_000  # in order of their names
NUMBER_LABEL_SQL: Final = (
    f"ifNull(nullIf(if({HAS_NUMBER_TEXTS_SQL}, {NUMBER_TEXTS}[key], ''), ''), toString(number + 0))"
)
"""SQL for the label of a `number` of the property `key`; -0 is 0."""

_MAP_NAMES: tuple[MapName, ...] = ("strings", "texts", "numbers", "lists")
_MAX_INTEGERS = 200  # different ones of a number property that is compared
_SAMPLE_EVENTS = 5_000  # their doubles are at most as many as the labels of their numbers


class ComparedProperties(msgspec.Struct, frozen=True):
    """The properties to compare, and all properties in each map; of the `numbers`, only the `integers` are compared."""

    names: list[str]
    names_by_map: NamesByMap
    integers: set[str]


class _SampleRow(msgspec.Struct):
    map: MapName
    name: str
    has_other_numbers: bool


class _NamesRow(msgspec.Struct):
    map: MapName
    names: list[str]


class _NameRow(msgspec.Struct):
    name: str


def query_compared_properties(contrast: Contrast) -> QueryPlan[ComparedProperties]:
    """Find the properties to compare: those with texts or booleans, or with few numbers that are all integers.

    Some events have nearly all names, and rule out most number properties, so that other events are seldom read.
    """
    sample_rows = yield from query_rows(_build_sample_sql(contrast), contrast.parameters, _SampleRow)
    names_by_map: dict[MapName, set[str]] = {map_name: set() for map_name in _MAP_NAMES}
    for sample_row in sample_rows:
        names_by_map[sample_row.map].add(sample_row.name)
    for names_row in (
        yield from query_rows(_build_other_names_sql(contrast, names_by_map), contrast.parameters, _NamesRow)
    ):
        names_by_map[names_row.map].update(names_row.names)
    integers = names_by_map["numbers"] - {row.name for row in sample_rows if row.has_other_numbers}
    if integers:
        sql = _build_other_numbers_sql(contrast, integers)
        integers -= {row.name for row in (yield from query_rows(sql, contrast.parameters, _NameRow))}
    names = sorted(names_by_map["strings"] | names_by_map["texts"] | integers)
    return ComparedProperties(names[:MAX_PROPERTIES], names_by_map, integers)


def _build_sample_sql(contrast: Contrast) -> str:
    """Return SQL for the properties of some events, by map, and whether they have other numbers than few integers."""
    columns = [f"{map_name}.keys AS {map_name}_keys" for map_name in _MAP_NAMES]
    events_sql = f"""
SELECT {", ".join(columns)}, numbers.values AS numbers_values
FROM events
{scoped_where(*contrast.conditions)}
LIMIT {_SAMPLE_EVENTS}"""
    entries = [
        f"arrayMap(key -> ('{map_name}', key, 0.), {map_name}_keys)" for map_name in _MAP_NAMES if map_name != "numbers"
    ]
    entries.append("arrayMap((key, number) -> ('numbers', key, number), numbers_keys, numbers_values)")
    return f"""
SELECT tupleElement(entry, 1) AS map, tupleElement(entry, 2) AS name,
  toBool({_has_other_numbers_sql("tupleElement(entry, 3)", "tupleElement(entry, 3)")}) AS has_other_numbers
FROM (
  SELECT arrayJoin(arrayConcat({", ".join(entries)})) AS entry
  FROM {to_subquery(events_sql)}
)
GROUP BY map, name"""


def _build_other_names_sql(contrast: Contrast, names_by_map: NamesByMap) -> str:
    """Return SQL for the properties of events that have others than those of the sample, by map.

    Usually no event does, which the store learns from its indexes of keys without reading events.
    """
    selects = []
    for map_name, names in names_by_map.items():
        names_placeholder = contrast.parameters.bind_texts(f"known_{map_name}", sorted(names))
        where_sql = scoped_where(*contrast.conditions, f"NOT hasAll({names_placeholder}, mapKeys({map_name}))")
        selects.append(
            f"SELECT '{map_name}' AS map, groupUniqArrayArray(mapKeys({map_name})) AS names\nFROM events\n{where_sql}"
        )
    return UNION_ALL.join(selects)


def _build_other_numbers_sql(contrast: Contrast, names: Collection[str]) -> str:
    """Return SQL for those of some properties that have other numbers than few integers."""
    labels_sql = f"arrayMap((key, number) -> (key, number, {NUMBER_LABEL_SQL}), numbers.keys, numbers.values)"
    events_sql = f"SELECT arrayJoin({labels_sql}) AS entry\nFROM events\n{scoped_where(*contrast.conditions)}"
    return f"""
SELECT tupleElement(entry, 1) AS name
FROM {to_subquery(events_sql)}
WHERE has({contrast.parameters.bind_texts("number_names", sorted(names))}, name)
GROUP BY name
HAVING {_has_other_numbers_sql("tupleElement(entry, 2)", "tupleElement(entry, 3)")}"""


def _has_other_numbers_sql(number_sql: str, label_sql: str) -> str:
    """Return SQL that is true for numbers that are not all integers, or have too many labels."""
    labels_sql = f"groupUniqArray({_MAX_INTEGERS + 1})({label_sql})"
    return f"max({number_sql} != trunc({number_sql})) OR length({labels_sql}) > {_MAX_INTEGERS}"
