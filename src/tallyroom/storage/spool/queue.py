"""The durable queue: what arrives while a commit runs goes into the next one (rules/safety#durability).

One thread writes the file. Requests and the drain's claims and marks all go through it, so they share commits and never
wait for a lock. A caller learns that its rows are durable only after the commit that contains them has returned.
"""

import asyncio
import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tallyroom.core.errors import Unavailable
from tallyroom.core.ids import RandomBytes
from tallyroom.storage.file_identity import Astray
from tallyroom.storage.spool.change import Change, Result
from tallyroom.storage.spool.commit_group import CommitGroup, IngestBatch
from tallyroom.storage.spool.committer import Committer
from tallyroom.storage.upgrade_log import OnMigration, ignore_migration

_log = logging.getLogger(__name__)

_Entry = TypeVar("_Entry")


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
        self._committer = Committer(path, random_bytes, on_migration)
        self._counters = self._committer.counters
        self.waiting_chunks = self._counters.waiting_chunks
        self.identity = self._committer.read_identity()
        self._next_seq = self._counters.last_seq + 1
        self.on_commit: Callable[[], None] = lambda: None  # called by the writing thread after each commit with events
        self._requests: deque[_BatchRequest] = deque()
        self._changes: deque[_PendingChange] = deque()
        self._turn_requests: list[_BatchRequest] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake_event = threading.Event()
        self._is_asleep = False
        self._is_stopping = False
        self._closing_lock = threading.Lock()  # keeps a new change from slipping in while the spool closes
        self._thread = threading.Thread(target=self._run, name="spool", daemon=True)
        self._thread.start()

    @property
    def acked_count(self) -> int:
        """The number of events that this spool has ever acknowledged."""
        return self._counters.acked_count

    @property
    def last_id(self) -> int:
        """The ID of the newest durable chunk."""
        return self._counters.last_id

    @property
    def last_seq(self) -> int:
        """The number of the newest durable event, as in `Counters`."""
        return self._counters.last_seq

    @property
    def waiting_bytes(self) -> int:
        """The size of all durable rows that have not left for the store."""
        return self.waiting_chunks.byte_count

    @property
    def is_astray(self) -> bool:
        """Whether the file was moved, deleted or replaced, so that it can no longer keep anything."""
        return self._committer.is_astray

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
                self._changes.append(_PendingChange(change, future))
                self._wake()
        return future

    def call_after_commit(self, callback: Callable[[], None]) -> None:
        """Have the spool's thread call `callback` once the current change is durable; called by a change."""
        self._committer.call_after_commit(callback)

    def mend(self) -> Future[None]:
        """Correct the spool's own records that changed on the disk."""
        return self.change(self._committer.mend)

    def mark_counters_stale(self) -> None:
        """Make the thread read counters and waiting chunks again, as records were corrected; called by a change."""
        self._counters.are_stale = True

    def open_reader(self) -> sqlite3.Connection:
        """Open a separate connection for reading; raises `Astray` if the file was moved, deleted or replaced."""
        return self._committer.open_reader()

    def close(self) -> None:
        """Commit what waits and close the file."""
        with self._closing_lock:
            self._is_stopping = True
        self._queue_turn_requests()
        self._wake_event.set()
        self._thread.join()
        self._committer.close()

    def _queue_turn_requests(self) -> None:
        """Queue all requests of one turn of the event loop together, so that the first is not committed alone."""
        turn_requests, self._turn_requests = self._turn_requests, []
        self._requests.extend(turn_requests)
        self._wake()

    def _wake(self) -> None:
        if self._is_asleep:  # waking a thread that is already awake would waste a system call
            self._wake_event.set()

    def _run(self) -> None:
        while True:
            self._sleep()
            is_stopping = self._is_stopping
            while self._requests or self._changes:
                # Changes first: then requests that were queued before a change are not committed after it.
                changes = _pop_all(self._changes)
                requests = _pop_all(self._requests)
                # A caller that gave up waiting has cancelled its future; from here on, it can no longer do so.
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
        # Check again: an earlier addition did not wake this thread.
        if not (self._requests or self._changes or self._is_stopping):
            self._wake_event.wait()
        self._is_asleep = False

    def _commit_group(self, requests: list[_BatchRequest], changes: list[_PendingChange]) -> None:
        lost_requests = [
            request
            for request in requests
            if request.batch.idempotent_request is not None and request.batch.fail_with_predecessor()
        ]
        kept_requests = [request for request in requests if request not in lost_requests] if lost_requests else requests
        try:
            self._commit_and_notify(kept_requests, changes)
        finally:
            if lost_requests:  # only now, because watches expect the order of sequence numbers
                message = "The preceding request failed, so this one was not stored. Retry both, in order."
                self._notify(lost_requests, SpoolUnavailable(message))

    def _commit_and_notify(self, requests: list[_BatchRequest], changes: list[_PendingChange]) -> None:
        group = CommitGroup([request.batch for request in requests])
        try:
            outcomes = self._committer.commit_group(group, [pending.change for pending in changes])
        except Exception as error:  # noqa: BLE001 # every member of the group must get the error
            self._fail_group(requests, changes, error)
            return
        self._committer.note_committed(group)
        for pending, outcome in zip(changes, outcomes, strict=True):
            outcome.deliver(pending.future)
        if requests:
            self._notify(requests, None)
            self.on_commit()

    def _fail_group(self, requests: list[_BatchRequest], changes: list[_PendingChange], error: Exception) -> None:
        _log.error("spool commit failed", extra={"reason": str(error)})
        self._committer.recover(error)
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

    def _run_callbacks(self, requests: Sequence[_BatchRequest], error: Exception | None) -> None:
        """Report the outcome to requests; anything committed to a file that is astray counts as lost."""
        if error is None:
            try:
                self._committer.refuse_astray()
            except Astray as astray:
                error = astray
                for request in requests:
                    request.batch.mark_lost()
        for request in requests:
            try:
                request.on_outcome(error)
            except Exception:  # noqa: BLE001 # one failing callback must not keep the others from being called
                _log.exception("cannot report the outcome to a request")


def _pop_all(queue: deque[_Entry]) -> list[_Entry]:
    """Empty the queue, to which other threads may be adding."""
    return [queue.popleft() for _ in range(len(queue))]
