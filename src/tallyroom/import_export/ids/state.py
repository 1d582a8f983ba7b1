"""The file that records which rows count at which destination, and which batches are open.

A batch is recorded with its bytes before it is sent, and removed once settled. After a crash in between, the next
import sends the same bytes under the same key, which count once. Rows of open batches count as known.
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

_SCHEMA_VERSION: Final = 1
_BUSY_TIMEOUT_SECONDS: Final = 1.0
_PRAGMAS: Final = (
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # everything sent is recorded, even after a power cut
    "PRAGMA secure_delete = ON",  # nothing of settled batches remains in the file
    "PRAGMA cache_size = -65536",
)
_ZLIB_LEVEL: Final = 1

_RowRecord = tuple[int, bytes, bytes]
"""Line number, item JSON and id hash of a row."""

_encode_rows = msgspec.msgpack.Encoder().encode
_decode_rows = msgspec.msgpack.Decoder(list[_RowRecord]).decode


class StateUnusable(TallyroomError):
    """The file cannot be read or written, is another kind of file, or is in use."""


class OpenBatch(msgspec.Struct, frozen=True):
    """A batch without a known answer, which may or may not count; `recorded_ms` is before it was first sent."""

    key: str
    recorded_ms: int
    rows: list[SentRow]


class ImportState:
    """The part of the file about one destination, for several threads; every method may raise `StateUnusable`.

    A missing file is created with its directory, for its owner only. `run_number` counts the imports to the
    destination.
    """

    def __init__(self, path: Path, destination: Destination) -> None:
        self._path = path
        self._lock = threading.Lock()
        with self._translate_errors():
            self._connection = _connect(path)
        try:
            with self._translate_errors():
                self._prepare_file()
                self._destination_id, self.run_number = self._begin_run(destination)
        except BaseException:
            self._connection.close()
            raise

    def find_run_number(self, id_hash: bytes) -> int | None:
        """Return the number of the import that sent a row; None if none did."""
        sql = "SELECT run FROM known WHERE destination = ? AND id_hash = ?"
        try:  # not `_translate_errors`, which would cost as much as the query itself, for each row of the file
            row = self._connection.execute(sql, (self._destination_id, id_hash)).fetchone()
        except sqlite3.Error as error:
            raise self._build_unusable_error(error) from error
        return None if row is None else int(row[0])

    def open_and_close_batches(
        self, rows_by_key: Mapping[str, list[SentRow]], recorded_ms: int, settled_keys: Iterable[str]
    ) -> None:
        """Open these batches, by key, and close the settled ones, by the keys that they began with."""
        with self._transaction():
            self._delete_batches(settled_keys)
            self._insert_batches(rows_by_key, recorded_ms)

    def replace_batch(self, key: str, rows_by_key: Mapping[str, list[SentRow]]) -> None:
        """Open other batches in place of an open one; rows in none of them are no longer known."""
        with self._transaction():
            row = self._connection.execute(
                "DELETE FROM open_batch WHERE destination = ? AND key = ? RETURNING at_ms, rows",
                (self._destination_id, key),
            ).fetchone()
            if row is None:
                return
            recorded_ms, packed_rows = row
            kept_hashes = {sent_row.id_hash for rows in rows_by_key.values() for sent_row in rows}
            self._forget_rows(
                sent_row.id_hash for sent_row in _unpack_rows(packed_rows) if sent_row.id_hash not in kept_hashes
            )
            self._insert_batches({batch_key: rows for batch_key, rows in rows_by_key.items() if rows}, recorded_ms)

    def list_open_batches(self) -> list[OpenBatch]:
        """Return the open batches in the order in which they were recorded."""
        sql = "SELECT key, at_ms, rows FROM open_batch WHERE destination = ? ORDER BY id"
        with self._translate_errors():
            records = self._connection.execute(sql, (self._destination_id,)).fetchall()
        return [OpenBatch(key, recorded_ms, _unpack_rows(rows)) for key, recorded_ms, rows in records]

    def close(self) -> None:
        """Close the file."""
        with self._translate_errors():
            self._connection.close()

    def _prepare_file(self) -> None:
        for pragma in _PRAGMAS:
            self._connection.execute(pragma)
        self._connection.execute("BEGIN IMMEDIATE")  # takes an exclusive lock on the file
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            for statement in resources.files(__package__).joinpath("state.sql").read_text(encoding="utf-8").split(";"):
                self._connection.execute(statement)
            self._connection.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
        self._connection.execute("COMMIT")
        if version not in {0, _SCHEMA_VERSION}:
            raise StateUnusable(f"{self._path} was written by another version of this command.")

    def _begin_run(self, destination: Destination) -> tuple[int, int]:
        row: tuple[int, int] = self._connection.execute(
            "INSERT INTO destination (workspace_id, environment, runs) VALUES (?, ?, 1)"
            " ON CONFLICT DO UPDATE SET runs = runs + 1 RETURNING id, runs",
            (destination.workspace.id, destination.environment),
        ).fetchone()
        return row

    def _insert_batches(self, rows_by_key: Mapping[str, list[SentRow]], recorded_ms: int) -> None:
        for key, rows in rows_by_key.items():
            self._connection.execute(
                "INSERT INTO open_batch (destination, key, at_ms, rows) VALUES (?, ?, ?, ?)",
                (self._destination_id, key, recorded_ms, _pack_rows(rows)),
            )
            self._connection.executemany(
                "INSERT OR IGNORE INTO known VALUES (?, ?, ?)",
                [(self._destination_id, row.id_hash, self.run_number) for row in rows],
            )

    def _delete_batches(self, keys: Iterable[str]) -> None:
        """Close batches, including the parts of a split batch, whose keys are its key with a suffix."""
        self._connection.executemany(
            "DELETE FROM open_batch WHERE destination = ? AND (key = ? OR substr(key, 1, ?) = ?)",
            [(self._destination_id, key, len(key) + 1, f"{key}-") for key in keys],
        )

    def _forget_rows(self, hashes: Iterable[bytes]) -> None:
        self._connection.executemany(
            "DELETE FROM known WHERE destination = ? AND id_hash = ?",
            [(self._destination_id, id_hash) for id_hash in hashes],
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Make one change to the file, durably and atomically."""
        with self._translate_errors(), self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._build_unusable_error(error) from error

    def _build_unusable_error(self, error: sqlite3.Error) -> StateUnusable:
        if getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY"):
            return StateUnusable(f"Another import is using {self._path}. Wait until it ends.")
        return StateUnusable(f"{self._path} cannot be used: {error}.")


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600)
    return sqlite3.connect(path, timeout=_BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False)


def _pack_rows(rows: list[SentRow]) -> bytes:
    records: list[_RowRecord] = [(row.line_number, row.item_json, row.id_hash) for row in rows]
    return zlib.compress(_encode_rows(records), _ZLIB_LEVEL)


def _unpack_rows(packed_rows: bytes) -> list[SentRow]:
    return [
        SentRow(line_number, item_json, item_json, id_hash)
        for line_number, item_json, id_hash in _decode_rows(zlib.decompress(packed_rows))
    ]
