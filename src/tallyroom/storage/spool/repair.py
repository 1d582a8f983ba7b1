"""Sets right what changed on the disk in the spool's own records (rules/safety#damaged-events).

No id of a chunk and no sequence number is used twice, as the store would take what is new for what it has. So where two
records differ, the higher one counts.
"""

import sqlite3
from collections.abc import Iterator

from tallyroom.storage.spool.event_counts import count_mended
from tallyroom.storage.spool.open_range import mend_range

_MOST = 2**53
"""More than any count, id or sequence number comes to."""


def mend(connection: sqlite3.Connection) -> list[str]:
    """Set right what can be, and return what that was; a change for `Spool.change`."""
    records = [*_removed_copies(connection), *_mended_counts(connection), *_mended_numbering(connection)]
    if mend_range(connection):
        records.append("the range on its way into the store")
    if records:
        count_mended(connection, len(records))
    return records


def _removed_copies(connection: sqlite3.Connection) -> Iterator[str]:
    """Delete duplicate rows: each event has a sequence number of its own, so no two rows were written alike."""
    copies = "SELECT seal, min(id) FROM chunk WHERE seal IS NOT NULL GROUP BY seal, body HAVING count(*) > 1"
    for seal, first in connection.execute(copies).fetchall():
        body = "(SELECT body FROM chunk WHERE id = ?)"
        connection.execute(f"DELETE FROM chunk WHERE seal = ? AND id <> ? AND body = {body}", (seal, first, first))  # noqa: S608 # our own names
        yield "a row that was there twice"


def _mended_counts(connection: sqlite3.Connection) -> Iterator[str]:
    """Derive counts that are no numbers from the others."""
    names = ("acked", "stored", "erased", "lost", "mended", "doubtful")
    unread = {name for name in names if _is_there(connection, name) and _number(connection, name) is None}
    for name in ("erased", "lost", "mended", "doubtful"):
        if name in unread:
            _set(connection, name, 0)
    waiting = _sum(connection, "SELECT total(CAST(events AS INTEGER)) FROM chunk") if unread else 0
    if "stored" in unread:
        _set(connection, "stored", max((_number(connection, "acked") or 0) - waiting, _held(connection)))
    if "acked" in unread:
        _set(connection, "acked", (_number(connection, "stored") or 0) + waiting)
    if "erased" in unread:
        _set(connection, "erased", max((_number(connection, "stored") or 0) - _held(connection), 0))
    yield from (f"the number {name}" for name in sorted(unread))


def _held(connection: sqlite3.Connection) -> int:
    """Return how many events are in the store or put aside, erased or lost, as far as is known."""
    own = "SELECT total(events) FROM stock WHERE spool = (SELECT value FROM number WHERE name = 'spool')"
    aside = "SELECT count(*) FROM dead_letter"
    removals = sum(_number(connection, name) or 0 for name in ("erased", "lost"))
    return _sum(connection, own) + _sum(connection, aside) + removals


def _mended_numbering(connection: sqlite3.Connection) -> Iterator[str]:
    copies = [_number(connection, name) for name in ("next_seq", "next_seq_copy")]
    if copies[0] is None or copies[0] != copies[1]:
        following = max((copy for copy in copies if copy), default=(_number(connection, "acked") or 0) + 1 + 2**32)
        _set(connection, "next_seq", following)
        _set(connection, "next_seq_copy", following)
        yield "the next sequence number"
    (newest,) = connection.execute("SELECT coalesce(max(id), 0) FROM chunk").fetchone()
    rows = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'chunk'").fetchall()
    ids = [_sane(row[0]) for row in rows] or [0]
    last_id = _number(connection, "last_id")
    candidates = [value for value in (last_id, *ids) if value is not None]
    if not candidates:
        candidates.append(_number(connection, "acked") or 0)  # no chunk is without an event
    highest = max(newest, *candidates)
    if newest > max(candidates):  # an id that changed: its row may be in the store under the one of before
        _set(connection, "doubtful", newest)
    if last_id != highest or ids != [highest]:
        connection.execute("DELETE FROM sqlite_sequence WHERE name = 'chunk'")
        connection.execute("INSERT INTO sqlite_sequence VALUES ('chunk', ?)", (highest,))
        _set(connection, "last_id", highest)
        yield "the id of the newest chunk"


def _is_there(connection: sqlite3.Connection, name: str) -> bool:
    return _sum(connection, f"SELECT count(*) FROM number WHERE name = '{name}'") > 0  # noqa: S608 # our own names


def _number(connection: sqlite3.Connection, name: str) -> int | None:
    row = connection.execute("SELECT value FROM number WHERE name = ?", (name,)).fetchone()
    return _sane(row[0]) if row else None


def _sane(value: object) -> int | None:
    return value if isinstance(value, int) and 0 <= value < _MOST else None


def _set(connection: sqlite3.Connection, name: str, value: int) -> None:
    connection.execute("INSERT OR REPLACE INTO number VALUES (?, ?)", (name, value))


def _sum(connection: sqlite3.Connection, sql: str) -> int:
    return int(connection.execute(sql).fetchone()[0])
