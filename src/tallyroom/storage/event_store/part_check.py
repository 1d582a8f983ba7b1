"""Checks the store: reads every part against its checksums, and counts what the tables hold."""

from collections import Counter
from collections.abc import Generator

import msgspec

from tallyroom.storage.event_store.backend.backend import Backend, ReadLimits, SealedReader
from tallyroom.storage.event_store.clones import NO_CLONE
from tallyroom.storage.event_store.column_fill import IS_FILL_SQL
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.writer import Writer

_LIMITS = ReadLimits(seconds=24 * 3600, memory_bytes=1_000_000_000, max_rows=1_000_000)
_NO_SUCH_PART_CODE = 232
# A backup drops its clones while this runs.
_PARTS_CONDITION = f"active AND database = currentDatabase() AND {NO_CLONE}"


class CheckedPart(msgspec.Struct, frozen=True):
    """The result of reading one part: `problem` is "" if the whole part is as it was written."""

    table: str
    part: str
    row_count: int = msgspec.field(name="rows")
    problem: str = ""


class _CheckOutcome(msgspec.Struct):
    is_passed: int
    message: str


class _Part(msgspec.Struct):
    table: str
    part: str
    rows: int


def count_parts(writer: Writer) -> int:
    """Return how many parts `check_parts` would read now."""
    return int(writer.command(f"SELECT count() FROM system.parts WHERE {_PARTS_CONDITION}"))


def check_parts(backend: Backend, table: str = "", part: str = "") -> Generator[CheckedPart, None, None]:
    """Read every part, or the parts of one table, or one `part`, while the store keeps working; raises `StoreError`."""
    reader = backend.open_reader(_LIMITS)
    try:
        for listed_part in _list_parts(reader, table, part):
            try:
                problem = _check_part(reader, listed_part)
            except StoreError as error:
                reader.close()  # the rest of the failed answer would be read as part of the next one
                reader = backend.open_reader(_LIMITS)
                if error.code == _NO_SUCH_PART_CODE:  # merged since the list was made
                    continue
                problem = str(error).splitlines()[0]
            yield CheckedPart(listed_part.table, listed_part.part, listed_part.rows, problem)
    finally:
        reader.close()


def count_events_by_spool_month(writer: Writer) -> dict[tuple[int, int], int]:
    """Return the number of events in the store, by spool and UTC month (as in 202611)."""
    answer = writer.command("SELECT spool, _partition_id AS month, count() FROM events GROUP BY spool, month")
    rows = (line.split("\t") for line in answer.splitlines())
    return {(int(spool), int(month)): int(event_count) for spool, month, event_count in rows}


def count_events_by_spool(writer: Writer) -> dict[int, int]:
    """Return the number of events in the store, by spool."""
    count_by_spool: Counter[int] = Counter()
    for (spool, _), event_count in count_events_by_spool_month(writer).items():
        count_by_spool[spool] += event_count
    return dict(count_by_spool)


def read_last_seq(writer: Writer, spool: int) -> int:
    """Return the highest sequence number among the events of a spool; 0 if the store holds none."""
    return int(writer.command("SELECT max(seq) FROM events WHERE spool = {spool:UInt32}", {"spool": spool}))


def count_unfinished_deletions(writer: Writer) -> int:
    """Return how many deletions the store has begun but not finished; fills of property columns are none."""
    sql = (
        f"SELECT count() FROM system.mutations WHERE NOT is_done AND database = currentDatabase() AND NOT {IS_FILL_SQL}"
    )
    return int(writer.command(sql))


def read_engine_version(writer: Writer) -> str:
    """Return the version of ClickHouse."""
    return writer.command("SELECT version()").strip()


def _list_parts(reader: SealedReader, table: str, part: str) -> list[_Part]:
    answer = reader.query(
        f"SELECT table, name AS part, rows FROM system.parts WHERE {_PARTS_CONDITION}"
        " AND {table:String} IN ('', table) AND {part:String} IN ('', name) ORDER BY table, part",
        {"table": table, "part": part},
    )
    return msgspec.json.Decoder(_Part).decode_lines(answer)


def _check_part(reader: SealedReader, part: _Part) -> str:
    # CHECK takes no parameters; both names come from the store itself.
    answer = reader.query(f"CHECK TABLE `{part.table}` PART '{part.part}'", {})
    outcomes = msgspec.json.Decoder(_CheckOutcome).decode_lines(answer)
    return next((outcome.message or "is damaged" for outcome in outcomes if not outcome.is_passed), "")
