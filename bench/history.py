"""Ninety days of events, or more, written straight into the event store of a stopped server.

200,000 actors, 2,000 groups and 20 names, the front ones more often; one actor and one group have five events each. The
environment `development` gets the last three days of `production` and nothing before: the same questions about the
last day show there what history costs.

``python -m bench.history FOLDER WORKSPACE EVENTS DAYS`` fills in a process of its own, because one process can hold one
event store.
"""

import subprocess
import sys
import time
from pathlib import Path

from bench.product import Account, Product, make_paid
from tallyroom.core.data_directory import STORE_FOLDER
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.writer import Writer

GROUP_PROPERTY = "server_id"
RARE_ACTOR = "user-rare"
RARE_GROUP = "server-rare"
_RARE_EVENTS = 5

_HOUR_MS = 3_600_000
_DAYS = 90
_RECENT_MS = 3 * 24 * _HOUR_MS
_BLOCK_ROWS = 500_000
_SPOOL = 1

_INSERT_COLUMNS = (
    "workspace_id, environment, timestamp_ms, received_ms, spool, seq, name, actor, actor_label, source, properties"
)


def make_history(folder: Path, event_count: int, day_count: int = _DAYS) -> Account:
    """Make a data directory with a paid workspace that has so many events in so many days."""
    product = Product(folder)
    make_paid(folder, product.account)
    product.stop()
    command = [
        sys.executable,
        "-m",
        "bench.history",
        str(folder),
        product.account.workspace_id,
        str(event_count),
        str(day_count),
    ]
    subprocess.run(command, check=True)
    return product.account


def fill(writer: Writer, workspace_id: str, event_count: int, day_count: int) -> None:
    """Write `event_count` events of `day_count` days that end now, and merge them as time would."""
    span_ms = (day_count * 24 - 1) * _HOUR_MS  # an hour short, so that a window of 90 days holds all of it for an hour
    now_ms = time.time_ns() // 1_000_000
    for first in range(0, event_count, _BLOCK_ROWS):
        insert_block(
            writer, workspace_id, range(first, min(first + _BLOCK_ROWS, event_count)), event_count, now_ms, span_ms
        )
    writer.command(
        f"INSERT INTO events ({_INSERT_COLUMNS}) SELECT workspace_id, 'development', toUnixTimestamp64Milli(timestamp),"
        f" toUnixTimestamp64Milli(received_at), spool, seq, name, actor, actor_label, source, properties FROM events"
        f" WHERE environment = 'production' AND timestamp > fromUnixTimestamp64Milli({now_ms - _RECENT_MS}, 'UTC')"
        " SETTINGS max_threads = 2, max_insert_threads = 2"
    )
    for table in ("events", "actor_labels"):
        writer.command(f"OPTIMIZE TABLE {table} FINAL")


def insert_block(  # what one block of a history is
    writer: Writer, workspace_id: str, numbers: range, event_count: int, now_ms: int, span_ms: int
) -> None:
    """Write some of `event_count` events, by their numbers, which are evenly distributed over a time until now."""
    writer.command(_build_insert_sql(workspace_id, numbers.start, len(numbers), event_count, now_ms, span_ms))


def _build_insert_sql(  # what one block of a history is
    workspace_id: str, first_number: int, row_count: int, event_count: int, now_ms: int, span_ms: int
) -> str:
    """The events `first_number` and following: evenly over time, everything else by chance that is the same again.

    A rank among `rank_count` is more frequent the smaller it is, as 1 / (rank + `flatness`).
    """

    def chance_sql(salt: str) -> str:
        return f"(sipHash64(number, '{salt}') / 18446744073709551616.)"

    def rank_sql(salt: str, rank_count: int, flatness: int) -> str:
        return f"toUInt32({flatness} * (pow({rank_count / flatness + 1}, {chance_sql(salt)}) - 1))"

    rare_step = max(event_count // _RARE_EVENTS, 1)
    is_rare_sql = f"number % {rare_step} = {rare_step // 2}"
    at_ms_sql = f"toInt64({now_ms - span_ms} + (number + {chance_sql('at')}) * {span_ms / event_count})"
    return f"""
INSERT INTO events ({_INSERT_COLUMNS})
WITH
  {rank_sql("actor", 200_000, 1000)} AS actor_rank,
  {rank_sql("group", 2_000, 20)} AS group_rank,
  {rank_sql("name", 20, 3)} AS name_rank,
  {at_ms_sql} AS at_ms,
  ['free', 'pro', 'team'][1 + actor_rank % 7 % 3] AS plan,
  arraySlice(['alpha', 'beta', 'gamma', 'delta', 'epsilon'], 1 + toUInt8({chance_sql("tag")} * 4), 2) AS tags
SELECT
  '{workspace_id}', 'production', at_ms, at_ms + 20, {_SPOOL}, number + 1,
  concat('event_', toString(name_rank)),
  if({is_rare_sql}, '{RARE_ACTOR}', concat('user-', leftPad(toString(actor_rank), 6, '0'))),
  if({is_rare_sql}, 'Rare', concat('User ', toString(actor_rank))),
  'web',
  concat('{{"server_id":"', if({is_rare_sql}, '{RARE_GROUP}', concat('server-', toString(group_rank))),
         '","plan":"', plan, '","amount":', toString(round({chance_sql("amount")} * 100, 2)),
         ',"tags":["', arrayStringConcat(tags, '","'), '"],"ms":',
         toString(toUInt32(exp({chance_sql("ms")} * 9))), '}}')
FROM numbers({first_number}, {row_count})
SETTINGS max_threads = 2, max_insert_threads = 2, max_block_size = 65536"""


if __name__ == "__main__":
    _writer = Writer(EmbeddedBackend(Path(sys.argv[1]) / STORE_FOLDER))
    fill(_writer, sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    _writer.close()
