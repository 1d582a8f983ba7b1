"""The events that made a number (rules/questions#behind-a-number)."""

import msgspec

from tallyroom.queries.bound_values import Bound
from tallyroom.queries.units import Count

AT_MS = "toUnixTimestamp64Milli(timestamp)"
"""SQL for the time of an event, as evidence has it."""


class Evidence(msgspec.Struct, frozen=True):
    """The events that made a number.

    Attributes:
        sql: SQL that has a row for each of them: ``unit``, who it belongs to, and ``at_ms``, its time.
        bound: the values of the SQL.
        count: what the units are.
    """

    sql: str
    bound: Bound
    count: Count = "actor"
