"""What property columns cost whoever inserts, and the disk, with 0, 16 and 64 of them.

Events have ten properties each, of 64 keys; the engine alone inserts the same rows each time. ``python -m
bench.column_cost FOLDER ROWS`` measures in a process of its own, because one process can hold one event store, and
prints a `ColumnCost` in JSON for each number of columns.
"""

import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from tallyroom.core.clock import SystemClock
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.migrate import migrate
from tallyroom.storage.event_store.property_columns.column import PropertyColumn
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.row import SpoolRow, build_chunks

COLUMN_COUNTS = (0, 16, 64)

_WORKSPACE = "0192f0f0-0000-7000-8000-000000000001"
_KEY_COUNT, _KEYS_PER_EVENT = 64, 10
_BLOCK_ROWS = 20_000
_ROUNDS = 3
_VALUE_COUNTS = (3, 40, 2_000, 1_000_000)  # different values of a key, by its number


class ColumnCost(msgspec.Struct):
    """What a number of columns costs."""

    column_count: int
    rows_per_second: float
    bytes_per_row: float


def measure_column_cost(folder: Path, row_count: int) -> list[ColumnCost]:
    """Insert and merge `row_count` rows with each number of columns."""
    command = [sys.executable, "-m", "bench.column_cost", str(folder), str(row_count)]
    answer = subprocess.run(command, capture_output=True, check=True).stdout
    return msgspec.json.decode(answer, type=list[ColumnCost])


def _build_blocks(row_count: int) -> list[bytes]:
    chance, now_ms = random.Random(0), SystemClock().now_ms()
    rows = [_build_row(chance, number, now_ms) for number in range(row_count)]
    lines = b"".join(chunk.body for chunk in build_chunks(rows)).splitlines(keepends=True)
    return [b"".join(lines[first : first + _BLOCK_ROWS]) for first in range(0, row_count, _BLOCK_ROWS)]


def _build_row(chance: random.Random, number: int, now_ms: int) -> SpoolRow:
    """An event whose name decides which properties it has."""
    kind = chance.randrange(20)
    properties = {}
    for place in range(_KEYS_PER_EVENT):
        key_number = (kind * 3 + place) % _KEY_COUNT
        value = chance.randrange(_VALUE_COUNTS[key_number % len(_VALUE_COUNTS)])
        properties[_key(key_number)] = value / 100 if key_number % 3 == 0 else f"value {value}"
    raw = msgspec.Raw(msgspec.json.encode(properties))
    actor = f"user-{chance.randrange(20_000)}"
    return SpoolRow(
        _WORKSPACE, "production", now_ms - number, now_ms, 1, number, f"event {kind}", actor, "", "web", raw, None
    )


def _key(key_number: int) -> str:
    return f"key_{key_number}"


def _build_column(key_number: int) -> PropertyColumn:
    return PropertyColumn("numbers" if key_number % 3 == 0 else "strings", _key(key_number))


def _measure_round(writer: Writer, blocks: list[bytes], column_count: int) -> tuple[float, float]:
    """Seconds to insert, and bytes after merging."""
    writer.command("TRUNCATE TABLE events")
    columns = [_build_column(key_number) for key_number in range(column_count)]
    if columns:
        definitions = [
            column.definition_sql(has_few_values=_VALUE_COUNTS[key_number % len(_VALUE_COUNTS)] < _BLOCK_ROWS)
            for key_number, column in enumerate(columns)
        ]
        writer.command(f"ALTER TABLE events {', '.join(f'ADD COLUMN {definition}' for definition in definitions)}")
    started = time.perf_counter()
    for block_number, block in enumerate(blocks):
        writer.insert_events(block, f"{column_count}-{block_number}-{time.time_ns()}")
    seconds = time.perf_counter() - started
    writer.command("OPTIMIZE TABLE events FINAL")
    byte_count = int(writer.command("SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'events'"))
    if columns:
        writer.command(f"ALTER TABLE events {', '.join(f'DROP COLUMN {column.name}' for column in columns)}")
    return seconds, byte_count


def _main(folder: Path, row_count: int) -> None:
    blocks = _build_blocks(row_count)
    writer = Writer(EmbeddedBackend(folder))
    migrate(writer)
    rounds: dict[int, list[tuple[float, float]]] = {column_count: [] for column_count in COLUMN_COUNTS}
    for _ in range(_ROUNDS):
        for column_count, measured in rounds.items():
            measured.append(_measure_round(writer, blocks, column_count))
    writer.close()
    costs = [
        ColumnCost(
            column_count,
            row_count / statistics.median(seconds for seconds, _ in measured),
            statistics.median(byte_count for _, byte_count in measured) / row_count,
        )
        for column_count, measured in rounds.items()
    ]
    sys.stdout.write(msgspec.json.encode(costs).decode())


if __name__ == "__main__":
    _main(Path(sys.argv[1]), int(sys.argv[2]))
