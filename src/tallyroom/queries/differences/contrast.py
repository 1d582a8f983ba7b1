"""The events of a question, and those of them that are behind one number (rules/questions#differences)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec

from tallyroom.queries.differences.measured_point import MeasuredPoint
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.units import Unit

MapName = Literal["strings", "texts", "numbers", "lists"]
NamesByMap = Mapping[MapName, set[str]]
"""The properties that the events of a question have, by the map of the store in which their values are."""


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """The events to compare, in SQL: all `conditions` are true for an event of the question.

    `is_behind_sql` is true for an event behind the number, and so is the result of `build_label_condition`, if there is
    one. By units, those are compared that have an event for which `is_member_sql` is true, and those are behind the
    number that have an event behind it. With `compares_only_units`, single events are not compared. `point_keys` are
    the keys, as `spell_key` returns them, whose values the point itself selects: they are not compared.
    `measured_point` is the number, if it is one of a metric or a formula.
    """

    conditions: Sequence[str]
    is_behind_sql: str
    parameters: QueryParameters
    unit: Unit
    is_member_sql: str = "1"
    compares_only_units: bool = False
    build_label_condition: Callable[[NamesByMap], str] | None = None
    point_keys: frozenset[str] = frozenset()
    measured_point: MeasuredPoint | None = None

    def narrow_to_label(self, names_by_map: NamesByMap) -> "Contrast":
        """Return the contrast with the condition of its label, if it has one, in `is_behind_sql`."""
        if self.build_label_condition is None:
            return self
        is_behind_sql = f"{self.is_behind_sql} AND {self.build_label_condition(names_by_map)}"
        return msgspec.structs.replace(self, is_behind_sql=is_behind_sql, build_label_condition=None)
