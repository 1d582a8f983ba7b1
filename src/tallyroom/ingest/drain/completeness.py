"""Checks that the event store has everything, and reports what is missing (rules/safety#damaged-parts)."""

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial

from tallyroom.core.errors import Unavailable
from tallyroom.core.peers import NoPeers, Peers
from tallyroom.ingest.drain.comparison import (
    StoreComparison,
    build_unreadable_damage,
    count_other_spools_events,
    find_damages,
)
from tallyroom.ingest.drain.drain import Drain
from tallyroom.storage.event_store import hidden_count
from tallyroom.storage.event_store.damage import Damage, DamageList
from tallyroom.storage.event_store.detached_parts import list_detached_parts
from tallyroom.storage.event_store.errors import PartName, StoreError
from tallyroom.storage.event_store.part_check import (
    CheckedPart,
    check_parts,
    count_events_by_spool_month,
    count_unfinished_deletions,
)
from tallyroom.storage.event_store.quarantine import (
    check_suspect_part,
    is_part_in_use,
    quarantine_part,
    read_past_damage,
)
from tallyroom.storage.event_store.tables import HIDDEN_EVENTS
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool import erased_counts, expected_counts
from tallyroom.storage.spool.expected_counts import SpoolMonth, read_spool_and_expected_counts
from tallyroom.storage.spool.queue import Spool

_PAUSE_TIMEOUT_SECONDS = 3.0

_log = logging.getLogger(__name__)


class CompletenessCheck:
    """Examines what came through this spool, keeps the `damages`, and sets damaged parts aside; pauses the drain."""

    def __init__(self, spool: Spool, writer: Writer, drain: Drain | None = None, peers: Peers | None = None) -> None:
        self._peers = peers or NoPeers()
        self._spool = spool
        self._writer = writer
        self._drain = drain
        self.damages = DamageList()
        self._unreadable_part_by_name: dict[str, CheckedPart] = {}
        self._parts_under_examination: set[PartName] = set()
        self._lock = threading.RLock()
        self._executor = ThreadPoolExecutor(1, "store-examine")

    @contextmanager
    def hold_exclusively(self) -> Iterator[None]:
        """Keep other threads from reading and writing the store while the block runs."""
        with self._lock, self._writer.hold_lock():
            yield

    def compare_counts(self, timeout_seconds: float = _PAUSE_TIMEOUT_SECONDS) -> None:
        """Compare the store with the expected counts; raises `StoreError`. An unfinished range may hide a loss."""
        with self._lock, self._pause_drain(timeout_seconds) as is_settled, self._writer.hold_lock():
            comparison = self.count_events(is_settled=is_settled)
            detached_parts = list_detached_parts(self._writer)
            is_hidden_part_detached = any(part.table == HIDDEN_EVENTS for part in detached_parts)
            unhidden_count = 0 if is_hidden_part_detached else hidden_count.count_missing_hidden(self._writer)
        parts_in_use = [part for part in self._unreadable_part_by_name.values() if is_part_in_use(self._writer, part)]
        self._unreadable_part_by_name = {part.part: part for part in parts_in_use}
        unhidden = [Damage(HIDDEN_EVENTS, "", "missing", unhidden_count)] if unhidden_count else []
        unreadable = map(build_unreadable_damage, parts_in_use)
        self.damages.replace([*find_damages(comparison, detached_parts), *unhidden, *unreadable])

    def count_events(self, *, is_settled: bool) -> StoreComparison:
        """Count the events; if settled, first settle interrupted deletions, and set missing expected counts."""
        count_stored = partial(count_events_by_spool_month, self._writer)
        comparison = self._build_comparison(read_past_damage(self._writer, count_stored))
        numbers = comparison.spool_counts
        may_be_half_inserted = self._drain is None and numbers.claimed > 0  # by a process that crashed
        if not is_settled or may_be_half_inserted or (numbers.erasing and count_unfinished_deletions(self._writer)):
            return comparison
        if numbers.erasing or comparison.expected_counts.deleting_by_spool_month:
            self._change_counts(erased_counts.settle_erasures, comparison)
            comparison = self._build_comparison(comparison.stored_by_spool_month)
        if not comparison.expected_counts.is_known:
            self._change_counts(expected_counts.set_expected, comparison)
            return self._build_comparison(comparison.stored_by_spool_month)
        if new_count_by_spool_month := count_other_spools_events(comparison):
            change = partial(expected_counts.add_expected, change_by_spool_month=new_count_by_spool_month)
            self._spool.change(change).result()
            return self._build_comparison(comparison.stored_by_spool_month)
        return comparison

    def examine_suspect(self, error: StoreError) -> None:
        """Examine the part that a failed read points to, and set it aside if damaged; callable from any thread."""
        part = error.suspect_part
        if part is None or part in self._parts_under_examination:
            return
        self._parts_under_examination.add(part)
        try:
            self._executor.submit(self._examine_part, part)
        except RuntimeError:
            _log.warning("the server stopped before a part was examined", extra={"part": part.part})

    def check_parts(self) -> Iterator[CheckedPart]:
        """Read every part, set damaged ones aside, and finally compare the counts; raises `StoreError`."""
        for part in check_parts(self._writer.backend):
            if part.problem:
                self._quarantine(part)
            yield part
        self.compare_counts()

    def accept_loss(self) -> None:
        """Continue without missing events; raises `StoreError`, or `Unavailable` while events or an erasure wait."""
        self.compare_counts()
        with self._pause_drain(_PAUSE_TIMEOUT_SECONDS) as is_settled, self._writer.hold_lock():
            comparison = self.count_events(is_settled=is_settled)
            if not is_settled or comparison.spool_counts.erasing:
                raise Unavailable(
                    "Missing data cannot be assessed while events or an erasure are pending. Try again later."
                )
            if self.damages.entries:
                _log.warning("the server continues without the missing data", extra={"lost": self.damages.summary()})
            self._change_counts(expected_counts.write_off_missing, comparison)
            for part in list_detached_parts(self._writer):
                part.mark_ignored()
            hidden_count.note_hidden_count(self._writer)
        self.compare_counts()

    def close(self) -> None:
        """Cancel pending examinations, and wait for the current one."""
        self._executor.shutdown(cancel_futures=True)

    def _examine_part(self, part: PartName) -> None:
        try:
            result = check_suspect_part(self._writer, part)
            if result is not None and result.problem:
                self._quarantine(result)
            self.compare_counts()
        except Exception:  # noqa: BLE001 # no caller waits for this, so it must be logged here
            _log.exception("a part could not be examined", extra={"part": part.part})
        finally:
            self._parts_under_examination.discard(part)

    def _quarantine(self, part: CheckedPart) -> None:
        # Report it before moving it, so that no answer lacks its events without a notice.
        self._unreadable_part_by_name[part.part] = part
        self.damages.replace({*self.damages.entries, build_unreadable_damage(part)})
        quarantine_part(self._writer, part)

    def _change_counts(self, change: Callable[..., object], comparison: StoreComparison) -> None:
        store_counts, missing_count = comparison.stored_by_spool_month, comparison.missing_count
        self._spool.change(partial(change, stored_by_spool_month=store_counts, missing_count=missing_count)).result()

    def _build_comparison(self, stored_by_spool_month: dict[SpoolMonth, int]) -> StoreComparison:
        """Compare the counts of this worker's spools, without those of other workers."""
        with closing(self._spool.open_reader()) as reader:
            spool_counts, expected = read_spool_and_expected_counts(reader)
        own_spool_ids = {spool_counts.spool, *(spool_id for spool_id, _ in expected.expected_by_spool_month)}
        own_count_by_spool_month = {
            spool_month: event_count
            for spool_month, event_count in stored_by_spool_month.items()
            if spool_month[0] in own_spool_ids or self._peers.owns_spool(spool_month[0])
        }
        return StoreComparison(spool_counts, expected, own_count_by_spool_month)

    @contextmanager
    def _pause_drain(self, timeout_seconds: float) -> Iterator[bool]:
        """Pause the drain while the block runs; yields whether the current range finished within `timeout_seconds`."""
        with ExitStack() as stack:
            is_settled = True
            if self._drain is not None:
                try:
                    stack.enter_context(self._drain.held(timeout_seconds))
                except Unavailable:
                    is_settled = False
            yield is_settled
