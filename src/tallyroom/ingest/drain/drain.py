"""Moves durable events into the event store: each once, in fair turns, past any bad event (rules/safety#counted-once).

A range is recorded before its first insert; then its bytes and token never change (docs/decisions/0003).
"""

import logging
import sqlite3
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import partial

from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.peers import NoPeers, Peers
from tallyroom.ingest.drain.insert import Inserter, Stopped
from tallyroom.ingest.drain.insert_part import InsertPart
from tallyroom.ingest.drain.pieces import ProvenChunk, prove_chunk
from tallyroom.ingest.drain.progress import DrainProgress
from tallyroom.ingest.drain.range_rows import RangeRows, build_range_rows
from tallyroom.ingest.drain.turns import Turn, Turns
from tallyroom.storage.database_file import is_damage
from tallyroom.storage.event_store.pause import MoverHold
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool import claim as spool_claim
from tallyroom.storage.spool import expected_counts
from tallyroom.storage.spool.claim import ChunksMissing, Claim, WaitingChunk
from tallyroom.storage.spool.lane import LaneMonth
from tallyroom.storage.spool.omissions import add_omitted_counts, list_omission_spans
from tallyroom.storage.spool.queue import Spool

_BACKOFF_SECONDS = 5.0
_ASTRAY_BACKOFF_SECONDS = 0.25
_JOIN_TIMEOUT_SECONDS = 10.0

_log = logging.getLogger(__name__)


class Drain(DrainProgress):
    """The one thread that inserts events; `find_obstacle` returns why it cannot be started yet, or ""."""

    def __init__(self, spool: Spool, writer: Writer, clock: Clock, peers: Peers | None = None) -> None:
        super().__init__(spool, clock)
        self._reader = spool.open_reader()
        self._turns = Turns(clock)
        self._stop = threading.Event()
        self._inserter = Inserter(spool, writer, clock, self._stop, peers or NoPeers())
        self._fault = ""
        self._hold = MoverHold(is_inserting=spool_claim.read_open_claim(self._reader) is not None)
        self._takes_claims = True
        self.drained_count = 0
        self.find_obstacle: Callable[[], str] = str
        spool.on_commit = self._on_commit
        self._thread = threading.Thread(target=self._run, name="drain", daemon=True)

    def start(self) -> None:
        """Start the thread; it begins with the range that the last run left open, if any."""
        self._thread.start()

    def finish_open_claim(self, timeout_seconds: float) -> None:
        """Start, finish the range that the last run left open, and stop; raises `Unavailable` after the timeout."""
        self._takes_claims = False
        self.start()
        try:
            with self.held(timeout_seconds):
                self.stop(0)
        finally:
            self.stop(0)

    @property
    def failure_reason(self) -> str:
        """Why no events move at the moment; "" if they do."""
        return self.find_obstacle() or self._inserter.failure_reason or self._fault

    @property
    def dead_letter_count(self) -> int:
        """The number of events put aside since the start."""
        return self._inserter.dead_letter_count

    def held(self, timeout_seconds: float) -> AbstractContextManager[None]:
        """Pause the drain between two ranges during a block; raises `Unavailable` after `timeout_seconds`."""
        return self._hold.held(timeout_seconds)

    def stop(self, timeout_seconds: float) -> None:
        """Drain for at most `timeout_seconds`, then stop; the remaining events stay in the spool."""
        deadline = self._clock.monotonic() + timeout_seconds
        self._turns.is_rushing = True
        while self._has_time(deadline) and self._thread.is_alive() and self.drained_chunk_id < self._spool.last_id:
            self._pace.wake()
            self._stop.wait(0.02)
        self._stop.set()
        self._hold.give_up()
        failpoints.release()
        self._pace.stop()
        if self._thread.is_alive():
            self._thread.join(_JOIN_TIMEOUT_SECONDS)  # a hanging store must not keep the process from ending
        if not self._thread.is_alive():
            self._reader.close()

    def _has_time(self, deadline: float) -> bool:
        return self._clock.monotonic() < deadline and not self._spool.is_astray

    def _on_commit(self) -> None:
        if self._waiting_chunks.take_news():  # under load, hundreds of commits a second have none
            self._pace.wake()

    def _run(self) -> None:
        claim, has_read_claim = None, False
        while not self._stop.is_set():
            try:
                if not has_read_claim:
                    claim, has_read_claim, self._fault = self._recover_open_claim(), True, ""
                if claim is None:
                    self._hold.end_insert()
                    self._pace.wait_until_due(lambda: self._find_turn().rest_seconds)
                    claim = self._claim_next()
                if claim is not None:
                    failpoints.hit("drain.claim.after")
                    claim = self._finish_claim(claim, self._insert_range(claim))
            except Stopped:
                return
            except Exception as error:  # noqa: BLE001 # the queue must never block; the range stays and is tried again
                is_damaged = isinstance(error, sqlite3.Error) and is_damage(error)
                self._fault = "the spool's file is damaged" if is_damaged else "the spool cannot be read or marked"
                has_read_claim = False
                self._stop.wait(self._find_backoff(error))

    def _find_backoff(self, error: Exception) -> float:
        """Return the seconds until the next attempt. A missing spool is reported elsewhere, so it is not logged."""
        if self._spool.is_astray:
            return _ASTRAY_BACKOFF_SECONDS
        _log.error("the drain failed and will retry", exc_info=error)
        return _BACKOFF_SECONDS

    def _recover_open_claim(self) -> Claim | None:
        """Return the open claim after repairs, and have the spool look at what waits besides it."""
        if self._fault:
            self._spool.mend().result()

        def recover(connection: sqlite3.Connection) -> Claim | None:
            self._spool.mark_counters_stale()
            return spool_claim.read_open_claim(connection)

        claim = self._spool.change(recover).result()
        self._waiters.wake_reached()
        return claim

    def _find_turn(self) -> Turn:
        if not self._takes_claims:
            return Turn(None, float("inf"))
        return self._turns.find_turn(self._waiting_chunks.list_groups(), self._waiters.list_hurried())

    def _claim_next(self) -> Claim | None:
        lane_month = self._find_turn().lane_month
        if lane_month is None:
            return None
        try:
            claim = self._spool.change(partial(self._take_claim, lane_month=lane_month)).result()
        except ChunksMissing:
            _log.error("rows that wait in the spool changed on the disk", extra={"month": lane_month.month})
            self._spool.mend().result()
            self._waiters.wake_reached()
            return None
        self._turns.note_claimed(lane_month)
        return claim

    def _take_claim(self, connection: sqlite3.Connection, lane_month: LaneMonth) -> Claim | None:
        candidate = self._waiting_chunks.find_candidate(lane_month)
        if candidate is None:
            return None
        claim = spool_claim.take_claim(connection, candidate.chunks, is_doubtful=candidate.is_doubtful)
        self._spool.call_after_commit(partial(self._waiting_chunks.begin_claim, candidate))
        return claim

    def _insert_range(self, claim: Claim) -> RangeRows:
        if not self._hold.begin_insert():
            raise Stopped
        spool_id, halved_positions = self._spool.identity, spool_claim.read_halved_parts(self._reader)
        if not (chunks := spool_claim.read_waiting_chunks(self._reader, claim)):
            raise sqlite3.DatabaseError("the rows of a range cannot be found")
        range_rows = build_range_rows(self._prove_chunks(chunks), spool_id, list_omission_spans(self._reader, claim))
        for month, (event_count, body, stand_in_indexes) in range_rows.rows_by_month.items():
            part = InsertPart(spool_id, claim, month, 0, event_count, body, stand_in_indexes)
            self._inserter.insert(part, halved_positions)
        self._waiting_chunks.note_stored()
        self._waiters.wake_reached()
        return range_rows

    def _prove_chunks(self, chunks: list[WaitingChunk]) -> list[ProvenChunk]:
        """Return the chunks of a range with what their seals prove, and correct wrong numbers in the spool."""
        proven_chunks = [prove_chunk(chunk, self._spool.identity) for chunk in chunks]
        for chunk in {proven.chunk for proven in proven_chunks} - set(chunks):
            _log.error("a chunk's number changed while it was queued", extra={"chunk": chunk.id})
            self._spool.change(partial(self._correct_chunk, chunk=chunk)).result()
        return proven_chunks

    def _correct_chunk(self, connection: sqlite3.Connection, chunk: WaitingChunk) -> None:
        spool_claim.correct_chunk_numbers(connection, chunk)
        self._spool.mark_counters_stale()

    def _finish_claim(self, claim: Claim, range_rows: RangeRows) -> Claim | None:
        """Mark the range as stored and, in the same commit, take the next one if one is due."""
        spool_id, rows_by_month = self._spool.identity, range_rows.rows_by_month
        count_by_spool_month = {(spool_id, month): rows.event_count for month, rows in rows_by_month.items()}
        next_lane_month = self._find_turn().lane_month

        def finish(connection: sqlite3.Connection) -> tuple[int, Claim | None]:
            event_count = spool_claim.finish_claim(connection, claim)
            expected_counts.add_expected(connection, count_by_spool_month)
            add_omitted_counts(connection, range_rows.omitted_count_by_erasure_id)
            self._spool.call_after_commit(self._waiting_chunks.end_claim)
            if next_lane_month is None:
                return event_count, None
            with suppress(ChunksMissing):  # the next attempt to take a claim reports it
                return event_count, self._take_claim(connection, next_lane_month)
            return event_count, None

        event_count, next_claim = self._spool.change(finish).result()
        self.drained_count += event_count
        if next_lane_month is not None:
            self._turns.note_claimed(next_lane_month)
        self._hold.end_insert()
        failpoints.hit("drain.mark.after")
        return next_claim
