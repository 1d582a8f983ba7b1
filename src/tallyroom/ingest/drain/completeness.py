"""Finds out whether the event store has everything it should, and what is gone (rules/safety#damaged-parts).

The stock (storage/spool/expected_counts.py) knows how many events of each month the store must hold. A part that
the engine or a check has set aside is reported by name, and its events count as lost only as far as the store lacks
them by the stock.
"""

import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial

from tallyroom.core.errors import Unavailable
from tallyroom.core.peers import NoPeers, Peers
from tallyroom.ingest.drain.comparison import (
    StoreCount,
    build_damage,
    find_losses,
    find_other_spools_events,
    find_unhidden_damage,
    has_part_of,
)
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store import hidden_count
from tallyroom.storage.event_store.damage import Damages
from tallyroom.storage.event_store.detached_parts import list_detached_parts
from tallyroom.storage.event_store.errors import PartName, StoreError
from tallyroom.storage.event_store.part_check import (
    CheckedPart,
    check_parts,
    count_events_by_month,
    count_unfinished_deletions,
)
from tallyroom.storage.event_store.quarantine import check_suspect_part, is_in_use, quarantine_part, read_past_damage
from tallyroom.storage.event_store.tables import HIDDEN_EVENTS
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool import erased_counts, expected_counts
from tallyroom.storage.spool.expected_counts import SpoolMonth, read_numbers_and_expected
from tallyroom.storage.spool.queue import Spool

_HOLD_SECONDS = 3.0

_log = logging.getLogger(__name__)


class CompletenessCheck:
    """Examines the store, reports what it finds, and sets damaged parts aside.

    Args:
        spool: knows what the store must hold.
        writer: the event store.
        drain: paused during a look; None if nothing moves events.
        peers: the other workers, each of which looks after what came through its own spool.

    Attributes:
        damages: what the last look found.
    """

    def __init__(self, spool: Spool, writer: Writer, drain: Drain | None = None, peers: Peers | None = None) -> None:
        self._peers = peers or NoPeers()
        self._spool = spool
        self._writer = writer
        self._drain = drain
        self.damages = Damages()
        self._unreadable_parts: dict[str, CheckedPart] = {}
        self._examined_parts: set[PartName] = set()
        self._lock = threading.RLock()
        self._executor = ThreadPoolExecutor(1, "store-examine")

    @contextmanager
    def hold_exclusively(self) -> Iterator[None]:
        """Keep other threads from looking at the store, and from writing to it, while the block runs."""
        with self._lock, self._writer.hold_lock():
            yield

    def compare_counts(self, seconds: float = _HOLD_SECONDS) -> None:
        """Compare the store with the stock, and report what is gone.

        Args:
            seconds: how long to wait for the current range to finish; until it has, a loss may go unnoticed.

        Raises:
            StoreError: the store does not answer.
        """
        with self._lock, self._pause_drain(seconds) as is_settled, self._writer.hold_lock():
            count = self.count_events(is_settled=is_settled)
            parts = list_detached_parts(self._writer)
            missing_count = 0 if has_part_of(parts, HIDDEN_EVENTS) else hidden_count.count_missing(self._writer)
        in_use = [part for part in self._unreadable_parts.values() if is_in_use(self._writer, part)]
        self._unreadable_parts = {part.part: part for part in in_use}
        self.damages.replace(
            [*find_losses(count, parts), *find_unhidden_damage(missing_count), *map(build_damage, in_use)]
        )

    def count_events(self, *, is_settled: bool) -> StoreCount:
        """Count the events, settling interrupted deletions first and taking the stock if that was never done.

        Args:
            is_settled: True if neither the drain nor a deletion changes anything meanwhile.
        """
        count = self._read_counts(read_past_damage(self._writer, partial(count_events_by_month, self._writer)))
        # A crash may have left the claim half inserted.
        is_open_ended = self._drain is None and count.numbers.claimed > 0
        if not is_settled or is_open_ended or (count.numbers.erasing and count_unfinished_deletions(self._writer)):
            return count
        if count.numbers.erasing or count.stock.deleting_counts:
            self._spool.change(
                partial(erased_counts.settle_erasures, store_counts=count.store_events, missing_count=count.missing)
            ).result()
            count = self._read_counts(count.store_events)
        if not count.stock.is_known:
            self._spool.change(
                partial(expected_counts.set_expected, store_counts=count.store_events, missing_count=count.missing)
            ).result()
            return self._read_counts(count.store_events)
        if new_counts := find_other_spools_events(count):
            self._spool.change(partial(expected_counts.add_expected, event_counts=new_counts)).result()
            return self._read_counts(count.store_events)
        return count

    def examine_suspect(self, error: StoreError) -> None:
        """Examine the part that a failed read points to, and set it aside if damaged; callable from any thread."""
        part = error.suspect_part
        if part is None or part in self._examined_parts:
            return
        self._examined_parts.add(part)
        try:
            self._executor.submit(self._examine, part)
        except RuntimeError:
            _log.warning("the server stops before a part was examined", extra={"part": part.part})

    def check_parts(self) -> Iterator[CheckedPart]:
        """Read every part, one by one, set damaged ones aside, and compare the store with the stock at the end.

        Raises:
            StoreError: the store does not answer.
        """
        for part in check_parts(self._writer.backend):
            if part.problem:
                self._quarantine(part)
            yield part
        self.compare_counts()

    def accept_loss(self) -> None:
        """Continue without what is gone; parts that were set aside keep their files.

        Raises:
            Unavailable: the store does not take the events that wait for it, or an erasure is under way.
            StoreError: the store does not answer.
        """
        self.compare_counts()
        with self._pause_drain(_HOLD_SECONDS) as is_settled, self._writer.hold_lock():
            count = self.count_events(is_settled=is_settled)
            if not is_settled or count.numbers.erasing:
                raise Unavailable("What is gone of the event store cannot be told while it does not take events.")
            if self.damages.entries:
                _log.warning("the server goes on without what is gone", extra={"lost": self.damages.summary()})
            self._spool.change(
                partial(expected_counts.write_off_missing, store_counts=count.store_events, missing_count=count.missing)
            ).result()
            for part in list_detached_parts(self._writer):
                part.ignore()
            hidden_count.write_note(self._writer)
        self.compare_counts()

    def close(self) -> None:
        """Start no more examinations, and wait for the current one."""
        self._executor.shutdown(cancel_futures=True)

    def _examine(self, part: PartName) -> None:
        try:
            result = check_suspect_part(self._writer, part)
            if result is not None and result.problem:
                self._quarantine(result)
            self.compare_counts()
        except Exception:  # noqa: BLE001 # nobody waits for this, so nobody else would report it
            _log.exception("a part could not be examined", extra={"part": part.part})
        finally:
            self._examined_parts.discard(part)

    def _quarantine(self, part: CheckedPart) -> None:
        # Report it before it is gone, so that no answer lacks its events without a notice.
        self._unreadable_parts[part.part] = part
        self.damages.replace({*self.damages.entries, build_damage(part)})
        quarantine_part(self._writer, part)

    def _read_counts(self, store_events: dict[SpoolMonth, int]) -> StoreCount:  # without what other workers answer for
        with closing(self._spool.open_reader()) as reader:
            numbers, stock = read_numbers_and_expected(reader)
        spools = {numbers.spool, *(spool for spool, _ in stock.event_counts)}
        own_events = {
            heap: events
            for heap, events in store_events.items()
            if heap[0] in spools or self._peers.owns_spool(heap[0])
        }
        return StoreCount(numbers, stock, own_events)

    @contextmanager
    def _pause_drain(self, seconds: float) -> Iterator[bool]:
        """Pause the drain while the block runs; yields whether the current range finished within `seconds`."""
        with ExitStack() as stack:
            is_settled = True
            if self._drain is not None:
                try:
                    stack.enter_context(self._drain.held(seconds))
                except Unavailable:
                    is_settled = False
            yield is_settled
