"""The events that made a number (rules/questions#behind-a-number)."""

import msgspec

from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.units import UnitKind

AT_MS = "toUnixTimestamp64Milli(timestamp)"
"""SQL for the time of an event, as evidence has it."""


class EvidenceQuery(msgspec.Struct, frozen=True):
    """The events that made a number.

    Attributes:
        sql: SQL that has a row for each of them: ``unit``, who it belongs to, and ``at_ms``, its time.
        parameters: the values of the SQL.
        unit_kind: what the units are.
    """

    sql: str
    parameters: QueryParameters
    unit_kind: UnitKind = "actor"
