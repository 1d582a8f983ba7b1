"""Access to the event store that this process has open: the server, or a command that found no server running."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import msgspec

from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import SPOOL_FILE, STORE_FOLDER, DataDirectoryUnusable
from tallyroom.core.errors import Conflict, Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.core.version import VERSION
from tallyroom.ingest.drain.completeness import CompletenessCheck
from tallyroom.ingest.drain.drain import Drain
from tallyroom.operations.backup.balance import EventBalance
from tallyroom.operations.backup.snapshot import DatabaseSnapshot
from tallyroom.operations.backup.store_access import FrozenStore, StoreCondition
from tallyroom.operations.installation.stale_copy import refuse_stale_spool
from tallyroom.storage.event_store.backend.opening import embedded_backend
from tallyroom.storage.event_store.column_fill import list_unfilled_months
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.freeze import freeze, thaw
from tallyroom.storage.event_store.migrate import LEDGER_TABLE, newest_version, read_version
from tallyroom.storage.event_store.number_texts import NUMBER_TEXTS
from tallyroom.storage.event_store.part_check import (
    CheckedPart,
    check_parts,
    count_parts,
    count_unfinished_deletions,
    read_engine_version,
)
from tallyroom.storage.event_store.pause import Mover
from tallyroom.storage.event_store.property_columns.catalog import ColumnState, read_column_state
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.claim import read_open_claim
from tallyroom.storage.spool.dead_letters import list_frequent_reasons
from tallyroom.storage.spool.file import SCHEMA_VERSION
from tallyroom.storage.spool.queue import Spool

_FROZEN_NAME = "backup"
_HOLD_TIMEOUT_SECONDS = 10.0
_COUNT_HOLD_TIMEOUT_SECONDS = 3.0  # shorter, because counting also works while events move
_MAX_REASONS = 5


class LocalStoreAccess:
    """The store that this process has open. Thread-safe. A freeze holds `drain` and `outbox`."""

    def __init__(
        self,
        data_dir: Path,
        spool: Spool,
        writer: Writer,
        drain: Drain | None,
        outbox: Mover | None = None,
        completeness_check: CompletenessCheck | None = None,
    ) -> None:
        self._completeness_check = completeness_check or CompletenessCheck(spool, writer, drain)
        self._store_folder = data_dir / STORE_FOLDER
        self._data_dir = data_dir
        self._spool = spool
        self._writer = writer
        self._drain = drain
        self._outbox = outbox
        self._freeze_lock = threading.Lock()
        self._hold_stack = ExitStack()
        self._is_holding = False
        thaw(self._store_folder)

    def freeze(self) -> FrozenStore:
        """Like `StoreAccess.freeze`; if the store accepts no events, the error includes its reason."""
        if self._writer.backend.folder is None:
            raise Conflict("This server's events are on another server. Use the settings that name that server.")
        if not self._freeze_lock.acquire(blocking=False):
            raise Conflict("Another backup of this data is running. Wait until it ends.")
        try:
            self._hold_stack.enter_context(self._hold_movers(_HOLD_TIMEOUT_SECONDS))
            self._is_holding = True
            with self._writer.hold_lock():
                balance = self._read_balance(is_settled=True)
                folder_by_table = freeze(self._writer, self._store_folder, _FROZEN_NAME)
            failpoints.hit("backup.freeze.after")
            return FrozenStore(
                folders={table: str(Path(STORE_FOLDER, folder)) for table, folder in folder_by_table.items()},
                balance=balance,
                schema=read_version(self._writer),
                engine=read_engine_version(self._writer),
            )
        except Unavailable as error:
            self.thaw()
            raise Unavailable(f"{error.message} {self._drain.failure_reason if self._drain else ''}".strip()) from error
        except BaseException:
            self.thaw()
            raise

    def release_drain(self) -> None:
        """Like `StoreAccess.release_drain`."""
        if not self._is_holding:
            raise Unavailable("The backup took too long to start.")
        self._is_holding = False
        self._hold_stack.close()

    def thaw(self) -> None:
        """Like `StoreAccess.thaw`; only the caller that froze the store may call it."""
        self._is_holding = False
        self._hold_stack.close()
        thaw(self._store_folder)
        self._freeze_lock.release()

    def read_condition(self) -> StoreCondition:
        """Like `StoreAccess.read_condition`."""
        with closing(self._spool.open_reader()) as reader:
            reason_counts = list_frequent_reasons(reader, _MAX_REASONS)
        self._completeness_check.compare_counts(_COUNT_HOLD_TIMEOUT_SECONDS)
        columns = self._read_columns()
        return StoreCondition(
            program=VERSION,
            engine=read_engine_version(self._writer),
            process=os.getpid(),
            store_schema=read_version(self._writer),
            spool_schema=SCHEMA_VERSION,  # opening the spool has migrated it to this version
            failing=self._drain.failure_reason if self._drain else "",
            parts=count_parts(self._writer),
            damage=[str(damage) for damage in self._completeness_check.damages.entries],
            unfinished_deletions=count_unfinished_deletions(self._writer),
            reasons=reason_counts,
            balance=self._read_held_balance(),
            property_columns=columns.describe_columns(),
            unfilled_months=columns.unfilled_month_count,
            unfilled_number_months=len(list_unfilled_months(self._writer.command, NUMBER_TEXTS) or ()),
        )

    def check_parts(self) -> Iterator[CheckedPart]:
        """Like `StoreAccess.check_parts`."""
        return check_parts(self._writer.backend)

    def _read_columns(self) -> ColumnState:
        try:
            return read_column_state(self._writer)
        except StoreError as error:
            if not error.is_forbidden:
                raise
            return ColumnState()

    def _read_held_balance(self) -> EventBalance:
        try:
            with self._hold_movers(_COUNT_HOLD_TIMEOUT_SECONDS), self._writer.hold_lock():
                return self._read_balance(is_settled=True)
        except Unavailable:  # the store accepts nothing: count what can be counted
            return msgspec.structs.replace(self._read_balance(is_settled=False), exact=False)

    @contextmanager
    def _hold_movers(self, timeout_seconds: float) -> Iterator[None]:
        with ExitStack() as stack:
            for mover in (self._drain, self._outbox):
                if mover is not None:
                    stack.enter_context(mover.held(timeout_seconds))
            yield

    def _read_balance(self, *, is_settled: bool) -> EventBalance:
        """Count spool and store; `is_settled` is True if neither drain nor deletion changes anything meanwhile."""
        event_counts = self._completeness_check.count_events(is_settled=is_settled)
        return EventBalance(
            event_counts.spool_counts,
            event_counts.own_event_count,
            sum(event_counts.stored_by_spool_month.values()) - event_counts.own_event_count,
        )


@contextmanager
def open_local_access(data_dir: Path, clock: Clock, *, settle_open_claim: bool) -> Iterator[LocalStoreAccess]:
    """Open spool and store of a directory that this process holds and no server uses; see `open_store_access`.

    Raises `SnapshotDamaged` if the spool cannot be read, or is empty.
    """
    for path, exists in ((data_dir / SPOOL_FILE, Path.is_file), (data_dir / STORE_FOLDER, Path.is_dir)):
        if not exists(path):
            raise DataDirectoryUnusable(f"{data_dir} has no {path.name}, so it is not a Tallyroom data directory.")
    DatabaseSnapshot(data_dir / SPOOL_FILE).close()  # an empty file would become the spool of a server that never ran
    with ExitStack() as stack:
        writer = Writer(embedded_backend(data_dir))
        stack.callback(writer.close)
        if not int(writer.command(f"EXISTS TABLE {LEDGER_TABLE}")):
            raise DataDirectoryUnusable(f"The event store in {data_dir / STORE_FOLDER} has no tables.")
        refuse_stale_spool(data_dir, writer)
        try:
            spool = Spool(data_dir / SPOOL_FILE, IdGenerator(clock).random_bytes)
        except sqlite3.DatabaseError as error:
            raise DataDirectoryUnusable(f"{data_dir / SPOOL_FILE} cannot be opened as a spool: {error}.") from error
        stack.callback(spool.close)
        if settle_open_claim:
            _settle_open_claim(data_dir, spool, writer, clock)
        yield LocalStoreAccess(data_dir, spool, writer, None)


def _settle_open_claim(data_dir: Path, spool: Spool, writer: Writer, clock: Clock) -> None:
    with closing(spool.open_reader()) as reader:
        if read_open_claim(reader) is None:
            return
    if read_version(writer) != newest_version():
        raise DataDirectoryUnusable(f"Another version crashed on {data_dir}. Start the server once, then back up.")
    Drain(spool, writer, clock).finish_open_claim(_HOLD_TIMEOUT_SECONDS)
