"""Moves durable events into the event store: each once, in order, and past any bad event (rules/safety#counted-once).

The drain records a range of the spool before its first insert. From then on, the range's bytes and token never change:
an insert that a crash interrupts is sent again under the same token, and the store drops what it already has
(docs/decisions/0003).
"""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial

from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.peers import NoPeers, Peers
from tallyroom.ingest.drain.insert import Inserter, Stopped
from tallyroom.ingest.drain.insert_part import Part
from tallyroom.ingest.drain.pace import Pace
from tallyroom.ingest.drain.pieces import ProvenChunk, proven
from tallyroom.ingest.drain.range_rows import RangeRows, examine
from tallyroom.ingest.drain.waiters import Waiters
from tallyroom.storage.database_file import is_damage
from tallyroom.storage.event_store.pause import Hold
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool import claim as spool_claim
from tallyroom.storage.spool import expected_counts
from tallyroom.storage.spool.claim import Claim, WaitingChunk
from tallyroom.storage.spool.omissions import add_omitted, list_spans
from tallyroom.storage.spool.queue import Spool

_BACKOFF = 5.0
_ASTRAY_BACKOFF = 0.25
_LAST_WAIT = 10.0
_LOOK_AGAIN = 0.005

_log = logging.getLogger(__name__)


class Drain:
    """The one thread that inserts events.

    Args:
        spool: holds the acknowledged events.
        writer: the store's writing connection.
        clock: sets the pace and the time of dead letters.
        peers: the other workers, one of which may have taken the place of this one.

    Attributes:
        marked_id: like `drained_id`, but also recorded in the spool, so that no crash sends these chunks again.
        stored: the number of events that have left the spool since the start.
        obstacle: returns why the thread cannot be started yet; "" if it can.
    """

    def __init__(self, spool: Spool, writer: Writer, clock: Clock, peers: Peers | None = None) -> None:
        self._spool = spool
        self._clock = clock
        self._reader = spool.open_reader()
        self._pace = Pace(clock)
        self._stop = threading.Event()
        self._inserter = Inserter(spool, writer, clock, self._stop, peers or NoPeers())
        self._fault = ""
        self._hold = Hold(is_inserting=spool_claim.read_open_claim(self._reader) is not None)
        first = spool_claim.read_first_id(self._reader)
        self._waiters = Waiters(spool.last_id if first is None else first - 1)
        self.marked_id: int = self.drained_id
        self.stored = 0
        self.obstacle: Callable[[], str] = str
        spool.on_commit = self._on_commit
        self._thread = threading.Thread(target=self._run, name="drain", daemon=True)

    def start(self) -> None:
        """Start the thread; it begins with the range that the last run left open, if any."""
        self._thread.start()

    @property
    def drained_id(self) -> int:
        """A chunk id of the spool; everything up to it is in the store."""
        return self._waiters.drained_id

    @property
    def failing(self) -> str:
        """The reason why no events move at the moment; "" if they do."""
        return self.obstacle() or self._inserter.failing or self._fault

    @property
    def dead_letters(self) -> int:
        """The number of events put aside since the start."""
        return self._inserter.dead_letters

    async def caught_up(self, seconds: float) -> bool:
        """Wait until everything acknowledged before this call is in the store; False if that takes over `seconds`."""
        target = self._spool.last_id
        if self.drained_id >= target:
            return True
        with self._waiters.waiting(target) as arrival:
            self._pace.hurry()
            try:
                await asyncio.wait_for(arrival, seconds)
            except TimeoutError:
                return False
        return True

    async def reached(self, chunk_id: int) -> None:
        """Wait, without hurrying the drain and for any time, until all up to a chunk of the spool is in the store."""
        if self.drained_id < chunk_id:
            with self._waiters.waiting(chunk_id) as arrival:
                await arrival

    async def settled(self, seconds: float) -> bool:
        """Like `caught_up`, but wait until no crash can send any of it again: what is then deleted stays deleted."""
        target = self._spool.last_id
        deadline = self._clock.monotonic() + seconds
        while self.marked_id < target and self._clock.monotonic() < deadline:
            await self.caught_up(seconds)
            await asyncio.sleep(_LOOK_AGAIN)
        return self.marked_id >= target

    def held(self, seconds: float) -> AbstractContextManager[None]:
        """Pause the drain between two ranges while a block runs, so that spool and store agree; ingest continues.

        Raises:
            Unavailable: the store did not take the range under way within `seconds`.
        """
        return self._hold.held(seconds)

    def stop(self, seconds: float) -> None:
        """Drain for at most `seconds`, then stop; events that are left stay in the spool."""
        deadline = self._clock.monotonic() + seconds
        while self._has_time(deadline) and self._thread.is_alive() and self.drained_id < self._spool.last_id:
            self._pace.hurry()
            self._stop.wait(0.02)
        self._stop.set()
        self._hold.give_up()
        failpoints.release()
        self._pace.stop()
        if self._thread.is_alive():
            self._thread.join(_LAST_WAIT)  # a hanging store must not keep the process from ending
        if not self._thread.is_alive():
            self._reader.close()

    def _has_time(self, deadline: float) -> bool:
        return self._clock.monotonic() < deadline and not self._spool.is_astray

    def _on_commit(self) -> None:
        self._pace.arrived(self._spool.waiting_bytes)

    def _run(self) -> None:
        claim, has_looked = None, False
        while not self._stop.is_set():
            try:
                if not has_looked:
                    claim, has_looked, self._fault = self._look(), True, ""
                if claim is None:
                    self._hold.end()
                    self._pace.rest(self._has_work)
                    claim = self._take() if self._has_work() else None
                if claim is not None:
                    failpoints.hit("drain.claim.after")
                    claim = self._finish(claim, self._store(claim))
            except Stopped:
                return
            except Exception as error:  # noqa: BLE001 # the queue must never block; the range stays and is found again
                is_damaged = isinstance(error, sqlite3.Error) and is_damage(error)
                self._fault = "the spool's file is damaged" if is_damaged else "the spool cannot be read or marked"
                has_looked = False
                self._stop.wait(self._backoff(error))

    def _backoff(self, error: Exception) -> float:
        """Return the seconds to wait before the next attempt; a missing spool is reported elsewhere and not logged."""
        if self._spool.is_astray:
            return _ASTRAY_BACKOFF
        _log.error("the drain failed and tries again", exc_info=error)
        return _BACKOFF

    def _look(self) -> Claim | None:
        """Return the open claim, and correct `marked_id` if a fault hid that a range was marked.

        After a fault, records of the spool that changed on the disk are set right first.
        """
        if self._fault:
            self._spool.mend().result()
        last_id = self._spool.last_id
        claim = spool_claim.read_open_claim(self._reader)
        if claim is None:
            first = spool_claim.read_first_id(self._reader)
            self.marked_id = max(self.marked_id, last_id if first is None else first - 1)
        return claim

    def _take(self) -> Claim | None:
        """Return the next range; without one, nothing up to the newest chunk waits, whatever its id."""
        last_id = self._spool.last_id
        claim = self._spool.change(spool_claim.take_claim).result()
        if claim is None:
            self.marked_id = last_id
            self._waiters.advance(last_id)
        return claim

    def _has_work(self) -> bool:
        return self._spool.last_id > self.drained_id

    def _store(self, claim: Claim) -> RangeRows:
        """Insert a range, and return what it came to."""
        if not self._hold.begin():
            raise Stopped
        self._pace.started()
        refused_positions = spool_claim.read_halved_parts(self._reader)
        spool = self._spool.identity
        chunks = spool_claim.read_waiting_chunks(self._reader, claim)
        if not chunks:
            raise sqlite3.DatabaseError("the rows of a range cannot be found")
        rows = examine(self._proven(chunks), spool, list_spans(self._reader, claim))
        for month, (events, body, stand_ins) in rows.months.items():
            self._inserter.insert(Part(spool, claim, month, 0, events, body, stand_ins), refused_positions)
        self._waiters.advance(claim.last_id)
        return rows

    def _proven(self, chunks: list[WaitingChunk]) -> list[ProvenChunk]:
        """Return the chunks of a range with what their seals prove, and record the numbers that were wrong."""
        proofs = [proven(chunk, self._spool.identity) for chunk in chunks]
        for chunk in {proof.chunk for proof in proofs} - set(chunks):
            _log.error("a number of a chunk changed while it waited", extra={"chunk": chunk.id})
            self._spool.change(partial(self._correct, chunk=chunk)).result()
        return proofs

    def _correct(self, connection: sqlite3.Connection, chunk: WaitingChunk) -> None:
        spool_claim.correct_chunk(connection, chunk)
        self._spool.note_correction()

    def _finish(self, claim: Claim, rows: RangeRows) -> Claim | None:
        """Mark the range as stored and, in the same commit, take the next one if one is due."""
        heaps = {(self._spool.identity, month): lines.events for month, lines in rows.months.items()}
        due = self._pace.due(self._spool.waiting_bytes)

        def finish(connection: sqlite3.Connection) -> tuple[int, Claim | None]:
            events, size = spool_claim.finish_claim(connection, claim)
            expected_counts.add_expected(connection, heaps)
            add_omitted(connection, claim, rows.omission_counts)
            following = spool_claim.take_claim(connection) if due else None
            self._spool.note_left_bytes(size)
            return events, following

        events, following = self._spool.change(finish).result()
        self.stored += events
        self.marked_id = claim.last_id
        self._hold.end()
        failpoints.hit("drain.mark.after")
        return following
