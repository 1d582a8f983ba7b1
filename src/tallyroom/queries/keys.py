"""The part of an event that the key of a filter, a breakdown or a measure reads, as SQL (rules/questions#keys).

A bare ``_actor``, ``_actorLabel``, ``_source`` or ``name`` is the event's own field, where "" means absent. Any other
key is that of a property, and ``prop:KEY`` always is. A property is in exactly one of four maps, chosen by the type of
its JSON value: `strings`, `texts` (booleans and objects, as text), `numbers` or `lists`. Null and empty lists are in
none of them.
"""

from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from tallyroom.queries.bound_values import Bound

OWN_FIELDS = {"_actor": "actor", "_actorLabel": "actor_label", "_source": "source", "name": "name"}
"""The event's own fields, and the columns that hold them."""

PROPERTY_PREFIX = "prop:"

GROUP = "_group"
"""In a breakdown, the group of the workspace's default group key; elsewhere, the property of that name."""

Key = Annotated[str, Meta(min_length=1, max_length=65_536)]


class OwnField(msgspec.Struct, frozen=True):
    """A field of the event itself; `column` is its column."""

    column: str

    @property
    def present(self) -> str:
        """True where the event has the field."""
        return f"{self.column} != ''"


class Property(msgspec.Struct, frozen=True):
    """A property; `key` is the placeholder for its key."""

    key: str

    @property
    def name(self) -> str:
        """The name of the placeholder, unique among the keys of a query."""
        return self.key.strip("{}").partition(":")[0]

    @property
    def present(self) -> str:
        """True where the event has the property."""
        return f"({' OR '.join(self.held_by(kind) for kind in ('strings', 'numbers', 'texts', 'lists'))})"

    def held_by(self, kind: str) -> str:
        """Return SQL that is true if the property is of this kind; as a condition, it skips blocks without the key."""
        return f"has(mapKeys({kind}), {self.key})"

    def of(self, kind: str) -> str:
        """Return SQL for the value of this kind; "", 0 or an empty list if the property is of another kind.

        Written this way, the keys of a map are read only once for this and for `held_by`.
        """
        return f"{kind}.values[{self._index(kind)}]"

    def is_in(self, kind: str) -> str:
        """Return the condition of `held_by` without skipping blocks; next to `of`, it costs nothing extra."""
        return f"{self._index(kind)} > 0"

    def each_of(self, kind: str) -> str:
        """Return SQL that makes one row of the value of this kind, and no row if the property is of another kind."""
        return f"arrayJoin(arraySlice({kind}.values, {self._index(kind)}, 1))"

    def skips_without(self, kind: str) -> str:
        """Return SQL that is always true, but skips blocks of events in which the property is never of this kind."""
        return f"indexHint({self.held_by(kind)})"

    def _index(self, kind: str) -> str:
        return f"indexOf({kind}.keys, {self.key})"


class Labels(NamedTuple):
    """One source of labels: SQL that makes a row of each label, and a condition for events that may have a label."""

    label: str
    present: str


def read(key: str, bound: Bound) -> OwnField | Property:
    """Return the field or property that `key` names."""
    if key in OWN_FIELDS:
        return OwnField(OWN_FIELDS[key])
    return Property(bound.text("key", key.removeprefix(PROPERTY_PREFIX)))


def labels(key: str, bound: Bound) -> list[Labels]:
    """Return the sources of labels for a breakdown by `key`; an event has labels in at most one of them.

    A text is one label, and a list has one label for each distinct element. A number is one label, as JSON writes it.
    An absent property has none.
    """
    source = read(key, bound)
    if isinstance(source, OwnField):
        return [Labels(source.column, source.present)]
    elements = f"arrayJoin(arrayDistinct({source.of('lists')}))"
    sql_by_kind = {"strings": source.each_of("strings"), "texts": source.each_of("texts"), "lists": elements}
    sql_by_kind["numbers"] = f"toString({source.each_of('numbers')} + 0)"  # -0 is 0
    return [Labels(sql, source.skips_without(kind)) for kind, sql in sql_by_kind.items()]


def is_own_field(key: str) -> bool:
    """Return True if `key` names a field of the event itself, which is never a number."""
    return key in OWN_FIELDS
