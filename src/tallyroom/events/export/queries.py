"""The event-store SQL of the export."""

import asyncio
from typing import Any, NamedTuple

from tallyroom.core.peers import MAX_SEQ
from tallyroom.events.export.schemas import DayRow, ExportCut, ExportPosition, SizedPosition
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope


class OutputFormat(NamedTuple):
    """The engine's output for each event: the columns of a SELECT, and the output format."""

    columns: str
    engine_format: str


# The events of an export, the same for every query in this file; no other condition excludes events.
_IN_EXPORT_SQL = """{scope}
  AND timestamp >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')
  AND timestamp < fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')
  AND seq <= transform(spool, {cut_spools:Array(UInt32)}, {cut_seqs:Array(UInt64)}, {cut_elsewhere:UInt64})"""

_POSITION_COLUMNS = "timestamp, received_at, spool, seq"

_AFTER_SQL = f"""({_POSITION_COLUMNS}) > (
      fromUnixTimestamp64Milli({{from_ms:Int64}}, 'UTC'), fromUnixTimestamp64Milli({{after_received:Int64}}, 'UTC'),
      {{after_spool:UInt32}}, {{after_seq:UInt64}})"""

_UP_TO_LAST_SQL = f"""({_POSITION_COLUMNS}) <= (
      fromUnixTimestamp64Milli({{last_ms:Int64}}, 'UTC'), fromUnixTimestamp64Milli({{last_received:Int64}}, 'UTC'),
      {{last_spool:UInt32}}, {{last_seq:UInt64}})"""

# In the order of the table, so that the engine stops at the first row.
_SELECT_FIRST_DAY = f"""
SELECT toInt64(toDate(timestamp)) * 86400000 AS day_ms
FROM events
WHERE {_IN_EXPORT_SQL}
ORDER BY toDate(timestamp)
LIMIT 1"""

_SELECT_POSITIONS = f"""
SELECT toUnixTimestamp64Milli(timestamp) AS timestamp_ms, toUnixTimestamp64Milli(received_at) AS received_ms,
       spool, seq,
       length(properties) + length(actor) + length(actor_label) + length(name) + length(source) AS bytes
FROM events
WHERE {_IN_EXPORT_SQL} AND {_AFTER_SQL}
ORDER BY {_POSITION_COLUMNS}
LIMIT {{limit:UInt32}}"""

_TIME_SQL = "concat(replaceOne(toString(timestamp), ' ', 'T'), 'Z')"

# Every format has exactly the fields of POST /v1/events under the same names, so that an export can be sent again.
# Fields that were not sent are absent, empty or null; the properties are exactly the text that was sent.
JSON_LINES = OutputFormat(
    f"""concat(
    '{{"name":', toJSONString(name), ',"_timestamp":"', {_TIME_SQL}, '"',
    if(actor = '', '', concat(',"_actor":', toJSONString(actor))),
    if(actor_label = '', '', concat(',"_actorLabel":', toJSONString(actor_label))),
    if(source = '', '', concat(',"_source":', toJSONString(source))),
    if(properties = '{{}}', '', concat(',"properties":', properties)), '}}') AS line""",
    "TSVRaw",
)

CSV = OutputFormat(
    f"""name, {_TIME_SQL} AS _timestamp, actor AS _actor, actor_label AS _actorLabel, source AS _source,
       if(properties = '{{}}', '', properties) AS properties""",
    "CSV",
)

PARQUET = OutputFormat(
    """toString(name) AS name, timestamp AS _timestamp, nullIf(actor, '') AS _actor,
       nullIf(actor_label, '') AS _actorLabel, nullIf(toString(source), '') AS _source,
       nullIf(properties, '{}') AS properties""",
    "Parquet",
)


class ExportQueries:
    """Reads events of one scope up to the cut of an export. Exports share `query_lock`, held during each query."""

    def __init__(self, reader: EventReader, query_lock: asyncio.Lock, scope: Scope, cut: ExportCut) -> None:
        self._reader = reader
        self._query_lock = query_lock
        self._scope = scope
        last_seqs = {**(cut.peer_seqs or {}), cut.spool_id: cut.last_seq}
        other_last_seq = MAX_SEQ if cut.peer_seqs is None else 0
        spools, seqs = list(last_seqs), list(last_seqs.values())
        self._cut_parameters = {"cut_spools": spools, "cut_seqs": seqs, "cut_elsewhere": other_last_seq}

    async def find_first_day(self, from_ms: int, until_ms: int) -> int | None:
        """Find the start of the first UTC day with an event in `from_ms` <= time < `until_ms`; None without one."""
        parameters = self._cut_parameters | {"from_ms": from_ms, "until_ms": until_ms}
        async with self._query_lock:
            day_rows = await self._reader.fetch_rows(_SELECT_FIRST_DAY, self._scope, parameters, DayRow)
        return day_rows[0].day_ms if day_rows else None

    async def fetch_positions(self, after_position: ExportPosition, until_ms: int, limit: int) -> list[SizedPosition]:
        """Return the positions of the first `limit` events after a position and before a time, in order."""
        parameters = self._build_parameters(after_position) | {"until_ms": until_ms, "limit": limit}
        async with self._query_lock:
            return await self._reader.fetch_rows(_SELECT_POSITIONS, self._scope, parameters, SizedPosition)

    async def fetch_output(
        self, after_position: ExportPosition, last_position: ExportPosition, output_format: OutputFormat
    ) -> bytes:
        """Return the events after one position up to and including another, in order, as the engine writes them."""
        sql = f"""
SELECT {output_format.columns}
FROM events
WHERE {_IN_EXPORT_SQL} AND {_AFTER_SQL} AND {_UP_TO_LAST_SQL}
ORDER BY {_POSITION_COLUMNS}"""
        parameters = self._build_parameters(after_position) | {
            "until_ms": last_position.timestamp_ms + 1,
            "last_ms": last_position.timestamp_ms,
            "last_received": last_position.received_ms,
            "last_spool": last_position.spool,
            "last_seq": last_position.seq,
        }
        async with self._query_lock:
            return await self._reader.fetch_bytes(sql, self._scope, parameters, output_format.engine_format)

    async def fetch_empty_file(self, output_format: OutputFormat) -> bytes:
        """Return the engine's output for no events."""
        start = ExportPosition.before(0)
        return await self.fetch_output(start, start, output_format)

    def _build_parameters(self, after_position: ExportPosition) -> dict[str, Any]:
        return self._cut_parameters | {
            "from_ms": after_position.timestamp_ms,
            "after_received": after_position.received_ms,
            "after_spool": after_position.spool,
            "after_seq": after_position.seq,
        }
