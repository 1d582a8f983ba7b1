"""The list of actors or groups whose events made a number (rules/questions#who-is-behind-a-number)."""

from collections.abc import Sequence
from textwrap import indent

import msgspec

from tallyroom.core.notices import Notices
from tallyroom.queries.evidence import EvidenceQuery
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.units import UnitKind
from tallyroom.storage.event_store.labels import fetch_newest_labels
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope


class UnitRow(msgspec.Struct, frozen=True):
    """One actor or group, with the number of its events, and the times of the first and the last one."""

    unit: str
    event_count: int
    first_ms: int
    last_ms: int


class _UnitTotalRow(UnitRow, frozen=True):
    total: int


class UnitPage(msgspec.Struct, frozen=True):
    """One page of the units, and the number of all units."""

    unit_count: int
    units: Sequence[UnitRow]


class UnitList:
    """The actors or groups behind a number as of `asked_ms`, ordered by event count descending, then by key."""

    def __init__(
        self, reader: EventReader, scope: Scope, evidence_query: EvidenceQuery, asked_ms: int, notices: Notices
    ) -> None:
        self._reader = reader
        self._scope = scope
        self._evidence_query = evidence_query
        self.asked_ms = asked_ms
        self.notices = notices

    @property
    def unit_kind(self) -> UnitKind:
        """What the units are."""
        return self._evidence_query.unit_kind

    async def fetch_page(self, limit: int, after: tuple[int, str] | None = None) -> UnitPage:
        """Find at most `limit` units after an (event count, unit) position, and count all units."""
        parameters = QueryParameters()
        parameters.values.update(self._evidence_query.parameters.values)
        sql = f"""
SELECT unit, event_count, first_ms, last_ms, total
FROM (
  SELECT unit, event_count, first_ms, last_ms, count() OVER () AS total
  FROM (
    SELECT unit, count() AS event_count, min(at_ms) AS first_ms, max(at_ms) AS last_ms
    FROM (
{indent(self._evidence_query.sql, "      ")}
    )
    GROUP BY unit
  )
)
WHERE {_build_after_condition(after, parameters)}
ORDER BY event_count DESC, unit
LIMIT {parameters.bind_integer("limit", limit)}"""
        span = self._evidence_query.parameters.span
        unit_rows = await self._reader.fetch_rows(sql.strip(), self._scope, parameters.values, _UnitTotalRow, span)
        if not unit_rows and after is not None:  # the units after the position are gone, but all must be counted
            return UnitPage((await self.fetch_page(1)).unit_count, [])
        return UnitPage(unit_rows[0].total if unit_rows else 0, unit_rows)

    async def fetch_labels(self, units: Sequence[UnitRow]) -> dict[str, str]:
        """Return the newest label of each actor that has one."""
        return await fetch_newest_labels(self._reader, self._scope, [row.unit for row in units])


def _build_after_condition(after: tuple[int, str] | None, parameters: QueryParameters) -> str:
    if after is None:
        return "1"
    event_count, unit = after
    last_count, last_unit = parameters.bind_integer("last_count", event_count), parameters.bind_text("last_unit", unit)
    return f"event_count < {last_count} OR (event_count = {last_count} AND unit > {last_unit})"
