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
from tallyroom.core.ids import Ids
from tallyroom.core.version import VERSION
from tallyroom.ingest.drain.completeness import Soundness
from tallyroom.ingest.drain.drain import Drain
from tallyroom.operations.backup.balance import Balance
from tallyroom.operations.backup.snapshot import Snapshot
from tallyroom.operations.backup.store_access import Condition, FrozenStore
from tallyroom.operations.installation.stale_copy import refuse_overtaken_spool
from tallyroom.storage.event_store.backend.opening import embedded_backend
from tallyroom.storage.event_store.freeze import freeze, thaw
from tallyroom.storage.event_store.migrate import LEDGER_TABLE, newest_version, version_of
from tallyroom.storage.event_store.part_check import (
    CheckedPart,
    check_parts,
    engine_version,
    part_count,
    unfinished_deletions,
)
from tallyroom.storage.event_store.pause import Mover
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.claim import open_claim
from tallyroom.storage.spool.dead_letters import reasons
from tallyroom.storage.spool.file import SCHEMA_VERSION
from tallyroom.storage.spool.queue import Spool

_FROZEN_NAME = "backup"
_HOLD_SECONDS = 10.0
_COUNT_SECONDS = 3.0  # shorter, because counting also works while events move
_REASONS = 5


class LocalStoreAccess:
    """The store that this process has open; several threads may use it.

    Args:
        data: the data directory.
        spool: its spool.
        writer: its store.
        drain: held during a freeze; None if nothing moves events.
        outbox: held as well; None if there is none.
        soundness: knows what is gone from the store; created if None.
    """

    def __init__(  # all that can be asked
        self,
        data: Path,
        spool: Spool,
        writer: Writer,
        drain: Drain | None,
        outbox: Mover | None = None,
        soundness: Soundness | None = None,
    ) -> None:
        self._soundness = soundness or Soundness(spool, writer, drain)
        self._store = data / STORE_FOLDER
        self._data = data
        self._spool = spool
        self._writer = writer
        self._drain = drain
        self._outbox = outbox
        self._busy = threading.Lock()
        self._holds = ExitStack()
        self._holding = False
        thaw(self._store)

    def freeze(self) -> FrozenStore:
        """Like `StoreAccess.freeze`; if the store takes no events, the error includes its reason."""
        if self._writer.backend.folder is None:
            raise Conflict("The events of this server are on another: make the backup with the settings that name it.")
        if not self._busy.acquire(blocking=False):
            raise Conflict("Another backup of this data is running. Wait until it ends.")
        try:
            self._holds.enter_context(self._between_ranges(_HOLD_SECONDS))
            self._holding = True
            with self._writer.alone():
                balance = self._balance(is_settled=True)
                folders = freeze(self._writer, self._store, _FROZEN_NAME)
            failpoints.hit("backup.freeze.after")
            return FrozenStore(
                folders={table: str(Path(STORE_FOLDER, folder)) for table, folder in folders.items()},
                balance=balance,
                schema=version_of(self._writer),
                engine=engine_version(self._writer),
            )
        except Unavailable as error:
            self.thaw()
            raise Unavailable(f"{error.message} {self._drain.failing if self._drain else ''}".strip()) from error
        except BaseException:
            self.thaw()
            raise

    def release(self) -> None:
        """Like `StoreAccess.release`."""
        if not self._holding:
            raise Unavailable("The backup took too long to begin.")
        self._holding = False
        self._holds.close()

    def thaw(self) -> None:
        """Like `StoreAccess.thaw`; only the caller that froze the store may call it."""
        self._holding = False
        self._holds.close()
        thaw(self._store)
        self._busy.release()

    def condition(self) -> Condition:
        """Like `StoreAccess.condition`."""
        with closing(self._spool.reader()) as reader:
            why = reasons(reader, _REASONS)
        self._soundness.look(_COUNT_SECONDS)
        return Condition(
            program=VERSION,
            engine=engine_version(self._writer),
            process=os.getpid(),
            store_schema=version_of(self._writer),
            spool_schema=SCHEMA_VERSION,  # opening the spool has migrated it to this
            failing=self._drain.failing if self._drain else "",
            parts=part_count(self._writer),
            damage=[str(damage) for damage in self._soundness.damages.entries],
            unfinished_deletions=unfinished_deletions(self._writer),
            reasons=why,
            balance=self._count(),
        )

    def check(self) -> Iterator[CheckedPart]:
        """Like `StoreAccess.check`."""
        return check_parts(self._writer.backend)

    def _count(self) -> Balance:
        try:
            with self._between_ranges(_COUNT_SECONDS), self._writer.alone():
                return self._balance(is_settled=True)
        except Unavailable:  # the store takes nothing: count what can be counted
            return msgspec.structs.replace(self._balance(is_settled=False), exact=False)

    @contextmanager
    def _between_ranges(self, seconds: float) -> Iterator[None]:
        with ExitStack() as stack:
            for mover in (self._drain, self._outbox):
                if mover is not None:
                    stack.enter_context(mover.held(seconds))
            yield

    def _balance(self, *, is_settled: bool) -> Balance:
        """Count spool and store; `is_settled` is True if neither drain nor deletion changes anything meanwhile."""
        count = self._soundness.count(is_settled=is_settled)
        return Balance(count.numbers, count.own, sum(count.store_events.values()) - count.own)


@contextmanager
def local_store_access(data: Path, clock: Clock, *, settle_range: bool) -> Iterator[LocalStoreAccess]:
    """Open spool and store of a directory that this process holds and no server uses.

    Args:
        data: the data directory.
        clock: used by the drain.
        settle_range: finish the range that a crash left open, so that spool and store agree.

    Raises:
        DataDirectoryUnusable: there is nothing to open, it needs another version, or the spool is older than the store.
        SnapshotDamaged: the spool cannot be read, or is empty.
        Unavailable: the store does not take the open range.
        StoreError: the store cannot be opened.
    """
    for name, exists in ((SPOOL_FILE, (data / SPOOL_FILE).is_file()), (STORE_FOLDER, (data / STORE_FOLDER).is_dir())):
        if not exists:
            raise DataDirectoryUnusable(f"{data} has no {name}: it is not the data directory of a Tallyroom server.")
    Snapshot(data / SPOOL_FILE).close()  # an empty file would become the spool of a server that never ran
    with ExitStack() as stack:
        writer = Writer(embedded_backend(data))
        stack.callback(writer.close)
        if not int(writer.command(f"EXISTS TABLE {LEDGER_TABLE}")):
            raise DataDirectoryUnusable(f"The event store in {data / STORE_FOLDER} is empty: its tables are gone.")
        refuse_overtaken_spool(data, writer)
        try:
            spool = Spool(data / SPOOL_FILE, Ids(clock).random_bytes)
        except sqlite3.DatabaseError as error:
            raise DataDirectoryUnusable(f"{data / SPOOL_FILE} cannot be opened as a spool: {error}.") from error
        stack.callback(spool.close)
        if settle_range:
            _settle_range(data, spool, writer, clock)
        yield LocalStoreAccess(data, spool, writer, None)


def _settle_range(data: Path, spool: Spool, writer: Writer, clock: Clock) -> None:
    with closing(spool.reader()) as reader:
        if open_claim(reader) is None:
            return
    if version_of(writer) != newest_version():
        raise DataDirectoryUnusable(
            f"{data} was left by a crash of another version: start the server once, then make the backup."
        )
    drain = Drain(spool, writer, clock)
    drain.start()
    try:
        with drain.held(_HOLD_SECONDS):
            drain.stop(0)
    finally:
        drain.stop(0)
