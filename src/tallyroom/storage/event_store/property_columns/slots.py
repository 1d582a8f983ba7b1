"""Slots in the text of a query for what it reads of a property; the reader fills each from a map or from a column.

A slot names what is read, one of the maps, and the placeholder of the property's key: ``{value:strings, key}``. One has
no key: `HAS_NUMBER_TEXTS_SQL`.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from tallyroom.storage.event_store.number_texts import HAS_NUMBER_TEXTS_SQL, NUMBER_TEXTS

SlotName = Literal["in_map", "has_value", "value", "value_rows", "skip_hint"]

_SLOT_PATTERN = re.compile(r"\{(in_map|has_value|value|value_rows|skip_hint):(\w+), (\w+)\}")

_MAP_SQL_BY_SLOT = {
    # As a condition, this skips blocks of events without the key.
    "in_map": "has(mapKeys({map}), {key})",
    # In these forms, the store reads the keys of a map once for both.
    "has_value": "indexOf({map}.keys, {key}) > 0",
    "value": "{map}.values[indexOf({map}.keys, {key})]",
    "value_rows": "arrayJoin(arraySlice({map}.values, indexOf({map}.keys, {key}), 1))",
    "skip_hint": "indexHint(has(mapKeys({map}), {key}))",
}
_COLUMN_SQL_BY_SLOT = {
    "in_map": "isNotNull({column})",
    "has_value": "isNotNull({column})",
    "value": "assumeNotNull({column})",  # where it is NULL, the column holds the empty value of its type
    "value_rows": "assumeNotNull({column})",
    "skip_hint": "isNotNull({column})",
}
_NO_NUMBER_TEXT_SQL_BY_SLOT = {
    "in_map": "0",
    "has_value": "0",
    "value": "''",
    "value_rows": "arrayJoin(emptyArrayString())",
    "skip_hint": "0",
}


class PropertyRead(NamedTuple):
    """A property that a query reads in one of the maps, whether from the map or from a column."""

    map_name: str
    key: str


class CompiledQuery(NamedTuple):
    """The text of a query without slots, what it reads of properties, and whether it names any property column."""

    sql: str
    property_reads: frozenset[PropertyRead]
    uses_columns: bool


def slot_sql(name: SlotName, map_name: str, placeholder_name: str) -> str:
    """Return a slot for the text of a query."""
    return f"{{{name}:{map_name}, {placeholder_name}}}"


def compile_slots(
    sql: str,
    parameters: Mapping[str, Any],
    find_column: Callable[[PropertyRead], str | None],
    *,
    has_number_texts: bool,
) -> CompiledQuery:
    """Fill the slots of a query. `find_column` returns the name of the column to read instead of a map, or None."""
    column_by_read: dict[PropertyRead, str | None] = {}
    number_text_sql_by_slot = _MAP_SQL_BY_SLOT if has_number_texts else _NO_NUMBER_TEXT_SQL_BY_SLOT

    def fill_slot(match: re.Match[str]) -> str:
        slot_name, map_name, placeholder_name = match.groups()
        key_sql = f"{{{placeholder_name}:String}}"
        if map_name == NUMBER_TEXTS:
            return number_text_sql_by_slot[slot_name].format(map=map_name, key=key_sql)
        property_read = PropertyRead(map_name, parameters[placeholder_name])
        if property_read not in column_by_read:
            column_by_read[property_read] = find_column(property_read)
        if column := column_by_read[property_read]:
            return _COLUMN_SQL_BY_SLOT[slot_name].format(column=column)
        return _MAP_SQL_BY_SLOT[slot_name].format(map=map_name, key=key_sql)

    compiled_sql = _SLOT_PATTERN.sub(fill_slot, sql).replace(HAS_NUMBER_TEXTS_SQL, str(int(has_number_texts)))
    return CompiledQuery(compiled_sql, frozenset(column_by_read), any(column_by_read.values()))
