"""The durable queue: what arrives while a commit runs goes into the next one (rules/safety#durability).

One thread writes the file. Requests and the drain's claims and marks all go through it, so they share commits and never
wait for a lock. A caller learns that its rows are durable only after the commit that contains them has returned.
"""

import asyncio
import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tallyroom.core import failpoints
from tallyroom.core.errors import Unavailable
from tallyroom.core.ids import RandomBytes
from tallyroom.storage.file_identity import Astray, FileIdentities, paths_with_log
from tallyroom.storage.spool.change import Change, Outcome, Result, run_in_savepoint
from tallyroom.storage.spool.claim import read_chunk_sizes, read_last_doubtful_id
from tallyroom.storage.spool.commit_group import CommitGroup, IngestBatch
from tallyroom.storage.spool.file import open_spool_file, prepare_spool_file, reopen_spool_file
from tallyroom.storage.spool.open_range import read_open_range
from tallyroom.storage.spool.repair import mend_records
from tallyroom.storage.spool.waiting_chunks import WaitingChunks
from tallyroom.storage.upgrade_log import OnMigration, ignore_migration

_log = logging.getLogger(__name__)


class SpoolUnavailable(Unavailable):
    """The batch is not durable: the disk is full or the file cannot be written."""


# Called on the event loop: with None once a batch is durable, or with the error if nothing of it is stored.
OutcomeCallback = Callable[[Exception | None], None]


@dataclass(slots=True, eq=False)
class _BatchRequest:
    batch: IngestBatch
    on_outcome: OutcomeCallback


@dataclass(slots=True, eq=False)
class _PendingChange:
    change: Change[Any]
    future: Future[Any]


class Spool:
    """The queue and the thread that writes it."""

    def __init__(self, path: Path, random_bytes: RandomBytes, on_migration: OnMigration = ignore_migration) -> None:
        self._path = path
        self.waiting_chunks = WaitingChunks()
        self._connection = open_spool_file(path)
        prepare_spool_file(self._connection, random_bytes, on_migration)
        self._mend_and_read_counters()
        self._file_identities = FileIdentities(*paths_with_log(path))
        self._was_astray = False
        number_by_name = dict(self._connection.execute("SELECT name, value FROM number"))
        self.identity: int = number_by_name["spool"]  # 32 random bits that distinguish this spool's events from others
        self._next_seq: int = number_by_name["next_seq"]
        self.on_commit: Callable[[], None] = lambda: None  # called by the writing thread after each commit with events
        self._queue: deque[_BatchRequest | _PendingChange] = deque()
        self._turn_requests: list[_BatchRequest] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake_event = threading.Event()
        self._commit_callbacks: list[Callable[[], None]] = []
        self._is_asleep = False
        self._is_stopping = False
        self._closing_lock = threading.Lock()  # keeps a new change from slipping in while the spool closes
        self._thread = threading.Thread(target=self._run, name="spool", daemon=True)
        self._thread.start()

    def reserve_seqs(self, count: int) -> int:
        """Reserve `count` sequence numbers and return the first; call this only on the event loop."""
        first_seq = self._next_seq
        self._next_seq += count
        return first_seq

    def add_batch(self, batch: IngestBatch, on_outcome: OutcomeCallback) -> None:
        """Add the batch to the next commit, on the event loop; raises `SpoolUnavailable` if the spool is closed."""
        if self._is_stopping:
            raise SpoolUnavailable("The server is stopping. Send the request again.")
        if self._loop is None:  # looked up once: each lookup costs a system call to see whether the process forked
            self._loop = asyncio.get_running_loop()
        if not self._turn_requests:
            self._loop.call_soon(self._queue_turn_requests)
        self._turn_requests.append(_BatchRequest(batch, on_outcome))
        if batch.idempotent_request is not None:
            batch.idempotent_request.commit_wait.decided.set()

    def change(self, change: Change[Result]) -> Future[Result]:
        """Run `change` in the next commit; the future gets its result once durable, or `SpoolUnavailable`."""
        future: Future[Result] = Future()
        with self._closing_lock:
            if self._is_stopping:
                future.set_exception(SpoolUnavailable("The server is stopping."))
            else:
                self._enqueue(_PendingChange(change, future))
        return future

    def call_after_commit(self, callback: Callable[[], None]) -> None:
        """Have the spool's thread call `callback` once the current change is durable; called by a change."""
        self._commit_callbacks.append(callback)

    @property
    def waiting_bytes(self) -> int:
        """The size of all durable rows that have not left for the store."""
        return self.waiting_chunks.byte_count

    def mend(self) -> Future[None]:
        """Correct the spool's own records that changed on the disk."""
        return self.change(self._mend)

    def mark_counters_stale(self) -> None:
        """Make the thread read counters and waiting chunks again, as records were corrected; called by a change."""
        self._are_counters_stale = True

    def open_reader(self) -> sqlite3.Connection:
        """Open a separate connection for reading; raises `Astray` if the file was moved, deleted or replaced."""
        self._file_identities.refuse_astray()
        return reopen_spool_file(self._path)

    @property
    def is_astray(self) -> bool:
        """Whether the file was moved, deleted or replaced, so that it can no longer keep anything."""
        return self._file_identities.find_astray() is not None

    def close(self) -> None:
        """Commit what waits and close the file."""
        with self._closing_lock:
            self._is_stopping = True
        self._queue_turn_requests()
        self._wake_event.set()
        self._thread.join()
        if not self.is_astray:
            self._file_identities = FileIdentities()  # closing the last connection deletes the log, as expected
        self._connection.close()

    def _read_number(self, sql: str) -> int:
        return int(self._connection.execute(sql).fetchone()[0])

    def _queue_turn_requests(self) -> None:
        """Queue all requests of one turn of the event loop together, so that the first is not committed alone."""
        turn_requests, self._turn_requests = self._turn_requests, []
        self._enqueue(*turn_requests)

    def _enqueue(self, *entries: _BatchRequest | _PendingChange) -> None:
        self._queue.extend(entries)
        if self._is_asleep:  # waking a thread that is already awake would waste a system call
            self._wake_event.set()

    def _run(self) -> None:
        while True:
            self._sleep()
            is_stopping = self._is_stopping
            while self._queue:
                entries = [self._queue.popleft() for _ in range(len(self._queue))]
                requests = [entry for entry in entries if isinstance(entry, _BatchRequest)]
                # A caller that gave up waiting has cancelled its future; from here on, it can no longer do so.
                changes = [entry for entry in entries if isinstance(entry, _PendingChange)]
                changes = [change for change in changes if change.future.set_running_or_notify_cancel()]
                try:
                    self._commit_group(requests, changes)
                except Exception:  # noqa: BLE001 # the one thread that writes must outlive every fault
                    _log.exception("an error in the spool's thread, which continues")
            if is_stopping:
                return

    def _sleep(self) -> None:
        self._wake_event.clear()
        self._is_asleep = True
        if not self._queue and not self._is_stopping:  # check again: an earlier addition did not wake this thread
            self._wake_event.wait()
        self._is_asleep = False

    def _commit_group(self, requests: list[_BatchRequest], changes: list[_PendingChange]) -> None:
        lost_requests = _mark_overtaking_lost(requests)
        kept_requests = [request for request in requests if request not in lost_requests] if lost_requests else requests
        try:
            self._commit_and_notify(kept_requests, changes)
        finally:
            if lost_requests:  # only now, because watches expect the order of sequence numbers
                message = "The preceding request failed, so this one was not stored. Retry both, in order."
                self._notify(lost_requests, SpoolUnavailable(message))

    def _commit_and_notify(self, requests: list[_BatchRequest], changes: list[_PendingChange]) -> None:
        group = CommitGroup([request.batch for request in requests])
        self._commit_callbacks = []
        try:
            outcomes = self._commit_unless_astray(group, changes)
        except Exception as error:  # noqa: BLE001 # every member of the group must get the error
            self._fail_group(requests, changes, error)
            return
        for callback in self._commit_callbacks:  # before the new chunks, which no change has seen
            callback()
        for size in group.iterate_sizes(self.last_id + 1):
            self.waiting_chunks.add(size)
        self.last_id += group.row_count  # only now, so that a caller that waits for a chunk finds it
        self.acked_count += group.event_count
        if self._are_counters_stale:
            self._read_counters()
        for pending, outcome in zip(changes, outcomes, strict=True):
            outcome.deliver(pending.future)
        if requests:
            self.last_seq = requests[-1].batch.last_seq
            self._notify(requests, None)
            self.on_commit()

    def _commit_unless_astray(self, group: CommitGroup, changes: list[_PendingChange]) -> list[Outcome]:
        """Commit, unless the file is known to be astray; changes fail if the file turns out to be astray afterwards.

        For requests, `_run_callbacks` checks: a check makes this thread wait for Python's lock, not the event loop.
        """
        if self._was_astray:
            self._refuse_astray()
        outcomes = self._commit(group, changes)
        if changes:
            self._refuse_astray()
        return outcomes

    def _refuse_astray(self) -> None:
        self._was_astray = self.is_astray
        if self._was_astray:
            raise Astray

    def _commit(self, group: CommitGroup, changes: list[_PendingChange]) -> list[Outcome]:
        if group.is_one_row and not changes:
            failpoints.hit("spool.commit.before")
            group.write_rows(self._connection)  # a single statement is a transaction in itself
            outcomes: list[Outcome] = []
        else:
            outcomes = self._run_transaction(group, changes)
        if group.batches:
            failpoints.hit("spool.commit.after")
        return outcomes

    def _run_transaction(self, group: CommitGroup, changes: list[_PendingChange]) -> list[Outcome]:
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            group.write_rows(connection)
            outcomes = [self._run_change(pending, connection) for pending in changes]
            if group.batches:
                failpoints.hit("spool.commit.before")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return outcomes

    def _run_change(self, pending: _PendingChange, connection: sqlite3.Connection) -> Outcome:
        callback_count = len(self._commit_callbacks)
        outcome = run_in_savepoint(pending.change, connection)
        if outcome.error is not None:
            del self._commit_callbacks[callback_count:]
        return outcome

    def _fail_group(self, requests: list[_BatchRequest], changes: list[_PendingChange], error: Exception) -> None:
        _log.error("spool commit failed", extra={"reason": str(error)})
        self._recover(error)
        for pending in changes:
            pending.future.set_exception(error)
        for request in requests:
            request.batch.mark_lost()
        message = "The request could not be made durable. Send it again, with an Idempotency-Key to be safe."
        self._notify(requests, error if isinstance(error, Astray) else SpoolUnavailable(message))

    def _notify(self, requests: list[_BatchRequest], error: Exception | None) -> None:
        if self._loop is None:
            return
        try:
            self._loop.call_soon_threadsafe(self._run_callbacks, requests, error)
        except RuntimeError:
            _log.warning("the event loop ended before its requests")

    def _run_callbacks(self, requests: list[_BatchRequest], error: Exception | None) -> None:
        """Report the outcome to requests; anything committed to a file that is astray counts as lost."""
        if error is None and self.is_astray:
            self._was_astray = True
            error = Astray()
            for request in requests:
                request.batch.mark_lost()
        for request in requests:
            try:
                request.on_outcome(error)
            except Exception:  # noqa: BLE001 # one failing callback must not keep the others from being called
                _log.exception("cannot report the outcome to a request")

    def _recover(self, error: Exception) -> None:
        """Read the counters from the file again: even a failed commit may have reached the disk."""
        try:
            is_full = isinstance(error, sqlite3.OperationalError) and "full" in str(error)
            if not is_full and not self.is_astray:  # an astray file can only be reached by its connection
                # After an I/O error, nothing that the old connection has cached can be trusted.
                self._connection.close()
                self._connection = reopen_spool_file(self._path)
                # The last close has deleted the log.
                self._file_identities = FileIdentities(*paths_with_log(self._path))
            self._mend_and_read_counters()
        except sqlite3.Error:
            _log.exception("the spool's file cannot be read")

    def _mend(self, connection: sqlite3.Connection) -> None:
        for mended_record in mend_records(connection):
            _log.error("a record of the spool changed on the disk and was repaired", extra={"record": mended_record})
        self.mark_counters_stale()

    def _mend_and_read_counters(self) -> None:
        with self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            self._mend(connection)
        self._read_counters()

    def _read_counters(self) -> None:
        self._are_counters_stale = False
        self.acked_count = self._read_number("SELECT value FROM number WHERE name = 'acked'")  # ever, by this spool
        sizes, last_doubtful_id = read_chunk_sizes(self._connection), read_last_doubtful_id(self._connection)
        self.waiting_chunks.replace(sizes, read_open_range(self._connection), last_doubtful_id)
        # The newest durable chunk.
        self.last_id = self._read_number("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'chunk'")
        # The newest durable event. Every event up to it is durable or never will be. If it is read before `last_id`,
        # all of these events are in chunks up to `last_id`.
        self.last_seq = self._read_number("SELECT value FROM number WHERE name = 'next_seq'") - 1


def _mark_overtaking_lost(requests: list[_BatchRequest]) -> list[_BatchRequest]:
    """Mark the requests whose predecessor is lost as lost, too, and return them."""
    overtaking_requests = []
    for request in [request for request in requests if request.batch.idempotent_request is not None]:
        if request.batch.overtakes_lost:
            request.batch.mark_lost()
            overtaking_requests.append(request)
    return overtaking_requests
