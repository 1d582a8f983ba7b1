"""What the key of a filter, a breakdown or a measure reads of an event, as SQL (rules/questions#keys).

A bare ``_actor``, ``_actorLabel``, ``_source`` or ``name`` is the event's own field, in which "" is absent. Any other
key is that of a property, and ``prop:KEY`` always is. A property stands in exactly one of four maps, by the kind of its
JSON value: `strings`, `texts` (booleans and objects, as text), `numbers`, `lists`; null and empty lists are in none.
"""

from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from tallyroom.engine.bound import Bound

OWN_FIELDS = {"_actor": "actor", "_actorLabel": "actor_label", "_source": "source", "name": "name"}
"""The event's own fields, and the columns that hold them."""

PROPERTY_PREFIX = "prop:"

Key = Annotated[str, Meta(min_length=1, max_length=65_536)]


class OwnField(msgspec.Struct, frozen=True):
    """A field of the event itself; `column` is its column."""

    column: str

    @property
    def present(self) -> str:
        """True where the event has the field."""
        return f"{self.column} != ''"


class Property(msgspec.Struct, frozen=True):
    """A property; `key` is the placeholder that stands for its key."""

    key: str

    @property
    def name(self) -> str:
        """The name of the placeholder, which no other key of a query has."""
        return self.key.strip("{}").partition(":")[0]

    @property
    def present(self) -> str:
        """True where the event has the property."""
        return f"({' OR '.join(self.held_by(kind) for kind in ('strings', 'numbers', 'texts', 'lists'))})"

    def held_by(self, kind: str) -> str:
        """True where the property is of one of the four kinds; as a condition, it skips blocks without the key."""
        return f"has(mapKeys({kind}), {self.key})"

    def of(self, kind: str) -> str:
        """The value of one of the four kinds; "", 0 or an empty list where the property is not of it.

        So written, the keys of a map are read once for this and for `held_by`.
        """
        return f"{kind}.values[{self._index(kind)}]"

    def is_in(self, kind: str) -> str:
        """As `held_by`, but no blocks are skipped: next to `of`, it costs nothing more."""
        return f"{self._index(kind)} > 0"

    def each_of(self, kind: str) -> str:
        """One row for the value of one of the four kinds, and no row where the property is not of it."""
        return f"arrayJoin(arraySlice({kind}.values, {self._index(kind)}, 1))"

    def skips_without(self, kind: str) -> str:
        """Always true; as a condition, it skips blocks of events in which the property never is of this kind."""
        return f"indexHint({self.held_by(kind)})"

    def _index(self, kind: str) -> str:
        return f"indexOf({kind}.keys, {self.key})"


class Labels(NamedTuple):
    """One place of labels: SQL of an event's labels there, a row for each, and a condition of what may have one."""

    label: str
    present: str


def read(key: str, bound: Bound) -> OwnField | Property:
    """What `key` names."""
    if key in OWN_FIELDS:
        return OwnField(OWN_FIELDS[key])
    return Property(bound.text("key", key.removeprefix(PROPERTY_PREFIX)))


def labels(key: str, bound: Bound) -> list[Labels]:
    """Where the labels of a breakdown by `key` come from; an event has labels in at most one of these places.

    A text has one label, a list each of its different elements, a number and an absent property none.
    """
    source = read(key, bound)
    if isinstance(source, OwnField):
        return [Labels(source.column, source.present)]
    elements = f"arrayJoin(arrayDistinct({source.of('lists')}))"
    found = {"strings": source.each_of("strings"), "texts": source.each_of("texts"), "lists": elements}
    return [Labels(label, source.skips_without(kind)) for kind, label in found.items()]


def is_own_field(key: str) -> bool:
    """Whether `key` names a field of the event itself, which never is a number."""
    return key in OWN_FIELDS
