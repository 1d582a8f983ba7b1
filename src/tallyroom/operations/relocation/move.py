"""Moves an installation: first the event store, then the spool, and last the metadata, whose commit is the move.

Until that commit, no server starts on the new place; from just before it, none starts on the old one. So if the move is
interrupted at any moment, at most one of them can be used, and another attempt continues. Both directions share this
code, and differ in the abstract methods.
"""

import time
from abc import ABC, abstractmethod
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from tallyroom.cluster.open_metadata import migrate_metadata, start_record
from tallyroom.core import failpoints
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import Settings
from tallyroom.core.vault import SecretUnreadable, Vault
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.relocation.store import copy_store
from tallyroom.storage.event_store import hidden_count
from tallyroom.storage.event_store.backend.backend import Backend
from tallyroom.storage.event_store.migrate import migrate as migrate_store
from tallyroom.storage.event_store.part_check import count_events_by_spool_month
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import SharedMetadata
from tallyroom.storage.spool.expected_counts import SpoolMonth
from tallyroom.storage.stamp import Stamp

_POLL_SECONDS = 0.5


class NotMovable(TallyroomError):
    """The installation cannot be moved, or not to that place; nothing that a server needs was changed."""


class RelocationResult(msgspec.Struct, frozen=True):
    """The result of a move."""

    spool_folder: Path  # has the spool now
    event_count: int | None = None  # in the event store; None if an earlier attempt had moved everything
    queue_length: int = 0  # events queued in the spool
    dead_letter_count: int = 0
    other_host_dead_letter_count: int = 0  # dead letters in spools of other hosts, which stay there
    row_count: int = 0  # of the metadata


class NewSpool(NamedTuple):
    """A spool in its new place."""

    identity: int
    queue_length: int  # events queued in it
    dead_letter_count: int
    other_host_dead_letter_count: int = 0  # dead letters in spools of other hosts, which stay there


class InstallationMove(ABC):
    """A move in one direction; `settings` are those of the cluster's workers."""

    def __init__(self, settings: Settings, progress: Progress) -> None:
        self._settings = settings
        self._progress = progress

    def run(self) -> RelocationResult:
        """Move everything; after `StoreError`, `sqlite3.Error` or `OSError`, another attempt continues."""
        with ExitStack() as stack:
            spool_folder = self._hold_directories(stack)
            if self._is_finished():
                return RelocationResult(spool_folder)
            self._prepare_source()
            self._refuse_other_key()
            source, target = self._open_source_store(), self._open_target_store()
            self._claim_target(target)
            event_count_by_spool_month = self._move_events(source, target)
            target.write_stamp(self._build_next_stamp())
            failpoints.hit("move.store.after")
            spool = self._move_spool(event_count_by_spool_month)
            failpoints.hit("move.spool.after")
            row_count = self._move_metadata(spool)
            failpoints.hit("move.metadata.after")
            return RelocationResult(
                spool_folder,
                sum(event_count_by_spool_month.values()),
                spool.queue_length,
                spool.dead_letter_count,
                spool.other_host_dead_letter_count,
                row_count,
            )

    @abstractmethod
    def _hold_directories(self, stack: ExitStack) -> Path:
        """Lock the places against other processes, and return the directory for the spool."""

    @abstractmethod
    def _is_finished(self) -> bool:
        """Return whether an earlier attempt has moved everything; raises `NotMovable` if the new place is in use."""

    @abstractmethod
    def _prepare_source(self) -> None:
        """Refuse an old place that is in use or incomplete, and prevent it from being used without a new start."""

    @abstractmethod
    def _read_secrets(self) -> list[str]:
        """Return all stored secrets, encrypted."""

    @abstractmethod
    def _build_next_stamp(self) -> Stamp:
        """Return the stamp of the new epoch, for the new place."""

    @abstractmethod
    def _open_source_store(self) -> Backend:
        """Return the event store of the old place."""

    @abstractmethod
    def _open_target_store(self) -> Backend:
        """Return the event store of the new place."""

    @abstractmethod
    def _claim_target(self, target: Backend) -> None:
        """Mark the new place as being filled for this installation; raise `NotMovable` if it has something else."""

    @abstractmethod
    def _refuse_foreign_events(self, source: Writer) -> None:
        """Refuse an event store that does not belong to the other parts."""

    @abstractmethod
    def _move_spool(self, event_count_by_spool_month: dict[SpoolMonth, int]) -> NewSpool:
        """Bring the spool to the new place, durably."""

    @abstractmethod
    def _move_metadata(self, spool: NewSpool) -> int:
        """Copy the metadata, mark the old place, make the new one usable, and return the number of rows."""

    def _lock_and_read_metadata(self, stack: ExitStack, metadata_file: Path) -> SharedMetadata:
        """Keep workers from starting meanwhile, and return the metadata on the server."""
        record = start_record(metadata_file, self._settings.db_dsn)
        stack.enter_context(record.hold_start_lock())
        migrate_metadata(metadata_file, self._settings.db_dsn)
        if (shared_metadata := record.read_metadata()) is None:
            raise NotMovable("TALLYROOM_DB_DSN does not name a server.")
        return shared_metadata

    def _refuse_other_key(self) -> None:
        vault = Vault(self._settings.secret_keys)
        for secret in self._read_secrets():
            try:
                vault.decrypt(secret)
            except SecretUnreadable as error:
                raise NotMovable(
                    "TALLYROOM_SECRET_KEY is not the key that encrypted the stored secrets. Set it to the key of the "
                    "server, or to the content of secret.key in its directory. Nothing was changed."
                ) from error

    def _move_events(self, source: Backend, target: Backend) -> dict[SpoolMonth, int]:
        """Copy the event store, and return the number of its events by spool and month."""
        with closing(Writer(source)) as source_writer, closing(Writer(target)) as target_writer:
            self._refuse_foreign_events(source_writer)
            for writer in (source_writer, target_writer):
                migrate_store(writer)
            copy_store(source_writer, target_writer, self._progress, lambda: time.sleep(_POLL_SECONDS))
            hidden_count.note_hidden_count(target_writer)
            target.sync_tables()
            return count_events_by_spool_month(target_writer)
