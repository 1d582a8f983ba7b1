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
from tallyroom.bots.votes import VoterTally
from tallyroom.core.data_directory import DATABASE_FILE, STORE_FOLDER
from tallyroom.storage.event_store.backend.embedded.backend import EmbeddedBackend
from tallyroom.storage.event_store.writer import Writer

FIRST_BOT = 100_000_000_000_000_000
FIRST_USER = 200_000_000_000_000_000
VOTER_COUNT = 100_000
DAY_MS = 86_400_000
HOUR_MS = 3_600_000

_OLD_BOT_STEP = 25  # each so manyth bot has five years
_HOURLY_BOT_STEP = 500
_DAYS_OF_FIVE_YEARS = 1826
_HISTORY_DAYS = 90
_MONTHS_OF_INSERT = "SETTINGS max_partitions_per_insert_block = 0, max_insert_threads = 2"


def bot_id(number: int) -> str:
    """The id of a bot by its number from 0."""
    return str(FIRST_BOT + number)


def fill(folder: Path, workspace_id: str, bot_count: int) -> None:
    """Write `bot_count` bots whose last counters are of this hour or day."""
    now_ms = time.time_ns() // 1_000_000
    with closing(sqlite3.connect(folder / DATABASE_FILE)) as connection, connection:
        connection.execute("INSERT INTO listings VALUES (?, 1, false, NULL)", (workspace_id,))
        _insert(
            connection,
            "bots",
            BotRow.__struct_fields__,
            [_build_bot_row(workspace_id, number, now_ms) for number in range(bot_count)],
        )
        columns = ("workspace_id", "bot_id", "user_id", *VoterTally.__struct_fields__)
        _insert(
            connection,
            "voters",
            columns,
            [_build_voter_row(workspace_id, number, now_ms) for number in range(VOTER_COUNT)],
        )
    writer = Writer(EmbeddedBackend(folder / STORE_FOLDER))
    hourly_bot_count, old_bot_count = bot_count // _HOURLY_BOT_STEP, bot_count // _OLD_BOT_STEP
    today_ms, hour_ms = now_ms // DAY_MS * DAY_MS, now_ms // HOUR_MS * HOUR_MS
    for first_bot, end_bot, step_count, step_ms, until_ms in (
        (0, hourly_bot_count, _DAYS_OF_FIVE_YEARS * 24, HOUR_MS, hour_ms),
        (hourly_bot_count, old_bot_count, _DAYS_OF_FIVE_YEARS, DAY_MS, today_ms),
        (old_bot_count, bot_count, _HISTORY_DAYS, DAY_MS, today_ms),
    ):
        bot_sql, steps_ago_sql = f"({first_bot} + intDiv(number, {step_count}))", f"(number % {step_count})"
        for metric_index, metric in enumerate(METRICS):
            writer.command(
                "INSERT INTO bot_counters (workspace_id, bot_id, metric, time_ms, revision, value)"
                f" SELECT '{workspace_id}', toString({FIRST_BOT} + {first_bot} + intDiv(number, {step_count})),"
                f" '{metric}',"
                f" {until_ms} - (number % {step_count}) * {step_ms} AS at_ms, at_ms,"
                f" {_build_value_sql(bot_sql, metric_index, steps_ago_sql)}"
                f" FROM numbers({(end_bot - first_bot) * step_count}) {_MONTHS_OF_INSERT}"
            )
    for table in ("bot_counters", "bot_counters_daily"):
        writer.command(f"OPTIMIZE TABLE {table} FINAL")
    writer.close()


def _build_value_sql(bot: str, metric: int, steps_ago: str) -> str:
    """What a counter was, as an expression of SQL."""
    return f"({bot} * 7919 + {metric} * 104729) % 100000 + 50000 - {steps_ago}"


def _build_bot_row(workspace_id: str, number: int, now_ms: int) -> BotRow:
    bot = BotRow(
        workspace_id, bot_id(number), 1, 0, now_ms - 2000 * DAY_MS, now_ms, name=f"Bot {number}", lib="discord.py"
    )
    bot.short_desc, bot.website, bot.voters = "Counts things.", "https://example.com", VOTER_COUNT if number == 0 else 0
    bot.owners = msgspec.json.encode([str(FIRST_USER + number // 3)]).decode()
    bot.tags = msgspec.json.encode([f"tag-{number % 40}", "fun"]).decode()
    for metric, name in enumerate(METRICS):
        bot.apply_counter(name, now_ms // DAY_MS * DAY_MS, (number * 7919 + metric * 104729) % 100000 + 50000)
    return bot


def _build_voter_row(workspace_id: str, number: int, now_ms: int) -> tuple[object, ...]:
    tally = VoterTally(1 + number % 97, 1 + number % 131, 1 + number % 9, now_ms - number * 1000)
    return (workspace_id, bot_id(0), str(FIRST_USER + number), *msgspec.structs.astuple(tally))


def _insert(
    connection: sqlite3.Connection, table: str, columns: tuple[str, ...], rows: list[BotRow] | list[tuple[object, ...]]
) -> None:
    placeholders = ", ".join("?" * len(columns))
    plain_rows = [msgspec.structs.astuple(row) if isinstance(row, BotRow) else row for row in rows]
    connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({placeholders})", plain_rows)  # ours


if __name__ == "__main__":
    fill(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
