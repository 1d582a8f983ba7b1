"""Copies one event store to another, partition by partition and in blocks of bounded size, and verifies it.

What is there already and equal stays, so a copy that was interrupted goes on where it was. Anything else in a partition
goes before it is copied again: dropping it also makes the store forget the tokens of its blocks.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from math import ceil
from typing import NamedTuple

import msgspec

from tallyroom.core import failpoints
from tallyroom.core.errors import TallyroomError
from tallyroom.ingest.validation.wide_integers import narrowed
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.relocation.tables import MOVED_TABLES, MovedTable
from tallyroom.storage.event_store.backend.backend import ReadLimits, SealedReader
from tallyroom.storage.event_store.part_check import unfinished_deletions
from tallyroom.storage.event_store.tables import EVENT_COLUMNS, EVENTS
from tallyroom.storage.event_store.writer import Writer

ROWS_OF_BLOCK = 50_000
BYTES_OF_BLOCK = 8_000_000
"""How large a block of a table is at most, as far as chance divides a day evenly."""

_LIMITS = ReadLimits(seconds=24 * 3600, memory_bytes=2_000_000_000, rows=100 * ROWS_OF_BLOCK)
_DELETION_LOOKS = 600
_NO_STAND_IN = b',""]'

_HOWEVER_LARGE = "max_partition_size_to_drop = 0"  # ClickHouse would keep one of more than 50 GB
_PARTITIONS = (
    "SELECT DISTINCT partition_id FROM system.parts"
    " WHERE active AND database = currentDatabase() AND table = {table:String} ORDER BY partition_id"
)


class StoreCopyDiffers(TallyroomError):
    """The copy does not have what the store has, although all of it was sent."""


def copy_store(source: Writer, target: Writer, progress: Progress, wait: Callable[[], object]) -> int:
    """Make every table of `target` equal to that of `source`; return the number of events.

    Args:
        source: the store, to which nothing is written meanwhile.
        target: another store, of the same schema; what it has of its own is taken for what is left of an
            earlier attempt.
        progress: told of each table and its rows.
        wait: called between two looks at what the source has not finished.

    Raises:
        StoreCopyDiffers: a table is not the same in both, which a further attempt may mend.
        StoreError: one of the stores does not answer; a further attempt goes on.
    """
    _wait_for_deletions(source, wait)
    return copy_tables(source, target, progress, lambda table: table)


def copy_tables(
    source: Writer, target: Writer, progress: Progress, original: Callable[[MovedTable], MovedTable]
) -> int:
    """Make every table of `target` equal to its original in `source`, of which nothing is deleted any more.

    Args:
        source: as for `copy_store`.
        target: as there.
        progress: as there.
        original: returns what to read in place of a table.

    Raises:
        StoreCopyDiffers, StoreError: as there.
    """
    pairs = [_Pair(_Side(source, original(table)), _Side(target, table)) for table in MOVED_TABLES]
    with closing(source.backend.sealed_reader(_LIMITS)) as reader:
        for pair in pairs:
            _copy_table(pair, reader, progress)
    for pair in pairs:  # now that nothing is inserted any more
        for partition in pair.partitions():
            _refuse_difference(pair, partition)
    return int(target.command(f"SELECT count() FROM {EVENTS}"))


def is_empty(writer: Writer) -> bool:
    """Return whether no table of a store has rows."""
    return not any(int(writer.command(f"SELECT count() FROM {table.name}")) for table in MOVED_TABLES)


def _wait_for_deletions(source: Writer, wait: Callable[[], object]) -> None:
    for _ in range(_DELETION_LOOKS):
        if not unfinished_deletions(source):
            return
        wait()
    raise TallyroomError("The event store has not finished a deletion: start the server once, and stop it later.")


class _Side(NamedTuple):
    """A table in one of the stores."""

    store: Writer
    table: MovedTable

    def partitions(self) -> list[str]:
        """Return the ids of its partitions."""
        return self.store.command(_PARTITIONS, {"table": self.table.name}).split()

    def digest(self, partition: str) -> str:
        """Return what is the same for equal rows: of each spool the number, the sum and the exclusive or of hashes.

        A row that comes twice changes the sum, so this needs no list of all that came before, however many there are.
        """
        table = self.table
        return self.store.command(
            f"SELECT {table.spool} AS of, count(), sum({table.digest}), groupBitXor({table.digest}) FROM {table.rows}"
            f" WHERE _partition_id = {{partition:String}} AND {table.where} GROUP BY of ORDER BY of",
            {"partition": partition},
        )


class _Pair(NamedTuple):
    source: _Side
    target: _Side

    def partitions(self) -> list[str]:
        return sorted({*self.source.partitions(), *self.target.partitions()})


def _copy_table(pair: _Pair, reader: SealedReader, progress: Progress) -> None:
    (source, read), (target, table) = pair
    progress.begin(f"Copying {table.name}", int(source.command(f"SELECT count() FROM {read.name} WHERE {read.where}")))
    for partition in pair.partitions():
        source_digest, target_digest = pair.source.digest(partition), pair.target.digest(partition)
        if source_digest == target_digest:
            progress.advance(_rows(source_digest))
            continue
        if target_digest:
            target.command(f"ALTER TABLE {table.name} DROP PARTITION ID '{partition}' SETTINGS {_HOWEVER_LARGE}")
        for token, body in _blocks(source, reader, read, partition):
            target.insert_moved(table.name, table.input_columns, body, token)
            failpoints.hit("move.block.after")
            progress.advance(body.count(b"\n"))


def _rows(digest: str) -> int:
    return sum(int(line.split("\t")[1]) for line in digest.splitlines())


def _refuse_difference(pair: _Pair, partition: str) -> None:
    table = pair.target.table
    source_digest, target_digest = pair.source.digest(partition), pair.target.digest(partition)
    if source_digest != target_digest:
        raise StoreCopyDiffers(
            f"The table {table.name} is not the same in both places: of partition {partition}, the copy has "
            f"{_rows(target_digest):,} rows instead of {_rows(source_digest):,}, or others. Run the command again, "
            "which copies this partition anew."
        )


def _blocks(source: Writer, reader: SealedReader, table: MovedTable, partition: str) -> Iterator[tuple[str, bytes]]:
    """Yield the rows of a partition in blocks, each with its token."""
    sizes = source.command(
        f"SELECT {table.unit} AS unit, count(), sum({table.size}) FROM {table.name}"
        f" WHERE _partition_id = {{partition:String}} AND {table.where} GROUP BY unit ORDER BY unit",
        {"partition": partition},
    )
    columns = ", ".join(f"{read} AS c{number}" for number, read in enumerate(table.read))
    for line in sizes.splitlines():
        unit, rows, size = line.split("\t")
        count = max(1, ceil(int(rows) / ROWS_OF_BLOCK), ceil(int(size) / BYTES_OF_BLOCK))
        for number in range(count):
            body = reader.query(
                f"SELECT {columns} FROM {table.rows} WHERE _partition_id = {{partition:String}}"
                f" AND {table.where} AND {table.unit} = {{unit:Date}}"
                f" AND sipHash64({table.key}) % {{count:UInt64}} = {{number:UInt64}}",
                {"partition": partition, "unit": unit, "count": count, "number": number},
                "JSONCompactEachRow",
            )
            if body:
                token = f"move-{table.name.replace('_', '-')}-{partition}-{unit}-{count}-{number}"
                yield token, _with_stand_ins(body) if table.input_columns == EVENT_COLUMNS else body


def _with_stand_ins(body: bytes) -> bytes:
    """Give events with integers beyond 64 bits their second text, as when they were accepted."""
    return b"".join(
        line if line.endswith(_NO_STAND_IN + b"\n") else _with_stand_in(line) for line in body.splitlines(keepends=True)
    )


def _with_stand_in(line: bytes) -> bytes:
    *values, properties = msgspec.json.decode(line)
    return msgspec.json.encode([*values, narrowed(properties.encode()).decode()]) + b"\n"
