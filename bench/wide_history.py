"""Ninety days of events with ten properties each, written straight into the event store of a stopped server.

Eight of ten are `event_0`.

``python -m bench.wide_history fill FOLDER WORKSPACE EVENTS`` writes them, and ``python -m bench.wide_history columns
FOLDER`` gives each property its column, as the server does by itself after questions, and beside it the column that a
person would make for it. Each has a process of its own, because one process can hold one event store.
"""

import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

from bench.product import Account, Product, make_paid
from tallyroom.core.data_directory import DATABASE_FILE, STORE_FOLDER
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.column_fill import fill_month
from tallyroom.storage.event_store.property_columns.catalog import PropertyColumnCatalog
from tallyroom.storage.event_store.property_columns.changes import add_column, count_distinct_values
from tallyroom.storage.event_store.property_columns.column import PropertyColumn
from tallyroom.storage.event_store.writer import Writer

COLUMNS = (
    *(PropertyColumn("strings", key) for key in ("plan", "country", "version", "page", "server_id", "session")),
    *(PropertyColumn("numbers", key) for key in ("amount", "ms", "items", "score")),
)

_DAYS = 90
_HOUR_MS = 3_600_000
_BLOCK_ROWS = 500_000
_TYPE_BY_KEY = {"session": "String", "page": "LowCardinality(String)"} | dict.fromkeys(
    ("plan", "country", "version", "server_id"), "LowCardinality(String)"
)


def make_wide_history(folder: Path, event_count: int) -> Account:
    """Make a data directory with a paid workspace that has so many events, without property columns."""
    product = Product(folder, TALLYROOM_PROPERTY_COLUMNS="0")
    make_paid(folder, product.account)
    product.stop()
    _run("fill", str(folder), product.account.workspace_id, str(event_count))
    return product.account


def make_columns(folder: Path) -> None:
    """Give each property its column, filled, and note that questions read them, so that the server keeps them."""
    _run("columns", str(folder))
    note_reads(folder)


def note_reads(folder: Path) -> None:
    """Note that questions have read much of each property, so that a server adds its column, or keeps it."""
    reads = [(column.map, column.key, 1e30, time.time_ns() // 1_000_000) for column in COLUMNS]
    with closing(sqlite3.connect(folder / DATABASE_FILE)) as connection, connection:
        connection.executemany("INSERT OR REPLACE INTO property_read_totals VALUES (?, ?, ?, ?)", reads)


def by_hand_column(key: str) -> str:
    """The name of the column that a person would make."""
    return f"by_hand_{key}"


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "bench.wide_history", *arguments], check=True)


def _fill(writer: Writer, workspace_id: str, event_count: int) -> None:
    until_ms = time.time_ns() // 1_000_000
    span_ms = (_DAYS * 24 - 1) * _HOUR_MS
    for first in range(0, event_count, _BLOCK_ROWS):
        row_count = min(_BLOCK_ROWS, event_count - first)
        writer.command(f"""
INSERT INTO events (workspace_id, environment, timestamp_ms, received_ms, spool, seq, name, actor, source, properties)
WITH toInt64({until_ms - span_ms} + number * {span_ms / event_count}) AS at_ms,
     sipHash64(number) AS chance,
     ['event_1', 'event_2', 'event_0'][1 + least(chance % 10, 2)] AS name
SELECT '{workspace_id}', 'production', at_ms, at_ms + 20, 1, number + 1, name,
       concat('user-', toString(sipHash64(number, 'actor') % 50000)), 'web',
       concat('{{"plan":"', ['free', 'pro', 'team', 'free'][1 + chance % 4],
              '","country":"c', toString(sipHash64(number, 'country') % 120),
              '","version":"1.', toString(sipHash64(number, 'version') % 30),
              '","page":"/docs/page-', toString(sipHash64(number, 'page') % 5000),
              '","server_id":"server-', toString(sipHash64(number, 'server') % 2000),
              '","session":"', hex(sipHash128(number)),
              '","amount":', toString(round(sipHash64(number, 'amount') % 10000 / 100, 2)),
              ',"ms":', toString(sipHash64(number, 'ms') % 8000),
              ',"items":', toString(sipHash64(number, 'items') % 20),
              ',"score":', toString(sipHash64(number, 'score') % 1000 / 1000), '}}')
FROM numbers({first}, {row_count})
SETTINGS max_threads = 2, max_insert_threads = 2, max_block_size = 65536""")
    for table in ("events", "actor_labels"):
        writer.command(f"OPTIMIZE TABLE {table} FINAL")


def _make_columns(writer: Writer) -> None:
    for column in COLUMNS:
        add_column(
            writer, column, count_distinct_values(writer.backend, column.property_read, time.time_ns() // 1_000_000)
        )
        type_name, name = _TYPE_BY_KEY.get(column.key, "Float64"), by_hand_column(column.key)
        value_sql = f"{column.map}['{column.key}']"
        writer.command(f"ALTER TABLE events ADD COLUMN {name} {type_name} MATERIALIZED {value_sql} CODEC(ZSTD(1))")
        writer.command(f"ALTER TABLE events MATERIALIZE COLUMN {name}")
    state = PropertyColumnCatalog().refresh(writer)
    for month in sorted(state.find_unfilled_months(COLUMNS[0])):
        fill_month(writer.command, [column.name for column in COLUMNS], month, threading.Event().wait)


if __name__ == "__main__":
    _writer = Writer(EmbeddedBackend(Path(sys.argv[2]) / STORE_FOLDER))
    if sys.argv[1] == "fill":
        _fill(_writer, sys.argv[3], int(sys.argv[4]))
    else:
        _make_columns(_writer)
    _writer.close()
