"""The events that made a number (rules/questions#who-is-behind-a-number)."""

import msgspec

from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.units import UnitKind

AT_MS = "toUnixTimestamp64Milli(timestamp)"  # SQL for the time of an event, in milliseconds


class EvidenceQuery(msgspec.Struct, frozen=True):
    """The events that made a number: `sql` has a row for each, with its ``unit`` and its time ``at_ms``."""

    sql: str
    parameters: QueryParameters
    unit_kind: UnitKind = "actor"
