"""What funnels and retention count: actors, or groups of the default group key (rules/questions#units)."""

from typing import Literal

import msgspec

from tallyroom.queries.keys import Property
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.question import Question

UnitKind = Literal["actor", "group"]


class Unit(msgspec.Struct, frozen=True):
    """What is counted. `kind` is after any fallback to actors; `present_sql` is true for an event that has a unit."""

    kind: UnitKind
    sql: str
    present_sql: str


def choose_unit(kind: UnitKind, question: Question, parameters: QueryParameters) -> Unit:
    """Return the unit of a config, or actors if it asks for groups and there is no group key."""
    if kind == "group" and question.group_key is not None:
        group_sql = Property(parameters.bind_text("group_key", question.group_key)).value_sql("strings")
        return Unit("group", group_sql, f"{group_sql} != ''")
    return Unit("actor", "actor", "actor != ''")
