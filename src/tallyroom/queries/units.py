"""What funnels and retention count: actors, or groups of the default group key (rules/questions#units)."""

from typing import Literal

import msgspec

from tallyroom.queries.bound_values import Bound
from tallyroom.queries.question import Question

Count = Literal["actor", "group"]


class Unit(msgspec.Struct, frozen=True):
    """What is counted.

    Attributes:
        count: the unit that is actually counted, after any fallback to actors.
        sql: SQL of the unit that an event belongs to.
        present: SQL that is true for an event that belongs to a unit.
    """

    count: Count
    sql: str
    present: str


def unit_of(count: Count, question: Question, bound: Bound) -> Unit:
    """Return the unit that a config asks for, or actors if it asks for groups and there is no group key."""
    if count == "group" and question.group_key is not None:
        group = f"strings[{bound.text('group_key', question.group_key)}]"
        return Unit("group", group, f"{group} != ''")
    return Unit("actor", "actor", "actor != ''")
