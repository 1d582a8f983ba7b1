"""The part of an event that the key of a filter, a breakdown or a measure reads, as SQL (rules/questions#keys).

A bare ``_actor``, ``_actorLabel``, ``_source`` or ``name`` is the event's own field, where "" means absent. Any other
key names a property, and ``prop:KEY`` always does. A property is in exactly one of four maps: `strings`, `texts`
(booleans and objects), `numbers` or `lists`; null and empty lists are in none.
"""

from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.storage.event_store.number_texts import NUMBER_TEXTS
from tallyroom.storage.event_store.property_columns.slots import slot_sql

OWN_FIELDS = {"_actor": "actor", "_actorLabel": "actor_label", "_source": "source", "name": "name"}  # to columns
PROPERTY_PREFIX = "prop:"
GROUP = "_group"  # in a breakdown, the default group key; elsewhere, the property of that name

Key = Annotated[str, Meta(min_length=1, max_length=65_536)]


class OwnField(msgspec.Struct, frozen=True):
    """A field of the event itself."""

    column: str

    @property
    def present_sql(self) -> str:
        """SQL that is true if the event has the field."""
        return f"{self.column} != ''"


class Property(msgspec.Struct, frozen=True):
    """A property; `placeholder` represents its key."""

    placeholder: str

    @property
    def placeholder_name(self) -> str:
        """The name of the placeholder, unique among the keys of a query."""
        return self.placeholder.strip("{}").partition(":")[0]

    @property
    def present_sql(self) -> str:
        """SQL that is true if the event has the property."""
        return f"({' OR '.join(self.in_map_sql(map_name) for map_name in ('strings', 'numbers', 'texts', 'lists'))})"

    def in_map_sql(self, map_name: str) -> str:
        """Return SQL that is true if the property is in this map; as a condition, it skips blocks without the key."""
        return slot_sql("in_map", map_name, self.placeholder_name)

    def value_sql(self, map_name: str) -> str:
        """Return SQL for the value in this map; "", 0 or an empty list if the property is in another map."""
        return slot_sql("value", map_name, self.placeholder_name)

    @property
    def has_number_text_sql(self) -> str:
        """SQL that is true if the property is a number whose text is in the map of exact texts, if they may be read."""
        return self.in_map_sql(NUMBER_TEXTS)

    def has_index_sql(self, map_name: str) -> str:
        """Return the condition of `in_map_sql` without skipping blocks; next to `value_sql`, it costs nothing extra."""
        return slot_sql("has_value", map_name, self.placeholder_name)

    def value_rows_sql(self, map_name: str) -> str:
        """Return SQL with one row for the value in this map, and none if there is none; needs `skip_hint_sql`."""
        return slot_sql("value_rows", map_name, self.placeholder_name)

    def skip_hint_sql(self, map_name: str) -> str:
        """Return a condition that skips events, usually whole blocks of them, in which the property is not in this map.

        Some events without the property may still be read, so the rest of the query must not depend on it.
        """
        return slot_sql("skip_hint", map_name, self.placeholder_name)


ResolvedKey = OwnField | Property
"""The target of a key."""


class LabelSource(NamedTuple):
    """One source of labels: SQL with a row for each label, and a condition for events that may have a label."""

    label_sql: str
    present_sql: str


def resolve_key(key: str, parameters: QueryParameters) -> ResolvedKey:
    """Return the field or property that `key` names."""
    if key in OWN_FIELDS:
        return OwnField(OWN_FIELDS[key])
    return Property(parameters.bind_text("key", key.removeprefix(PROPERTY_PREFIX)))


def spell_property(name: str) -> str:
    """Return the key of a property: its name, with a prefix if the name alone means something else."""
    is_plain = name not in {"", GROUP, *OWN_FIELDS} and not name.startswith(PROPERTY_PREFIX)
    return name if is_plain else PROPERTY_PREFIX + name


def spell_key(key: str) -> str:
    """Return the one spelling of a key that has several."""
    return key if is_own_field(key) else spell_property(key.removeprefix(PROPERTY_PREFIX))


def label_sources(key: str, parameters: QueryParameters) -> list[LabelSource]:
    """Return the sources of labels for a breakdown by `key`; each distinct element of a list is a label.

    Those of a property are its strings, its texts, its lists, its numbers with an exact text, and all other numbers.
    """
    resolved_key = resolve_key(key, parameters)
    if isinstance(resolved_key, OwnField):
        return [LabelSource(resolved_key.column, resolved_key.present_sql)]
    sql_by_map = {
        "strings": resolved_key.value_rows_sql("strings"),
        "texts": resolved_key.value_rows_sql("texts"),
        "lists": f"arrayJoin(arrayDistinct({resolved_key.value_sql('lists')}))",
    }
    sources = [LabelSource(sql, resolved_key.skip_hint_sql(map_name)) for map_name, sql in sql_by_map.items()]
    has_text_sql = resolved_key.has_number_text_sql
    exact_texts = LabelSource(resolved_key.value_rows_sql(NUMBER_TEXTS), has_text_sql)
    doubles = LabelSource(
        f"toString({resolved_key.value_rows_sql('numbers')} + 0)",  # -0 is 0
        f"{resolved_key.skip_hint_sql('numbers')} AND NOT {has_text_sql}",
    )
    return [*sources, exact_texts, doubles]


def is_own_field(key: str) -> bool:
    """Return whether `key` names a field of the event itself, which is never a number."""
    return key in OWN_FIELDS
