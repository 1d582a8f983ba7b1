"""Copies one event store to another, partition by partition and in blocks of bounded size, and verifies it.

Equal partitions of the target are kept, so that an interrupted copy continues where it was. Any other partition is
dropped before it is copied again, which also makes the store forget the tokens of its blocks.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from math import ceil
from typing import NamedTuple

import msgspec

from tallyroom.core import failpoints
from tallyroom.core.errors import TallyroomError
from tallyroom.ingest.validation.wide_integers import narrow_integers
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.relocation.tables import MOVED_TABLES, MovedTable
from tallyroom.storage.event_store.backend.backend import ReadLimits, SealedReader
from tallyroom.storage.event_store.part_check import count_unfinished_deletions
from tallyroom.storage.event_store.tables import EVENT_COLUMNS, EVENTS
from tallyroom.storage.event_store.writer import Writer

MAX_BLOCK_ROWS = 50_000
MAX_BLOCK_BYTES = 8_000_000  # the target size of a block; only chance in the division of a day can make one larger

_READ_LIMITS = ReadLimits(seconds=24 * 3600, memory_bytes=2_000_000_000, max_rows=100 * MAX_BLOCK_ROWS)
_MAX_DELETION_POLLS = 600

_ANY_SIZE_SETTING = "max_partition_size_to_drop = 0"  # ClickHouse would keep a partition of more than 50 GB
_SELECT_PARTITIONS = (
    "SELECT DISTINCT partition_id FROM system.parts"
    " WHERE active AND database = currentDatabase() AND table = {table:String} ORDER BY partition_id"
)


class StoreCopyDiffers(TallyroomError):
    """The copy differs from the store, although everything was sent."""


def copy_store(source: Writer, target: Writer, progress: Progress, pause: Callable[[], object]) -> int:
    """Make every table of `target` equal to its original in `source`; return the number of events.

    Nothing is written to `source` meanwhile. Anything else in `target` is from an earlier attempt. `pause` is called
    between two checks for unfinished work of the source. After `StoreCopyDiffers` or `StoreError`, try again.
    """
    _wait_for_deletions(source, pause)
    return copy_tables(source, target, progress, lambda table: table)


def copy_tables(
    source: Writer, target: Writer, progress: Progress, find_original: Callable[[MovedTable], MovedTable]
) -> int:
    """Like `copy_store`, for a source without deletions; `find_original` returns what to read in place of a table."""
    pairs = [
        _TablePair(_StoreTable(source, find_original(table)), _StoreTable(target, table)) for table in MOVED_TABLES
    ]
    with closing(source.backend.open_reader(_READ_LIMITS)) as reader:
        for pair in pairs:
            _copy_table(pair, reader, progress)
    for pair in pairs:  # now that nothing is inserted any more
        for partition in pair.list_partitions():
            _refuse_difference(pair, partition)
    return int(target.command(f"SELECT count() FROM {EVENTS}"))


def is_empty(writer: Writer) -> bool:
    """Return whether no table of a store has rows."""
    return not any(int(writer.command(f"SELECT count() FROM {table.name}")) for table in MOVED_TABLES)


def _wait_for_deletions(source: Writer, pause: Callable[[], object]) -> None:
    for _ in range(_MAX_DELETION_POLLS):
        if not count_unfinished_deletions(source):
            return
        pause()
    raise TallyroomError(
        "The event store has an unfinished deletion. Start the server, let it finish, and stop the server again."
    )


class _StoreTable(NamedTuple):
    store: Writer
    table: MovedTable

    def list_partitions(self) -> list[str]:
        """Return the ids of its partitions."""
        return self.store.command(_SELECT_PARTITIONS, {"table": self.table.name}).split()

    def compute_digest(self, partition: str) -> str:
        """Return, by spool, the number, the sum and the XOR of row hashes: a duplicate row changes the sum."""
        table = self.table
        return self.store.command(
            f"SELECT {table.spool_column} AS of, count(), sum({table.row_digest}), groupBitXor({table.row_digest})"
            f" FROM {table.from_clause}"
            f" WHERE _partition_id = {{partition:String}} AND {table.row_condition} GROUP BY of ORDER BY of",
            {"partition": partition},
        )


class _TablePair(NamedTuple):
    source: _StoreTable
    target: _StoreTable

    def list_partitions(self) -> list[str]:
        return sorted({*self.source.list_partitions(), *self.target.list_partitions()})


def _copy_table(pair: _TablePair, reader: SealedReader, progress: Progress) -> None:
    (source_writer, source_table), (target_writer, target_table) = pair
    count_sql = f"SELECT count() FROM {source_table.name} WHERE {source_table.row_condition}"
    progress.begin_step(f"Copying {target_table.name}", int(source_writer.command(count_sql)))
    for partition in pair.list_partitions():
        source_digest, target_digest = pair.source.compute_digest(partition), pair.target.compute_digest(partition)
        if source_digest == target_digest:
            progress.advance(_count_digest_rows(source_digest))
            continue
        if target_digest:
            target_writer.command(
                f"ALTER TABLE {target_table.name} DROP PARTITION ID '{partition}' SETTINGS {_ANY_SIZE_SETTING}"
            )
        for token, body in _read_blocks(source_writer, reader, source_table, partition):
            target_writer.insert_rows(target_table.name, target_table.input_columns, body, token)
            failpoints.hit("move.block.after")
            progress.advance(body.count(b"\n"))


def _count_digest_rows(digest: str) -> int:
    return sum(int(line.split("\t")[1]) for line in digest.splitlines())


def _refuse_difference(pair: _TablePair, partition: str) -> None:
    source_digest, target_digest = pair.source.compute_digest(partition), pair.target.compute_digest(partition)
    if source_digest != target_digest:
        raise StoreCopyDiffers(
            f"The copy of the table {pair.target.table.name} differs: partition {partition} has "
            f"{_count_digest_rows(target_digest):,} rows instead of {_count_digest_rows(source_digest):,}, or "
            "different values. Run the command again to copy the partition again."
        )


def _read_blocks(
    source_writer: Writer, reader: SealedReader, table: MovedTable, partition: str
) -> Iterator[tuple[str, bytes]]:
    """Yield the rows of a partition in blocks, each with its token."""
    unit_sizes = source_writer.command(
        f"SELECT {table.unit_expression} AS unit, count(), sum({table.size_expression}) FROM {table.name}"
        f" WHERE _partition_id = {{partition:String}} AND {table.row_condition} GROUP BY unit ORDER BY unit",
        {"partition": partition},
    )
    columns = ", ".join(
        f"{expression} AS c{column_number}" for column_number, expression in enumerate(table.read_expressions)
    )
    for line in unit_sizes.splitlines():
        unit_day, row_count, byte_count = line.split("\t")
        block_count = max(1, ceil(int(row_count) / MAX_BLOCK_ROWS), ceil(int(byte_count) / MAX_BLOCK_BYTES))
        for block_number in range(block_count):
            body = reader.query(
                f"SELECT {columns} FROM {table.from_clause} WHERE _partition_id = {{partition:String}}"
                f" AND {table.row_condition} AND {table.unit_expression} = {{unit:Date}}"
                f" AND sipHash64({table.key_columns}) % {{count:UInt64}} = {{number:UInt64}}",
                {"partition": partition, "unit": unit_day, "count": block_count, "number": block_number},
                "JSONCompactEachRow",
            )
            if body:
                token = f"move-{table.name.replace('_', '-')}-{partition}-{unit_day}-{block_count}-{block_number}"
                yield token, _add_narrowed_texts(body) if table.input_columns == EVENT_COLUMNS else body


def _add_narrowed_texts(body: bytes) -> bytes:
    """Add the second text of events with integers beyond 64 bits, as when they were accepted."""
    return b"".join(
        line if line.endswith(b',""]\n') else _add_narrowed_text(line) for line in body.splitlines(keepends=True)
    )


def _add_narrowed_text(line: bytes) -> bytes:
    *values, properties = msgspec.json.decode(line)
    return msgspec.json.encode([*values, narrow_integers(properties.encode()).decode()]) + b"\n"
