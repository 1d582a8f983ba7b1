"""Moves what is durable into the event store, exactly once, in order, and never stops at one bad event.

A range of the spool is recorded before its first insert and keeps its bytes and its token for ever, so whatever a crash
interrupts is sent again under the same token and the store drops what it has (docs/decisions/0003).
"""

import asyncio
import logging
import sqlite3
import threading

from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.ingest.pace import Pace
from tallyroom.ingest.part import Part, dead_letter
from tallyroom.spool import claim as spool_claim
from tallyroom.spool.claim import Claim
from tallyroom.spool.queue import Spool
from tallyroom.store.connection import Writer
from tallyroom.store.errors import StoreError

_FIRST_BACKOFF = 0.1
_LONGEST_BACKOFF = 5.0
_LAST_WAIT = 10.0
_LOOK_AGAIN = 0.005

_log = logging.getLogger(__name__)


class Stopped(Exception):  # not an error: the drain was asked to stop
    """The drain leaves its range where it is; the next start goes on with it."""


class Drain:
    """The one thread that inserts events.

    Args:
        spool: where acknowledged events wait.
        writer: the store's writing connection.
        clock: for the pace and for the time of a dead letter.

    Attributes:
        drained_id: id of the spool's chunk up to which everything is in the store.
        marked_id: as `drained_id`, but the spool knows it, too: no crash sends these again.
        stored: events that left the spool since the start.
        failing: why the last insert failed, "" when it did not.
        dead_letters: events put aside since the start.
    """

    def __init__(self, spool: Spool, writer: Writer, clock: Clock) -> None:
        self._spool = spool
        self._writer = writer
        self._clock = clock
        self._reader = spool.reader()
        self._pace = Pace(clock)
        self._stop = threading.Event()
        self._waiters: list[tuple[int, asyncio.Future[None]]] = []
        self._waiters_lock = threading.Lock()
        (first,) = self._reader.execute("SELECT min(id) FROM chunk").fetchone()
        self.drained_id: int = spool.last_id if first is None else first - 1
        self.marked_id: int = self.drained_id
        self.stored = 0
        self.failing = ""
        self.dead_letters = 0
        spool.on_commit = self._on_commit
        self._thread = threading.Thread(target=self._run, name="drain", daemon=True)

    def start(self) -> None:
        """Begin, with the range that the last run left open."""
        self._thread.start()

    async def caught_up(self, seconds: float) -> bool:
        """Wait until everything acknowledged before this call is in the store; False when `seconds` were not enough."""
        target = self._spool.last_id
        if self.drained_id >= target:
            return True
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._waiters_lock:
            self._waiters.append((target, future))
        self._pace.hurry()
        try:
            if self.drained_id < target:  # else it arrived between the two looks
                await asyncio.wait_for(future, seconds)
        except TimeoutError:
            return False
        finally:
            with self._waiters_lock:
                self._waiters = [waiter for waiter in self._waiters if waiter[1] is not future]
        return True

    async def settled(self, seconds: float) -> bool:
        """As `caught_up`, until a crash would not send any of it again either; what is deleted then stays deleted."""
        target = self._spool.last_id
        deadline = self._clock.monotonic() + seconds
        while self.marked_id < target and self._clock.monotonic() < deadline:
            await self.caught_up(seconds)
            await asyncio.sleep(_LOOK_AGAIN)
        return self.marked_id >= target

    def stop(self, seconds: float) -> None:
        """Drain for at most `seconds`, then end; what is left stays on the disk."""
        deadline = self._clock.monotonic() + seconds
        while self._thread.is_alive() and self.drained_id < self._spool.last_id and self._clock.monotonic() < deadline:
            self._pace.hurry()
            self._stop.wait(0.02)
        self._stop.set()
        failpoints.release()
        self._pace.hurry()
        if self._thread.is_alive():
            self._thread.join(_LAST_WAIT)  # a store that hangs must not keep the process
        if not self._thread.is_alive():
            self._reader.close()

    def _on_commit(self) -> None:
        self._pace.arrived(self._spool.waiting_bytes)

    def _run(self) -> None:
        claim, looked = None, False
        while not self._stop.is_set():
            try:
                if not looked:
                    claim, looked = spool_claim.open_claim(self._reader), True
                if claim is None:
                    self._pace.rest(self._has_work)
                    claim = self._spool.change(spool_claim.take_claim).result() if self._has_work() else None
                if claim is not None:
                    failpoints.hit("drain.claim.after")
                    self._store(claim)
                    claim = self._finish(claim)
            except Stopped:
                return
            except Exception:  # noqa: BLE001 # the queue must never block; the range stays as it is and is found again
                _log.exception("the drain failed and tries again")
                self.failing, looked = "the spool cannot be read or marked", False
                self._stop.wait(_LONGEST_BACKOFF)

    def _has_work(self) -> bool:
        return self._spool.last_id > self.drained_id

    def _store(self, claim: Claim) -> None:
        self._pace.started()
        halved = spool_claim.halved_parts(self._reader)
        for month, (events, body) in spool_claim.bodies(self._reader, claim).items():
            self._store_part(Part(self._spool.identity, claim, month, 0, events, body), halved)
        self._advance(claim.last_id)

    def _finish(self, claim: Claim) -> Claim | None:
        """Mark the range as stored and, in the same commit, take the next one if one is due."""
        due = self._pace.due(self._spool.waiting_bytes)

        def finish(connection: sqlite3.Connection) -> tuple[int, Claim | None]:
            events, size = spool_claim.finish_claim(connection, claim)
            following = spool_claim.take_claim(connection) if due else None
            self._spool.left(size)
            return events, following

        events, following = self._spool.change(finish).result()
        self.stored += events
        self.marked_id = claim.last_id
        failpoints.hit("drain.mark.after")
        return following

    def _store_part(self, part: Part, halved: set[tuple[int, int, int]]) -> None:
        if part.place in halved or not self._insert(part):
            for half in part.halves():
                self._store_part(half, halved)

    def _insert(self, part: Part) -> bool:
        """Insert, waiting for a store that is away; False when the rows themselves are refused.

        An error that is not known to blame the rows blames the store, whatever it is: events wait in the spool for a
        person rather than turn into dead letters because a disk broke.

        On a disk that fills up the store may report success, and remember the token, for a part that it could not
        write. So every success is looked at, and a burned token gets a successor.
        """
        backoff, burned = _FIRST_BACKOFF, 0
        while True:
            try:
                failpoints.hit("store.insert")
                self._writer.insert(part.body, f"{part.token}-{burned}" if burned else part.token)
                failpoints.hit("store.insert.after")
                if not self._writer.has(*part.first):
                    burned += 1
                    raise StoreError("the block was dropped under a burned token")  # noqa: TRY301 # as any failure
            except (StoreError, failpoints.InjectedFault) as error:
                self.failing = str(error)[:500]
                if isinstance(error, StoreError) and error.blames_rows:
                    return self._blame(part, self.failing)
                _log.warning("insert failed, trying again", extra={"reason": self.failing, "token": part.token})
            else:
                self.failing = ""
                return True
            if self._stop.wait(backoff):
                raise Stopped
            backoff = min(backoff * 2, _LONGEST_BACKOFF)

    def _blame(self, part: Part, reason: str) -> bool:
        """Record, before anything else is sent, that this part never goes whole again."""
        self.failing = ""
        if part.events == 1:
            self._bury(part, reason)
            return True
        self._spool.change(lambda connection: spool_claim.record_halved(connection, part.place)).result()
        return False

    def _bury(self, part: Part, reason: str) -> None:
        letter = dead_letter(part, reason, self._clock.now_ms())
        self._spool.change(lambda connection: spool_claim.bury(connection, letter)).result()
        self.dead_letters += 1
        _log.error("event put aside", extra={"token": part.token, "reason": reason})

    def _advance(self, last_id: int) -> None:
        self.drained_id = last_id
        with self._waiters_lock:
            ready = [future for target, future in self._waiters if target <= last_id]
            self._waiters = [(target, future) for target, future in self._waiters if target > last_id]
        for future in ready:
            future.get_loop().call_soon_threadsafe(_wake, future)


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
