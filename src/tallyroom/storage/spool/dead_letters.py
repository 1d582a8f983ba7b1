"""Events that the store never accepts (rules/safety#dead-letters); writing functions are changes for `Spool.change`."""

import sqlite3
from dataclasses import astuple, dataclass


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """One event that the store can never accept."""

    token: str
    workspace_id: str
    environment: str
    actor: str
    reason: str
    put_aside_ms: int
    line: bytes


def add_dead_letter(connection: sqlite3.Connection, dead_letter: DeadLetter) -> bool:
    """Store one event that the event store can never accept; False if its token is already there."""
    sql = "INSERT OR IGNORE INTO dead_letter VALUES (?, ?, ?, ?, ?, ?, ?)"
    cursor = connection.execute(sql, astuple(dead_letter))
    return cursor.rowcount > 0


def erase_dead_letters(connection: sqlite3.Connection, workspace_id: str, environment: str, actor: str | None) -> int:
    """Delete the dead letters of one actor, or of the whole environment if `actor` is None; return their number."""
    return _erase_dead_letters(connection, "actor = coalesce(?, actor)", workspace_id, environment, actor)


def expire_dead_letters(connection: sqlite3.Connection, workspace_id: str, environment: str, before_ms: int) -> int:
    """Delete dead letters by their events' times, or else by when they were put aside; return how many."""
    line_sql = "CAST(line AS TEXT)"
    has_time_sql = f"iif(json_valid({line_sql}), json_type({line_sql}, '$[2]') = 'integer', false)"
    condition_sql = f"iif({has_time_sql}, json_extract({line_sql}, '$[2]'), at_ms) < ?"
    return _erase_dead_letters(connection, condition_sql, workspace_id, environment, before_ms)


def _erase_dead_letters(connection: sqlite3.Connection, condition_sql: str, *values: str | int | None) -> int:
    """Delete letters of a workspace, an environment and a condition, whose `values` are in this order."""
    sql = f"DELETE FROM dead_letter WHERE workspace_id = ? AND environment = ? AND {condition_sql}"  # noqa: S608 # our own
    cursor = connection.execute(sql, values)
    connection.execute("UPDATE number SET value = value + ? WHERE name = 'erased'", (cursor.rowcount,))
    return cursor.rowcount


def count_dead_letters(connection: sqlite3.Connection) -> int:
    """Return the number of dead letters."""
    (count,) = connection.execute("SELECT count(*) FROM dead_letter").fetchone()
    return int(count)


def list_frequent_reasons(connection: sqlite3.Connection, max_count: int) -> list[tuple[str, int]]:
    """Return the reasons of dead letters, each with its number of events, most frequent first."""
    return connection.execute(
        "SELECT reason, count(*) AS letters FROM dead_letter GROUP BY reason ORDER BY letters DESC, reason LIMIT ?",
        (max_count,),
    ).fetchall()


def read_dead_letters(connection: sqlite3.Connection) -> list[DeadLetter]:
    """Return all dead letters, in the order of their tokens."""
    columns = "token, workspace_id, environment, actor, reason, at_ms, line"
    return [DeadLetter(*row) for row in connection.execute(f"SELECT {columns} FROM dead_letter ORDER BY token")]  # noqa: S608 # our own
