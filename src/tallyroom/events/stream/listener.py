"""Listeners to the events of an environment: a queue for each client, and a channel that all of them share."""

import asyncio
import logging
from collections import deque
from collections.abc import Mapping
from itertools import chain, compress

import msgspec

from tallyroom.cluster.shared_arrivals import ReportQueue
from tallyroom.core.errors import TallyroomError
from tallyroom.events.selection import EventSelection
from tallyroom.events.stream.position import StreamPosition
from tallyroom.events.stream.queries import ArrivalQueries, SelectedEvent, SpoolSlice
from tallyroom.ingest.acceptance.arrivals import Watch
from tallyroom.storage.event_store.event_id import EventPosition, id_of

_MAX_QUEUED_BYTES = 1_048_576

_log = logging.getLogger(__name__)


class Listener:
    """One client's position in the order of arrival.

    `only_spool_id` is the only spool of a single process, where each event has a separate id; None if there are
    several. `seq_by_spool` is the sequence number up to which the client was sent everything. With `is_live`, the
    channel delivers new events; otherwise the listener reads the store itself. `changed_event` is set when something is
    queued, or the channel will deliver nothing more.
    """

    def __init__(self, selection: EventSelection, position: StreamPosition, only_spool_id: int | None) -> None:
        self.selection = selection
        self.seq_by_spool = dict(position.seq_by_spool)
        self.is_live = False
        self.changed_event = asyncio.Event()
        self._epoch = position.epoch
        self._only_spool_id = only_spool_id
        self._joined_seq_by_spool: Mapping[int, int] = {}
        self._queue: deque[tuple[int, int, bytes]] = deque()
        self._queued_bytes = 0

    def join_channel(self) -> None:
        """Let the channel deliver events after `seq_by_spool`."""
        self.is_live = True
        self._joined_seq_by_spool = dict(self.seq_by_spool)

    def find_joined_seq(self, spool_id: int) -> int:
        """Return the sequence number after which the channel delivers the events of a spool."""
        return self._joined_seq_by_spool.get(spool_id, 0)

    def enqueue_event(self, spool_id: int, seq: int, text: bytes) -> None:
        """Queue an event for the client; a client that reads too slowly must then read the store itself."""
        if not self.is_live or seq <= self.find_joined_seq(spool_id):
            return
        if self._queued_bytes + len(text) > _MAX_QUEUED_BYTES:
            self.fall_back()
        else:
            self._queue.append((spool_id, seq, text))
            self._queued_bytes += len(text)
            self.changed_event.set()

    def take_queued_text(self) -> bytes:
        """Return and clear the queued text."""
        texts = [self.mark_and_format_sent(*queued) for queued in self._queue]
        self._clear_queue()
        return b"".join(texts)

    def mark_and_format_sent(self, spool_id: int, seq: int, text: bytes) -> bytes:
        """Record that the client is sent an event, and return its text with the position after it."""
        self.seq_by_spool[spool_id] = seq
        return text if self._only_spool_id is not None else b"id: %s\n%s" % (self.build_resume_id().encode(), text)

    def build_resume_id(self) -> str:
        """Return the id with which the client can continue."""
        if self._only_spool_id is not None:
            return id_of(EventPosition(0, self._only_spool_id, self.seq_by_spool[self._only_spool_id]))
        return StreamPosition(self.seq_by_spool, self._epoch).encode()

    def fall_back(self) -> None:
        """Clear the queue: the client will read its events from the store, after what it has seen."""
        self.is_live = False
        self._clear_queue()
        self.changed_event.set()

    def _clear_queue(self) -> None:
        self._queue.clear()
        self._queued_bytes = 0


class Channel:
    """Reads the new events of one environment once for all listeners.

    `watch` reports when new events of this process's spool, `own_spool_id`, are in the store. `stored_seq_by_spool` is
    the sequence number up to which events are in the store, or are being read for the current listeners.
    """

    def __init__(self, queries: ArrivalQueries, watch: Watch, own_spool_id: int, *, is_only_spool: bool) -> None:
        self.watch = watch
        self._own_spool_id = own_spool_id
        self._is_only_spool = is_only_spool
        self.queries = queries
        self.stored_seq_by_spool = {own_spool_id: watch.since_seq}
        self.listeners: list[Listener] = []

    async def wait_until_begun(self) -> None:
        """Wait until the store has everything that was durable before this channel existed."""
        await self.watch.wait_start_stored()

    async def run_own_spool(self) -> None:
        """Read events and deliver them, until cancelled."""
        while True:
            arrival = await self.watch.wait_stored()
            first_seq = self._next_seq(self._own_spool_id)
            await self._deliver_slice(SpoolSlice(self._own_spool_id, first_seq, arrival.last_seq, arrival.utc_days))

    async def run_peer_spools(self, report_queue: ReportQueue) -> None:
        """Read events of other spools and deliver them, until cancelled."""
        while True:
            report = await report_queue.wait_for_report()
            first_seq = self._next_seq(report.spool_id)
            if report.after_seq >= first_seq:  # a message is missing, or a listener had a later position than the store
                joined_seqs = [
                    listener.find_joined_seq(report.spool_id) for listener in self.listeners if listener.is_live
                ]
                first_seq = max(first_seq, min(joined_seqs, default=0) + 1)
            days = report.days if report.after_seq < first_seq else None
            await self._deliver_slice(SpoolSlice(report.spool_id, first_seq, report.last_seq, days))

    def add_spool(self, spool_id: int, stored_seq: int) -> None:
        """Deliver the events of one more spool, after its position; current listeners already read those before it."""
        if spool_id not in self.stored_seq_by_spool:
            self.stored_seq_by_spool[spool_id] = stored_seq
            for listener in self.listeners:
                listener.fall_back()

    def find_missed_slice(self, listener: Listener) -> SpoolSlice | None:
        """Return events that are in the store and that a client has not seen; None if there are none."""
        missed_count_by_spool = {
            spool_id: stored_seq - listener.seq_by_spool.get(spool_id, 0)
            for spool_id, stored_seq in self.stored_seq_by_spool.items()
        }
        # The spool with the most events first, so that none waits forever behind a busy one.
        spool_id = max(missed_count_by_spool, key=missed_count_by_spool.__getitem__)
        stored_seq, missed_count = self.stored_seq_by_spool[spool_id], missed_count_by_spool[spool_id]
        return SpoolSlice(spool_id, stored_seq - missed_count + 1, stored_seq, None) if missed_count > 0 else None

    def format_event(self, selected_event: SelectedEvent) -> bytes:
        """Return an event as a server-sent event; if there are several spools, each listener adds a separate id."""
        event = selected_event.event
        data = msgspec.json.encode(event)
        return b"id: %s\ndata: %s\n\n" % (event.id.encode(), data) if self._is_only_spool else b"data: %s\n\n" % data

    def _next_seq(self, spool_id: int) -> int:
        return self.stored_seq_by_spool.get(spool_id, 0) + 1

    async def _deliver_slice(self, slice_: SpoolSlice) -> None:
        # A client that joins during this read is already past it, and reads these events from the store itself.
        self.stored_seq_by_spool[slice_.spool_id] = max(
            self.stored_seq_by_spool.get(slice_.spool_id, 0), slice_.last_seq
        )
        live_listeners = [listener for listener in self.listeners if listener.is_live]
        if live_listeners and slice_.last_seq >= slice_.first_seq and slice_.days != frozenset():
            await self._deliver_to_listeners(slice_, live_listeners)

    async def _deliver_to_listeners(self, slice_: SpoolSlice, live_listeners: list[Listener]) -> None:
        listeners_by_selection: dict[str, list[Listener]] = {}
        for listener in live_listeners:
            listeners_by_selection.setdefault(listener.selection.canonical_text(), []).append(listener)
        listener_groups = list(listeners_by_selection.values())
        selections = [listeners[0].selection for listeners in listener_groups]
        try:
            async for slice_part in self.queries.split_slice(slice_, selections):
                for selected_event in await self.queries.fetch_events(slice_part, selections):
                    text = self.format_event(selected_event)
                    for listener in chain.from_iterable(compress(listener_groups, selected_event.matches)):
                        listener.enqueue_event(selected_event.spool_id, selected_event.seq, text)
        except Exception as error:  # noqa: BLE001 # one of the selections may be at fault; the others must not suffer
            trace = None if isinstance(error, TallyroomError) else error
            _log.warning(
                "events could not be read for some clients of a stream", exc_info=trace, extra={"reason": str(error)}
            )
            for listener in live_listeners:
                listener.fall_back()
