"""Listeners to the events of an environment: a queue for each client, and a channel that all of them share."""

import asyncio
import logging
from collections import deque
from collections.abc import Mapping
from itertools import chain, compress

import msgspec

from tallyroom.cluster.shared_arrivals import ReportQueue
from tallyroom.core.errors import TallyroomError
from tallyroom.events.selection import Selection
from tallyroom.events.stream.position import StreamPosition
from tallyroom.events.stream.queries import ArrivalQueries, SelectedEvent, Slice
from tallyroom.ingest.acceptance.arrivals import Watch
from tallyroom.storage.event_store.event_id import EventPosition, id_of

_QUEUE_BYTES = 1_048_576

_log = logging.getLogger(__name__)


class Listener:
    """One client's position in the order of arrival.

    Args:
        selection: the events that the client receives.
        position: where the client begins.
        only_spool: the one spool of a process alone, where each event has its own id; None if there are several.

    Attributes:
        selection: as above.
        seqs: for each spool, the sequence number up to which the client was sent everything.
        is_live: True while the channel delivers new events; otherwise the listener reads the store itself.
        changed_event: set when there is something to take, or the channel will deliver nothing more.
    """

    def __init__(self, selection: Selection, position: StreamPosition, only_spool: int | None) -> None:
        self.selection = selection
        self.seqs = dict(position.seqs)
        self.is_live = False
        self.changed_event = asyncio.Event()
        self._epoch = position.epoch
        self._only_spool = only_spool
        self._joined_seqs: Mapping[int, int] = {}
        self._queue: deque[tuple[int, int, bytes]] = deque()
        self._queued_bytes = 0

    def join(self) -> None:
        """Let the channel deliver events after `seqs` from now on."""
        self.is_live = True
        self._joined_seqs = dict(self.seqs)

    def joined_seq(self, spool: int) -> int:
        """Return the sequence number after which the channel delivers the events of a spool."""
        return self._joined_seqs.get(spool, 0)

    def put(self, spool: int, seq: int, text: bytes) -> None:
        """Queue an event for the client; a client that reads too slowly has to read the store itself from then on."""
        if not self.is_live or seq <= self.joined_seq(spool):
            return
        if self._queued_bytes + len(text) > _QUEUE_BYTES:
            self.fall_back()
        else:
            self._queue.append((spool, seq, text))
            self._queued_bytes += len(text)
            self.changed_event.set()

    def take_queued(self) -> bytes:
        """Take everything that is waiting."""
        texts = [self.mark_sent(*queued) for queued in self._queue]
        self._clear_queue()
        return b"".join(texts)

    def mark_sent(self, spool: int, seq: int, text: bytes) -> bytes:
        """Note that the client is sent an event, and return its text with the position after it."""
        self.seqs[spool] = seq
        return text if self._only_spool is not None else b"id: %s\n%s" % (self.resume_id().encode(), text)

    def resume_id(self) -> str:
        """Return the id with which the client can continue."""
        if self._only_spool is not None:
            return id_of(EventPosition(0, self._only_spool, self.seqs[self._only_spool]))
        return StreamPosition(self.seqs, self._epoch).encode()

    def fall_back(self) -> None:
        """Drop everything that is waiting: the client will read it from the store, after what it has seen."""
        self.is_live = False
        self._clear_queue()
        self.changed_event.set()

    def _clear_queue(self) -> None:
        self._queue.clear()
        self._queued_bytes = 0


class Channel:
    """Reads the new events of one environment once for all listeners.

    Args:
        queries: reads the events of the environment.
        watch: reports when new events of this process's spool are in the store.
        own_spool: that spool.
        is_only_spool: whether it is the only one.

    Attributes:
        watch: as above.
        positions: for each spool, the sequence number up to which events are in the store, or are being read for those
            who listened then.
        listeners: the current listeners.
    """

    def __init__(self, queries: ArrivalQueries, watch: Watch, own_spool: int, *, is_only_spool: bool) -> None:
        self.watch = watch
        self._own_spool = own_spool
        self._is_only_spool = is_only_spool
        self.queries = queries
        self.positions = {own_spool: watch.since}
        self.listeners: list[Listener] = []

    async def wait_until_begun(self) -> None:
        """Wait until the store has everything that was durable before this channel existed."""
        await self.watch.wait_begun()

    async def run(self) -> None:
        """Read events and deliver them, until cancelled."""
        while True:
            arrival = await self.watch.wait_stored()
            await self._deliver(Slice(self._own_spool, self._next_seq(self._own_spool), arrival.last_seq, arrival.days))

    async def run_peer_spools(self, reports: ReportQueue) -> None:
        """Read events of other spools and deliver them, until cancelled."""
        while True:
            report = await reports.wait_for_report()
            first_seq = self._next_seq(report.spool)
            if report.after_seq >= first_seq:  # a message is missing, or a listener knew of more than the store had
                join_seqs = [listener.joined_seq(report.spool) for listener in self.listeners if listener.is_live]
                first_seq = max(first_seq, min(join_seqs, default=0) + 1)
            slice_ = Slice(
                report.spool, first_seq, report.last_seq, report.days if report.after_seq < first_seq else None
            )
            await self._deliver(slice_)

    def add_spool(self, spool: int, position: int) -> None:
        """Deliver the events of one more spool, after its position; who listens already reads those up to it."""
        if spool not in self.positions:
            self.positions[spool] = position
            for listener in self.listeners:
                listener.fall_back()

    def find_missed(self, listener: Listener) -> Slice | None:
        """Return events that are in the store and that a client has not seen; None if there are none."""
        missed_counts = {spool: position - listener.seqs.get(spool, 0) for spool, position in self.positions.items()}
        # The one with most of them, so that none waits for good behind one that is always busy.
        spool = max(missed_counts, key=missed_counts.__getitem__)
        position = self.positions[spool]
        return Slice(spool, position - missed_counts[spool] + 1, position, None) if missed_counts[spool] > 0 else None

    def format_event(self, selected_event: SelectedEvent) -> bytes:
        """Return an event as a server-sent event; where there are several spools, each listener adds its own id.

        Its JSON has no line break: the spool keeps one event on one line.
        """
        event = selected_event.event
        data = msgspec.json.encode(event)
        return b"id: %s\ndata: %s\n\n" % (event.id.encode(), data) if self._is_only_spool else b"data: %s\n\n" % data

    def _next_seq(self, spool: int) -> int:
        return self.positions.get(spool, 0) + 1

    async def _deliver(self, slice_: Slice) -> None:
        # A client that joins during this read is already past it, and reads these events from the store itself.
        self.positions[slice_.spool] = max(self.positions.get(slice_.spool, 0), slice_.last_seq)
        live_listeners = [listener for listener in self.listeners if listener.is_live]
        if live_listeners and slice_.last_seq >= slice_.first_seq and slice_.days != frozenset():
            await self._distribute(slice_, live_listeners)

    async def _distribute(self, slice_: Slice, live_listeners: list[Listener]) -> None:
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
                        listener.put(selected_event.spool, selected_event.seq, text)
        except Exception as error:  # noqa: BLE001 # one of the selections may be at fault; the others must not suffer
            fault = None if isinstance(error, TallyroomError) else error
            _log.warning("events could not be read for all", exc_info=fault, extra={"reason": str(error)})
            for listener in live_listeners:
                listener.fall_back()
