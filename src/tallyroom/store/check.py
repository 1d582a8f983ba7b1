"""Looks for damage: reads every part against its checksums, and asks what the store itself has put aside."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from tallyroom.store.connection import SealedReader, Writer
from tallyroom.store.errors import StoreError

_SECONDS = 24 * 3600
_MEMORY_BYTES = 1_000_000_000
_NO_SUCH_PART = 232


class CheckedPart(msgspec.Struct, frozen=True):
    """What came of reading one part: `problem` is empty when all of it is as it was written."""

    table: str
    part: str
    rows: int
    problem: str = ""


class _Outcome(msgspec.Struct):
    is_passed: int
    message: str


class _Part(msgspec.Struct):
    table: str
    part: str
    rows: int


def part_count(writer: Writer) -> int:
    """How many parts `check_parts` would read now."""
    return int(writer.command("SELECT count() FROM system.parts WHERE active AND database = currentDatabase()"))


def check_parts(path: Path, table: str = "") -> Iterator[CheckedPart]:
    """Read every part, one by one, beside whatever else the store does.

    Args:
        path: directory of the store, which this process holds.
        table: only this one; all when empty.

    Raises:
        StoreError: the store cannot even list its parts.
    """
    reader = _reader(path)
    try:
        parts = _list_parts(reader, table)
        for part in parts:
            try:
                problem = _problem(reader, part)
            except StoreError as error:
                reader.close()  # what is left of the failed answer would be read as the next one
                reader = _reader(path)
                if error.code == _NO_SUCH_PART:  # merged into another since the list was made
                    continue
                problem = str(error).splitlines()[0]
            yield CheckedPart(part.table, part.part, part.rows, problem)
    finally:
        reader.close()


def events_by_spool(writer: Writer) -> dict[int, int]:
    """How many events of each spool the store holds."""
    found = writer.command("SELECT spool, count() FROM events GROUP BY spool")
    return {int(spool): int(events) for spool, events in (line.split("\t") for line in found.splitlines())}


def detached_parts(writer: Writer) -> list[str]:
    """``table/part (why)`` of each part that the store has put aside, as it does with one that it cannot read."""
    found = writer.command(
        "SELECT concat(table, '/', name, ' (', reason, ')') FROM system.detached_parts"
        " WHERE database = currentDatabase() AND reason != '' ORDER BY table, name"
    )
    return found.splitlines()


def unfinished_deletions(writer: Writer) -> int:
    """How many deletions the store has begun and not finished."""
    return int(
        writer.command("SELECT count() FROM system.mutations WHERE NOT is_done AND database = currentDatabase()")
    )


def engine_version(writer: Writer) -> str:
    """The version of ClickHouse."""
    return writer.command("SELECT version()").strip()


def _reader(path: Path) -> SealedReader:
    return SealedReader(path, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES, rows=1_000_000)


def _list_parts(reader: SealedReader, table: str) -> list[_Part]:
    answer = reader.query(
        "SELECT table, name AS part, rows FROM system.parts WHERE active AND database = currentDatabase()"
        " AND ({table:String} = '' OR table = {table:String}) ORDER BY table, part",
        {"table": table},
    )
    return msgspec.json.Decoder(_Part).decode_lines(answer)


def _problem(reader: SealedReader, part: _Part) -> str:
    # CHECK takes no parameters; both names come from the store itself.
    answer = reader.query(f"CHECK TABLE `{part.table}` PART '{part.part}'", {})
    outcomes = msgspec.json.Decoder(_Outcome).decode_lines(answer)
    return next((outcome.message or "is damaged" for outcome in outcomes if not outcome.is_passed), "")
