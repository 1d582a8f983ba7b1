"""The file that remembers which rows count at which destination, and which batches are open.

A batch is written down, with the bytes of its rows, before it is sent, and removed once it is settled. After a crash in
between, the next import finds it and sends the same bytes under the same key, which the server counts once. The rows of
an open batch count as known from the start, so that no other batch includes them.
"""

import contextlib
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from tallyroom.core.errors import TallyroomError
from tallyroom.import_export.batch import SentRow
from tallyroom.import_export.destination import Destination

_VERSION: Final = 1
_WAIT_SECONDS: Final = 1.0
_SETTINGS: Final = (
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # whatever is sent is recorded, even after a power cut
    "PRAGMA secure_delete = ON",  # nothing of settled batches remains in the file
    "PRAGMA cache_size = -65536",
)
_ZIP_LEVEL: Final = 1

_Kept = tuple[int, bytes, bytes]
"""Line, item and id hash of a row."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[_Kept]).decode


class StateUnusable(TallyroomError):
    """The file cannot be read or written, is another kind of file, or is in use."""


class OpenBatch(msgspec.Struct, frozen=True):
    """A batch whose answer nobody has read, so that it may or may not count.

    Attributes:
        key: its idempotency key.
        at_ms: when it was recorded, which is before it was first sent.
        rows: its rows.
    """

    key: str
    at_ms: int
    rows: list[SentRow]


class State:
    """The part of the file about one destination; several threads may write to it.

    Args:
        path: the file; if missing, it is created with its directory, for its owner only.
        destination: where the rows go.

    Attributes:
        run: the number of this import at the destination.

    Raises:
        StateUnusable: the file cannot be used; every method may raise this.
    """

    def __init__(self, path: Path, destination: Destination) -> None:
        self._path = path
        self._lock = threading.Lock()
        with self._told():
            self._connection = _opened(path)
        try:
            with self._told():
                self._prepare()
                self._destination, self.run = self._begin_run(destination)
        except BaseException:
            self._connection.close()
            raise

    def run_of(self, id_hash: bytes) -> int | None:
        """Return the number of the import that brought a row; None if none did."""
        sql = "SELECT run FROM known WHERE destination = ? AND id_hash = ?"
        try:  # not `_told`, which would cost as much as the query itself, for each row of the file
            row = self._connection.execute(sql, (self._destination, id_hash)).fetchone()
        except sqlite3.Error as error:
            raise self._unusable(error) from error
        return None if row is None else int(row[0])

    def write_down(self, batches: Mapping[str, list[SentRow]], at_ms: int, keys: Iterable[str]) -> None:
        """Open these batches, by key, and close the settled ones, by the keys that they began with."""
        with self._changing():
            self._close(keys)
            self._open(batches, at_ms)

    def replace(self, key: str, parts: Mapping[str, list[SentRow]]) -> None:
        """Open other batches in place of an open one; rows that are in none of them are no longer known."""
        with self._changing():
            row = self._connection.execute(
                "DELETE FROM open_batch WHERE destination = ? AND key = ? RETURNING at_ms, rows",
                (self._destination, key),
            ).fetchone()
            if row is None:
                return
            hashes = {sent_row.id_hash for rows in parts.values() for sent_row in rows}
            self._forget(sent_row.id_hash for sent_row in _unpacked(row[1]) if sent_row.id_hash not in hashes)
            self._open({part: rows for part, rows in parts.items() if rows}, row[0])

    def open_batches(self) -> list[OpenBatch]:
        """Return the open batches in the order in which they were recorded."""
        sql = "SELECT key, at_ms, rows FROM open_batch WHERE destination = ? ORDER BY id"
        with self._told():
            records = self._connection.execute(sql, (self._destination,)).fetchall()
        return [OpenBatch(key, at_ms, _unpacked(rows)) for key, at_ms, rows in records]

    def close(self) -> None:
        """Close the file."""
        with self._told():
            self._connection.close()

    def _prepare(self) -> None:
        for setting in _SETTINGS:
            self._connection.execute(setting)
        self._connection.execute("BEGIN IMMEDIATE")  # nobody else has the file from here on
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            for statement in resources.files(__package__).joinpath("state.sql").read_text(encoding="utf-8").split(";"):
                self._connection.execute(statement)
            self._connection.execute(f"PRAGMA user_version = {_VERSION}")
        self._connection.execute("COMMIT")
        if version not in {0, _VERSION}:
            raise StateUnusable(f"{self._path} was written by another version of this command.")

    def _begin_run(self, destination: Destination) -> tuple[int, int]:
        row: tuple[int, int] = self._connection.execute(
            "INSERT INTO destination (workspace_id, environment, runs) VALUES (?, ?, 1)"
            " ON CONFLICT DO UPDATE SET runs = runs + 1 RETURNING id, runs",
            (destination.workspace.id, destination.environment),
        ).fetchone()
        return row

    def _open(self, batches: Mapping[str, list[SentRow]], at_ms: int) -> None:
        for key, rows in batches.items():
            self._connection.execute(
                "INSERT INTO open_batch (destination, key, at_ms, rows) VALUES (?, ?, ?, ?)",
                (self._destination, key, at_ms, _packed(rows)),
            )
            self._connection.executemany(
                "INSERT OR IGNORE INTO known VALUES (?, ?, ?)",
                [(self._destination, row.id_hash, self.run) for row in rows],
            )

    def _close(self, keys: Iterable[str]) -> None:
        """Close a batch; if it was sent in pieces, their keys are its own key and a suffix."""
        self._connection.executemany(
            "DELETE FROM open_batch WHERE destination = ? AND (key = ? OR substr(key, 1, ?) = ?)",
            [(self._destination, key, len(key) + 1, f"{key}-") for key in keys],
        )

    def _forget(self, hashes: Iterable[bytes]) -> None:
        self._connection.executemany(
            "DELETE FROM known WHERE destination = ? AND id_hash = ?",
            [(self._destination, id_hash) for id_hash in hashes],
        )

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Make one change to the file, which is durable as a whole or does not happen."""
        with self._told(), self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _unusable(self, error: sqlite3.Error) -> StateUnusable:
        if getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY"):
            return StateUnusable(f"Another import is using {self._path}. Wait until it ends.")
        return StateUnusable(f"{self._path} cannot be used: {error}.")


def _opened(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600)
    return sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False)


def _packed(rows: list[SentRow]) -> bytes:
    entries: list[_Kept] = [(row.line, row.item, row.id_hash) for row in rows]
    return zlib.compress(_encode(entries), _ZIP_LEVEL)


def _unpacked(rows: bytes) -> list[SentRow]:
    return [SentRow(line, item, item, id_hash) for line, item, id_hash in _decode(zlib.decompress(rows))]
