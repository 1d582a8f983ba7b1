"""Inserts the parts of a range into the store, and puts aside what it can never accept (rules/safety#dead-letters)."""

import logging
import sqlite3
import threading

from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.peers import Peers
from tallyroom.ingest.drain.insert_part import InsertPart, build_dead_letter
from tallyroom.storage.event_store.errors import IncompletePart, StoreError
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool import claim as spool_claim
from tallyroom.storage.spool import expected_counts
from tallyroom.storage.spool.dead_letters import add_dead_letter
from tallyroom.storage.spool.queue import Spool

DAMAGE_REASON = "Its bytes changed while it waited in the spool."
"""The reason of a dead letter that was never sent to the store (rules/safety#damaged-events)."""

_MIN_BACKOFF_SECONDS = 0.1
_MAX_BACKOFF_SECONDS = 5.0

_log = logging.getLogger(__name__)


class Stopped(Exception):  # not an error: the drain was asked to stop
    """The drain leaves its range unfinished; the next start continues with it."""


class Inserter:
    """Inserts parts, and waits while the store is not available; a worker that another has replaced sends nothing.

    Unless the rows are known to be at fault, the store is: events must not become dead letters because a disk broke.
    """

    def __init__(self, spool: Spool, writer: Writer, clock: Clock, stop: threading.Event, peers: Peers) -> None:
        self._spool = spool
        self._writer = writer
        self._clock = clock
        self._stop = stop
        self._peers = peers
        self.failure_reason = ""
        self.dead_letter_count = 0

    def insert(self, part: InsertPart, halved_positions: set[tuple[int, int, int]]) -> None:
        """Insert the part whole or, if its rows were ever refused, in ever smaller halves; raises `Stopped`."""
        if part.position in halved_positions or not self._insert_whole(part):
            for half in part.split_in_half():
                self.insert(half, halved_positions)

    def _insert_whole(self, part: InsertPart) -> bool:
        """Insert, with as many attempts as it takes; False if the store refuses the rows themselves."""
        backoff_seconds, burned_token_count, must_look_up = _MIN_BACKOFF_SECONDS, 0, part.claim.is_resumed
        while True:
            try:
                is_inserted = self._is_inserted(part) if must_look_up or burned_token_count else False
                if is_inserted is None:
                    return self._record_halved(part)
                if not is_inserted:
                    if part.stand_in_indexes:
                        return self._put_aside_or_halve(part, DAMAGE_REASON)
                    self._send(part, burned_token_count)
            except (StoreError, failpoints.InjectedFault) as error:
                self.failure_reason = str(error)[:500]
                if isinstance(error, StoreError) and _are_rows_at_fault(error, part):
                    return self._put_aside_or_halve(part, self.failure_reason)
                burned_token_count += isinstance(error, (_BurnedToken, IncompletePart))
                must_look_up = must_look_up or self._writer.backend.inserts_late
                _log.warning("insert failed, retrying", extra={"reason": self.failure_reason, "token": part.token})
            else:
                self.failure_reason = ""
                return True
            if self._stop.wait(backoff_seconds):
                raise Stopped
            backoff_seconds = min(backoff_seconds * 2, _MAX_BACKOFF_SECONDS)

    def _send(self, part: InsertPart, burned_token_count: int) -> None:
        """Insert once, and verify it: on a nearly full disk, the store may report success for a part not written."""
        if objection := self._peers.find_objection():
            raise StoreError(objection)
        failpoints.hit("store.insert")
        token = f"{part.token}-{burned_token_count}" if burned_token_count else part.token
        self._writer.insert_events(part.body, token)
        failpoints.hit("store.insert.after")
        if not self._writer.has_event(*part.first_identity):
            raise _BurnedToken("the block was dropped because its token had already been used")

    def _is_inserted(self, part: InsertPart) -> bool | None:
        """Return whether an earlier run inserted the part, and derive its labels again, which a power cut may lose.

        None means that only one end is there: its halving is not recorded, or its range was another one.
        """
        try:
            has_first = self._writer.has_event(*part.first_identity)
            has_last = self._writer.has_event(*part.last_identity)
        except StoreError as error:
            if error.blames_rows:
                return False
            raise
        except (ValueError, LookupError, TypeError):  # a line that cannot be read cannot be in the store
            return False
        if has_first and has_last:
            self._writer.derive_labels(*part.seq_range)
        return has_first if has_first == has_last else None

    def _put_aside_or_halve(self, part: InsertPart, reason: str) -> bool:
        """Set a single event aside, or record, before anything else is sent, that this part is never sent whole."""
        self.failure_reason = ""
        if part.event_count == 1:
            self._add_dead_letter(part, reason)
            return True
        return self._record_halved(part)

    def _record_halved(self, part: InsertPart) -> bool:
        self._spool.change(lambda connection: spool_claim.record_halved_part(connection, part.position)).result()
        return False

    def _add_dead_letter(self, part: InsertPart, reason: str) -> None:
        dead_letter = build_dead_letter(part, reason, self._clock.now_ms())
        spool_month = part.spool_id, part.month

        def add_letter(connection: sqlite3.Connection) -> None:
            if add_dead_letter(connection, dead_letter):
                expected_counts.add_expected(connection, {spool_month: -1})  # its range will count it as stored

        self._spool.change(add_letter).result()
        self.dead_letter_count += 1
        _log.error("event put aside", extra={"token": part.token, "reason": reason})


def _are_rows_at_fault(error: StoreError, part: InsertPart) -> bool:
    """Return whether the store blames the rows or, after a truncated insert or unknown error, one is malformed."""
    if error.blames_rows:
        return True
    return (error.is_truncated or not error.is_transient) and error.suspect_part is None and not part.has_complete_rows


class _BurnedToken(StoreError):
    """The store accepted the token but not the rows."""
