"""The spool's stamp: the installation that it belongs to, and the epoch in which it was last used."""

import sqlite3

from tallyroom.storage.stamp import Stamp


def read_stamp(connection: sqlite3.Connection) -> Stamp | None:
    """Return the stamp; None if no server of this version has started yet."""
    if not _has_table(connection, "stamp"):
        return None
    row = connection.execute("SELECT installation, epoch FROM stamp").fetchone()
    return Stamp(*row) if row else None


def write_stamp(connection: sqlite3.Connection, stamp: Stamp, written_off_count: int = 0) -> None:
    """Replace the stamp, and count events lost with an event store; a change for `Spool.change`."""
    remove_stamp(connection)
    connection.execute("INSERT INTO stamp VALUES (?, ?)", (stamp.installation, stamp.epoch))
    connection.execute("UPDATE number SET value = value + ? WHERE name = 'lost'", (written_off_count,))


def remove_stamp(connection: sqlite3.Connection) -> None:
    """Detach the spool from its installation; the spool of an older version has no stamp to remove."""
    if _has_table(connection, "stamp"):
        connection.execute("DELETE FROM stamp")


def has_spool_tables(connection: sqlite3.Connection) -> bool:
    """Return whether the tables of a spool were ever created."""
    return _has_table(connection, "number") and _has_table(connection, "chunk")


def has_identity(connection: sqlite3.Connection) -> bool:
    """Return whether the spool has its identity, or was never completed."""
    if not has_spool_tables(connection):
        return True
    names = {name for name, _ in connection.execute("SELECT name, value FROM number")}  # the rows, not their index
    return not names or "spool" in names


def _has_table(connection: sqlite3.Connection, name: str) -> bool:
    query = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
    return bool(connection.execute(query, (name,)).fetchone()[0])
