"""A listing of 50,000 bots with five years of history, written straight into the files of a stopped server.

The first 2,000 bots have a counter a day for five years, the first hundred of them one an hour, and the rest one a day
for 90 days. The first bot has 100,000 voters.

``python -m bench.listed FOLDER WORKSPACE BOTS`` fills in a process of its own, because one process can hold one event
store.
"""

import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import msgspec

from tallyroom.bots.bot_row import BotRow
from tallyroom.bots.counters import METRICS
from tallyroom.bots.votes import Tally
from tallyroom.core.data_directory import DATABASE_FILE, STORE_FOLDER
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.writer import Writer

FIRST_BOT = 100_000_000_000_000_000
FIRST_USER = 200_000_000_000_000_000
VOTERS = 100_000
DAY_MS = 86_400_000
HOUR_MS = 3_600_000

_OLD_SHARE = 25  # each so manyth bot has five years
_HOURLY_SHARE = 500
_FIVE_YEARS = 1826
_NINETY_DAYS = 90
_MONTHS_OF_INSERT = "SETTINGS max_partitions_per_insert_block = 0, max_insert_threads = 2"


def bot_id(number: int) -> str:
    """The id of a bot by its number from 0."""
    return str(FIRST_BOT + number)


def fill(folder: Path, workspace_id: str, bots: int) -> None:
    """Write `bots` bots whose last counters are of this hour or day."""
    now_ms = time.time_ns() // 1_000_000
    with closing(sqlite3.connect(folder / DATABASE_FILE)) as connection, connection:
        connection.execute("INSERT INTO listings VALUES (?, 1, false, NULL)", (workspace_id,))
        _insert(connection, "bots", BotRow.__struct_fields__, [_bot(workspace_id, at, now_ms) for at in range(bots)])
        columns = ("workspace_id", "bot_id", "user_id", *Tally.__struct_fields__)
        _insert(connection, "voters", columns, [_voter(workspace_id, at, now_ms) for at in range(VOTERS)])
    writer = Writer(EmbeddedBackend(folder / STORE_FOLDER))
    hourly, old = bots // _HOURLY_SHARE, bots // _OLD_SHARE
    today_ms, hour_ms = now_ms // DAY_MS * DAY_MS, now_ms // HOUR_MS * HOUR_MS
    for first, last, steps, step_ms, until_ms in (
        (0, hourly, _FIVE_YEARS * 24, HOUR_MS, hour_ms),
        (hourly, old, _FIVE_YEARS, DAY_MS, today_ms),
        (old, bots, _NINETY_DAYS, DAY_MS, today_ms),
    ):
        for at, metric in enumerate(METRICS):
            writer.command(
                "INSERT INTO bot_counters (workspace_id, bot_id, metric, time_ms, revision, value)"
                f" SELECT '{workspace_id}', toString({FIRST_BOT} + {first} + intDiv(number, {steps})), '{metric}',"
                f" {until_ms} - (number % {steps}) * {step_ms} AS at_ms, at_ms,"
                f" {_value(f'({first} + intDiv(number, {steps}))', at, f'(number % {steps})')}"
                f" FROM numbers({(last - first) * steps}) {_MONTHS_OF_INSERT}"
            )
    for table in ("bot_counters", "bot_counters_daily"):
        writer.command(f"OPTIMIZE TABLE {table} FINAL")
    writer.close()


def _value(bot: str, metric: int, steps_ago: str) -> str:
    """What a counter was, as an expression of SQL."""
    return f"({bot} * 7919 + {metric} * 104729) % 100000 + 50000 - {steps_ago}"


def _bot(workspace_id: str, at: int, now_ms: int) -> BotRow:
    bot = BotRow(workspace_id, bot_id(at), 1, 0, now_ms - 2000 * DAY_MS, now_ms, name=f"Bot {at}", lib="discord.py")
    bot.short_desc, bot.website, bot.voters = "Counts things.", "https://example.com", VOTERS if at == 0 else 0
    bot.owners = msgspec.json.encode([str(FIRST_USER + at // 3)]).decode()
    bot.tags = msgspec.json.encode([f"tag-{at % 40}", "fun"]).decode()
    for metric, name in enumerate(METRICS):
        bot.apply_counter(name, now_ms // DAY_MS * DAY_MS, (at * 7919 + metric * 104729) % 100000 + 50000)
    return bot


def _voter(workspace_id: str, at: int, now_ms: int) -> tuple[object, ...]:
    tally = Tally(1 + at % 97, 1 + at % 131, 1 + at % 9, now_ms - at * 1000)
    return (workspace_id, bot_id(0), str(FIRST_USER + at), *msgspec.structs.astuple(tally))


def _insert(
    connection: sqlite3.Connection, table: str, columns: tuple[str, ...], rows: list[BotRow] | list[tuple[object, ...]]
) -> None:
    placeholders = ", ".join("?" * len(columns))
    plain = [msgspec.structs.astuple(row) if isinstance(row, BotRow) else row for row in rows]
    connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({placeholders})", plain)  # ours


if __name__ == "__main__":
    fill(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
