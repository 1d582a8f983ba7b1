"""The queue of a client: journals on disk, and memory where the disk cannot be used."""

import json
import math
from collections.abc import Callable
from functools import partial

from tallyroom_client.clock import Clock
from tallyroom_client.cut import Cut, CutLimit
from tallyroom_client.event import Fields, encode_event
from tallyroom_client.exclusion import Exclusion
from tallyroom_client.journal.folder import QueueFolder
from tallyroom_client.journal.journal import Journal
from tallyroom_client.journal.records import DroppedRecord
from tallyroom_client.limits import (
    MAX_CUT_AGE,
    MAX_CUT_BYTES,
    MAX_CUT_EVENTS,
    MAX_MEMORY_EVENTS,
    MAX_QUEUE_BYTES,
    MAX_QUEUE_EVENTS,
)
from tallyroom_client.losses import LossLog
from tallyroom_client.memory import MemoryQueue
from tallyroom_client.problems import Problem, ProblemReporter
from tallyroom_client.refusal import EventRefused
from tallyroom_client.stats import Counters
from tallyroom_client.timestamps import Timestamps

Source = Journal | MemoryQueue


class EventQueue:
    """Accepts events in the order of their times, and gives them out in cuts, those of dead processes first.

    While the disk cannot be written to, events go to memory; they go to the journal again once memory is empty, so
    that the order holds.

    Args:
        open_folder: opens the folder of the queue; None for a queue in memory.
        make_key: returns 22 random characters of base64url.
        wake: called when a cut may have become due.
    """

    def __init__(
        self,
        open_folder: Callable[[], QueueFolder] | None,
        *,
        clock: Clock,
        make_key: Callable[[], str],
        problems: ProblemReporter,
        counters: Counters,
        wake: Callable[[], object],
    ) -> None:
        self._clock = clock
        self._problems = problems
        self._counters = counters
        self._wake = wake
        self._exclusion = Exclusion()
        self._timestamps = Timestamps(clock.now_ms)
        self._memory = MemoryQueue(make_key)
        self._adopted: list[Journal] = []
        self._losses = LossLog(clock, problems, counters)
        self._oldest_uncut: float | None = None  # since when an event waits for its cut
        self.is_hurried = False
        self.waiting_events = 0
        self.waiting_bytes = 0
        self.appended_count = 0
        self.settled_count = 0  # of the events that this process appended
        self._folder = self._open(open_folder) if open_folder else None

    @property
    def _journal(self) -> Journal | None:
        return self._folder.journal if self._folder else None

    @property
    def oldest_waiting(self) -> str | None:
        """The time of the oldest event that waits."""
        event = next((event for source in self._sources() if (event := source.peek())), None)
        return None if event is None else str(json.loads(event)["_timestamp"])

    def append(self, fields: Fields) -> bool:
        """Accept an event, or return False if there is no room for it; raises `EventRefused`."""
        exclusion = self._exclusion
        with exclusion.lock:
            if exclusion.is_busy:  # in a signal handler, which interrupted this very thread
                exclusion.defer(partial(self._append_late, fields))
                return True
            exclusion.is_busy = True
            try:
                return self._append(fields)
            finally:
                exclusion.end()

    def adopt(self) -> None:
        """Take over the journals of processes that have died."""
        journals = self._folder.adopt() if self._folder else []
        with self._exclusion.change():
            self._adopted += journals
            self._count_waiting()

    def seconds_until_due(self) -> float:
        """Return 0 if there is something to send now, and infinity if nothing waits."""
        if any(source.has_open_cut for source in self._sources()) or self._adopted:
            return 0
        if not self.waiting_events:
            return math.inf
        is_full_cut = self.waiting_events >= MAX_CUT_EVENTS or self.waiting_bytes >= MAX_CUT_BYTES
        if self.is_hurried or is_full_cut or self._oldest_uncut is None:
            return 0
        return max(0, self._oldest_uncut + MAX_CUT_AGE - self._clock.monotonic())

    def next_cut(self, limit: CutLimit) -> Cut | None:
        """Return the cut to send next; raises `OSError` if a new cut cannot be written."""
        for source in self._sources():
            cut = source.next_cut(limit)
            if cut is not None:
                with self._exclusion.change():
                    has_more = self.waiting_events > len(cut.events)
                    self._oldest_uncut = self._clock.monotonic() if has_more else None
                return cut
            if isinstance(source, Journal) and source in self._adopted:
                self._finish(source)
        return None

    def acknowledge(self, cut: Cut, status: int) -> None:
        """The server has the events of the cut."""
        self._source_of(cut).acknowledge(cut.key, status)
        self._settle(cut, len(cut.events))

    def refuse(self, cut: Cut, indices: tuple[int, ...], status: int, reason: str) -> None:
        """Take events out, by index, and keep them aside for a person; the others are cut again."""
        events = [cut.events[index] for index in indices]
        if self._folder and events:
            self._folder.refused_events.add(events, status, reason)
        self._source_of(cut).refuse(cut.key, indices)
        self._settle(cut, len(indices))

    def close(self) -> None:
        """Leave what waits to the next process."""
        with self._exclusion.change():
            for source in self._sources():
                source.close()

    def abandon(self) -> None:
        """Close everything in a forked child, whose parent goes on with it."""
        for source in self._sources():
            source.abandon()

    def _open(self, open_folder: Callable[[], QueueFolder]) -> QueueFolder | None:
        try:
            return open_folder()
        except OSError as error:
            self._report_unusable(error)
            return None

    def _sources(self) -> list[Source]:
        own = [self._journal] if self._journal else []
        return [*self._adopted, *own, self._memory]

    def _source_of(self, cut: Cut) -> Source:
        return next(source for source in self._sources() if source.queue_id == cut.queue_id)

    def _append_late(self, fields: Fields) -> None:
        try:
            self.append(fields)
        except EventRefused as refusal:
            self._counters.refused += 1
            self._problems.report(Problem("refused", f"an event is wrong: {refusal}", 1, sample=fields["name"]))

    def _append(self, fields: Fields) -> bool:
        if "_timestamp" not in fields:
            fields["_timestamp"] = self._timestamps.next()
        event = encode_event(fields)
        if self._is_full(len(event)):
            self._write_loss(self._losses.add(fields["name"]))
            return False
        self._store(event)
        return True

    def _is_full(self, byte_count: int) -> bool:
        if self._journal is None or self._memory.waiting_events:
            return self._memory.waiting_events >= MAX_MEMORY_EVENTS
        return self.waiting_events >= MAX_QUEUE_EVENTS or self.waiting_bytes + byte_count > MAX_QUEUE_BYTES

    def _store(self, event: bytes) -> None:
        self._append_to_source(event)
        self.appended_count += 1
        self.waiting_events += 1
        self.waiting_bytes += len(event)
        if self._oldest_uncut is None:
            self._oldest_uncut = self._clock.monotonic()
        if self.waiting_events == 1 or self.waiting_events % MAX_CUT_EVENTS == 0:
            self._wake()

    def _append_to_source(self, event: bytes) -> None:
        if self._journal is not None and not self._memory.waiting_events:
            try:
                self._journal.append(event)
            except OSError as error:
                self._report_unusable(error)
            else:
                return
        self._memory.append(event)

    def _write_loss(self, record: DroppedRecord | None) -> None:
        if self._journal is not None and record is not None:
            try:
                self._journal.write_dropped(record)
            except OSError as error:
                self._report_unusable(error)

    def _settle(self, cut: Cut, event_count: int) -> None:
        with self._exclusion.change():
            if cut.queue_id not in {journal.queue_id for journal in self._adopted}:
                self.settled_count += event_count
            self._report_loss()

    def _report_loss(self) -> None:
        """Once nothing waits, append the event that reports the dropped ones."""
        self._count_waiting()
        if not self.waiting_events and (loss := self._losses.take()):
            self._store(encode_event({**loss.event(), "_timestamp": self._timestamps.next()}))
            self._write_loss(DroppedRecord(0))

    def _count_waiting(self) -> None:
        self.waiting_events = sum(source.waiting_events for source in self._sources())
        self.waiting_bytes = sum(source.waiting_bytes for source in self._sources())

    def _finish(self, journal: Journal) -> None:
        """Give up a dead process's journal whose events are settled, and take over the loss that it has to report."""
        with self._exclusion.change():
            self._adopted.remove(journal)
            if journal.dropped:
                self._write_loss(self._losses.take_over(journal.dropped))
                journal.write_dropped(DroppedRecord(0))
            journal.close()
            self._report_loss()

    def _report_unusable(self, error: OSError) -> None:
        reason = error.strerror or str(error)
        message = f"the queue cannot be written to ({reason}), so new events are in memory only"
        self._problems.report(Problem("queue_unusable", message))
