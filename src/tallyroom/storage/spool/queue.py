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
from tallyroom.storage.file_identity import Astray, Whereabouts, with_log
from tallyroom.storage.spool.change import Change, Outcome, Result, attempt
from tallyroom.storage.spool.claim import waiting_bytes
from tallyroom.storage.spool.commit_group import CommitGroup, IngestBatch
from tallyroom.storage.spool.file import open_spool_file, prepare_spool_file, reopen_spool_file
from tallyroom.storage.spool.repair import mend
from tallyroom.storage.upgrade_log import Migrated, unlogged

_log = logging.getLogger(__name__)


class SpoolUnavailable(Unavailable):
    """The batch is not durable: the disk is full or the file cannot be written."""


Settled = Callable[[Exception | None], None]
"""Called on the event loop: with None once a batch is durable, or with the error if nothing of it is kept."""


@dataclass(slots=True, eq=False)
class _Request:
    batch: IngestBatch
    on_outcome: Settled


@dataclass(slots=True, eq=False)
class _Write:
    change: Change[Any]
    future: Future[Any]


class Spool:
    """The queue and the thread that writes it.

    Args:
        path: the SQLite file; created if missing.
        random_bytes: used to generate the identity of a new spool.
        on_migration: called after the upgrade of a file that an older version wrote.

    Attributes:
        identity: 32 random bits that distinguish this spool's events from another spool's.
        last_id: id of the newest durable chunk.
        last_seq: sequence number of the newest durable event. Every event up to it is durable or never will be. If it
            is read before `last_id`, all of these events are in chunks up to `last_id`.
        acked: the number of events ever acknowledged by this spool.
        waiting_bytes: bytes of durable rows that have not left for the store.
        on_commit: called by the writing thread after each commit that contains events.
    """

    def __init__(self, path: Path, random_bytes: RandomBytes, on_migration: Migrated = unlogged) -> None:
        self._path = path
        self._connection = open_spool_file(path)
        prepare_spool_file(self._connection, random_bytes, on_migration)
        self._look_with_care()
        self._whereabouts = Whereabouts(*with_log(path))
        self._was_astray = False
        numbers = dict(self._connection.execute("SELECT name, value FROM number"))
        self.identity: int = numbers["spool"]
        self._next_seq: int = numbers["next_seq"]
        self.on_commit: Callable[[], None] = lambda: None
        self._queue: deque[_Request | _Write] = deque()
        self._turn: list[_Request] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake = threading.Event()
        self._leaving = 0
        self._asleep = False
        self._stopping = False
        self._door = threading.Lock()  # keeps a new change from slipping in while the spool closes
        self._thread = threading.Thread(target=self._run, name="spool", daemon=True)
        self._thread.start()

    def take_seq(self, count: int) -> int:
        """Reserve `count` sequence numbers and return the first; call this only on the event loop."""
        first = self._next_seq
        self._next_seq += count
        return first

    def add(self, batch: IngestBatch, on_outcome: Settled) -> None:
        """Add the batch to the next commit; call this only on the event loop.

        Args:
            batch: the rows.
            on_outcome: called with None once the rows are on disk, or with a `SpoolUnavailable` if none is kept.

        Raises:
            SpoolUnavailable: the spool is closed.
        """
        if self._stopping:
            raise SpoolUnavailable("The server stops; send the request again.")
        if self._loop is None:  # looked up once: each lookup costs a system call to see whether the process forked
            self._loop = asyncio.get_running_loop()
        if not self._turn:
            self._loop.call_soon(self._end_turn)
        self._turn.append(_Request(batch, on_outcome))
        if batch.replay is not None:
            batch.replay.place.decided.set()

    def change(self, change: Change[Result]) -> Future[Result]:
        """Run `change` in the next commit, and return a future that gets its result once the commit is durable.

        If the spool is closed, the future fails with `SpoolUnavailable`, so that nobody waits for it forever.
        """
        future: Future[Result] = Future()
        with self._door:
            if self._stopping:
                future.set_exception(SpoolUnavailable("The server stops."))
            else:
                self._add(_Write(change, future))
        return future

    def left(self, size: int) -> None:
        """Note that `size` bytes of rows left for the store; called by a change that is sure to be committed."""
        self._leaving += size

    def mend(self) -> Future[None]:
        """Set right what changed on the disk in the spool's own records."""
        return self.change(self._mend)

    def corrected(self) -> None:
        """Note that records were corrected, so that the numbers are read again; called by a change."""
        self._is_behind = True

    def reader(self) -> sqlite3.Connection:
        """Open a separate connection for reading.

        Raises:
            Astray: the file was moved, deleted or replaced.
        """
        self._whereabouts.refuse_astray()
        return reopen_spool_file(self._path)

    @property
    def is_astray(self) -> bool:
        """Whether the file was moved, deleted or replaced, so that it can no longer keep anything."""
        return self._whereabouts.astray() is not None

    def close(self) -> None:
        """Commit what waits and close the file."""
        with self._door:
            self._stopping = True
        self._end_turn()
        self._wake.set()
        self._thread.join()
        if not self.is_astray:
            self._whereabouts = Whereabouts()  # closing the last connection deletes the log; that means nothing
        self._connection.close()

    def _number(self, sql: str) -> int:
        return int(self._connection.execute(sql).fetchone()[0])

    def _end_turn(self) -> None:
        """Queue all requests of one turn of the event loop together, so that the first is not committed alone."""
        turn, self._turn = self._turn, []
        self._add(*turn)

    def _add(self, *members: _Request | _Write) -> None:
        self._queue.extend(members)
        if self._asleep:  # waking a thread that is already awake would waste a system call
            self._wake.set()

    def _run(self) -> None:
        while True:
            self._sleep()
            stopping = self._stopping
            while self._queue:
                waiting = [self._queue.popleft() for _ in range(len(self._queue))]
                requests = [member for member in waiting if isinstance(member, _Request)]
                # A caller that gave up waiting has cancelled its future; from here on, it can no longer do so.
                writes = [
                    member
                    for member in waiting
                    if isinstance(member, _Write) and member.future.set_running_or_notify_cancel()
                ]
                try:
                    self._commit_group(requests, writes)
                except Exception:  # noqa: BLE001 # the one thread that writes must outlive every fault
                    _log.exception("the spool's thread met a fault of the program and goes on")
            if stopping:
                return

    def _sleep(self) -> None:
        """Wait until something is added to the queue or the spool is closed."""
        self._wake.clear()
        self._asleep = True
        if not self._queue and not self._stopping:  # check again: an addition before the line above woke nobody
            self._wake.wait()
        self._asleep = False

    def _commit_group(self, requests: list[_Request], writes: list[_Write]) -> None:
        late = _overtaking(requests)
        try:
            self._commit_in_line([request for request in requests if request not in late] if late else requests, writes)
        finally:
            if late:  # only now: whoever watches is to be told in the order of sequence numbers
                self._settle(late, SpoolUnavailable("The request in front of this one was not kept. Send both again."))

    def _commit_in_line(self, requests: list[_Request], writes: list[_Write]) -> None:
        group = CommitGroup([request.batch for request in requests])
        self._leaving = 0
        try:
            results = self._commit_in_place(group, writes)
        except Exception as error:  # noqa: BLE001 # whatever it is, every member of the group must hear of it
            self._refuse(requests, writes, error)
            return
        self.last_id += group.chunks
        self.waiting_bytes += group.bytes - self._leaving
        self.acked += group.events
        if self._is_behind:
            self._look()
        for write, outcome in zip(writes, results, strict=True):
            outcome.tell(write.future)
        if requests:
            self.last_seq = requests[-1].batch.last_seq
            self._settle(requests, None)
            self.on_commit()

    def _commit_in_place(self, group: CommitGroup, writes: list[_Write]) -> list[Outcome]:
        """Commit, unless the file is known to be astray; changes fail if the file turns out to be astray afterwards.

        For requests, `_tell` checks this: a check makes this thread wait for Python's lock, but not the event loop.
        """
        if self._was_astray:
            self._refuse_astray()
        results = self._commit(group, writes)
        if writes:
            self._refuse_astray()
        return results

    def _refuse_astray(self) -> None:
        self._was_astray = self.is_astray
        if self._was_astray:
            raise Astray

    def _commit(self, group: CommitGroup, writes: list[_Write]) -> list[Outcome]:
        if group.is_one_row and not writes:
            failpoints.hit("spool.commit.before")
            group.write(self._connection)  # a single statement is a transaction in itself
            results: list[Outcome] = []
        else:
            results = self._transaction(group, writes)
        if group.batches:
            failpoints.hit("spool.commit.after")
        return results

    def _transaction(self, group: CommitGroup, writes: list[_Write]) -> list[Outcome]:
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            group.write(connection)
            results = [attempt(write.change, connection) for write in writes]
            if group.batches:
                failpoints.hit("spool.commit.before")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return results

    def _refuse(self, requests: list[_Request], writes: list[_Write], error: Exception) -> None:
        _log.error("spool commit failed", extra={"reason": str(error)})
        self._recover(error)
        for write in writes:
            write.future.set_exception(error)
        for request in requests:
            request.batch.lose()
        refusal = "The request could not be made durable. Send it again, with an Idempotency-Key to be safe."
        self._settle(requests, error if isinstance(error, Astray) else SpoolUnavailable(refusal))

    def _settle(self, requests: list[_Request], error: Exception | None) -> None:
        """Notify all waiting requests with one call into the event loop."""
        if self._loop is None:
            return
        try:
            self._loop.call_soon_threadsafe(self._tell, requests, error)
        except RuntimeError:
            _log.warning("the event loop ended before its requests")

    def _tell(self, requests: list[_Request], error: Exception | None) -> None:
        """Notify requests of their outcome; what was committed to a file that is astray is not kept."""
        if error is None and self.is_astray:
            self._was_astray = True
            error = Astray()
            for request in requests:
                request.batch.lose()
        for request in requests:
            try:
                request.on_outcome(error)
            except Exception:  # noqa: BLE001 # one failing callback must not keep the others from being called
                _log.exception("a request could not be told what became of it")

    def _recover(self, error: Exception) -> None:
        """Read the numbers from the file again: even a failed commit may have reached the disk."""
        try:
            is_full = isinstance(error, sqlite3.OperationalError) and "full" in str(error)
            if not is_full and not self.is_astray:  # of an astray file, the connection is all there is
                # After an I/O error, nothing that the old connection has cached can be trusted.
                self._connection.close()
                self._connection = reopen_spool_file(self._path)
                self._whereabouts = Whereabouts(*with_log(self._path))  # closing the last connection deletes the log
            self._look_with_care()
        except sqlite3.Error:
            _log.exception("the spool's file cannot be read")

    def _mend(self, connection: sqlite3.Connection) -> None:
        for record in mend(connection):
            _log.error("a record of the spool changed on the disk and was set right", extra={"record": record})
        self.corrected()

    def _look_with_care(self) -> None:
        """Read the numbers from the file after setting right what changed in it."""
        with self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            self._mend(connection)
        self._look()

    def _look(self) -> None:
        """Read the numbers from the file."""
        self._is_behind = False
        self.acked = self._number("SELECT value FROM number WHERE name = 'acked'")
        self.waiting_bytes = waiting_bytes(self._connection)
        self.last_id = self._number("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'chunk'")
        self.last_seq = self._number("SELECT value FROM number WHERE name = 'next_seq'") - 1


def _overtaking(requests: list[_Request]) -> list[_Request]:
    """Return the requests whose predecessor is lost, after marking them as lost, too."""
    late = []
    for request in [request for request in requests if request.batch.replay is not None]:
        if request.batch.overtakes:
            request.batch.lose()
            late.append(request)
    return late
