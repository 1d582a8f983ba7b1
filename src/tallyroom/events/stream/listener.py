"""Listeners to the events of an environment: a queue for each client, and a channel that all of them share."""

import asyncio
import logging
from collections import deque
from collections.abc import Mapping
from itertools import chain, compress

import msgspec

from tallyroom.cluster.shared_arrivals import Reports
from tallyroom.core.errors import TallyroomError
from tallyroom.events.selection import Selection
from tallyroom.events.stream.position import StreamPosition
from tallyroom.events.stream.queries import ArrivedQueries, SelectedEvent, Slice
from tallyroom.ingest.acceptance.arrivals import Watch
from tallyroom.storage.event_store.event_id import EventPosition, id_of

_QUEUE_BYTES = 1_048_576

_log = logging.getLogger(__name__)


class Listener:
    """One client's position in the order of arrival.

    Args:
        selection: the events that the client receives.
        position: where the client begins.
        own: the one spool of a process alone, where each event has its own id; None if there are several.

    Attributes:
        selection: as above.
        seqs: for each spool, the sequence number up to which the client was sent everything.
        is_live: True while the channel delivers new events; otherwise the listener reads the store itself.
        changed: set when there is something to take, or the channel will deliver nothing more.
    """

    def __init__(self, selection: Selection, position: StreamPosition, own: int | None) -> None:
        self.selection = selection
        self.seqs = dict(position.seqs)
        self.is_live = False
        self.changed = asyncio.Event()
        self._epoch = position.epoch
        self._own = own
        self._joined: Mapping[int, int] = {}
        self._queue: deque[tuple[int, int, bytes]] = deque()
        self._bytes = 0

    def join(self) -> None:
        """Let the channel deliver events after `seqs` from now on."""
        self.is_live = True
        self._joined = dict(self.seqs)

    def joined(self, spool: int) -> int:
        """Return the sequence number after which the channel delivers the events of a spool."""
        return self._joined.get(spool, 0)

    def put(self, spool: int, seq: int, text: bytes) -> None:
        """Queue an event for the client; a client that reads too slowly has to read the store itself from then on."""
        if not self.is_live or seq <= self.joined(spool):
            return
        if self._bytes + len(text) > _QUEUE_BYTES:
            self.fall_back()
        else:
            self._queue.append((spool, seq, text))
            self._bytes += len(text)
            self.changed.set()

    def take(self) -> bytes:
        """Take everything that is waiting."""
        texts = [self.told(*waiting) for waiting in self._queue]
        self._forget()
        return b"".join(texts)

    def told(self, spool: int, seq: int, text: bytes) -> bytes:
        """Note that the client is sent an event, and return its text with the position after it."""
        self.seqs[spool] = seq
        return text if self._own is not None else b"id: %s\n%s" % (self.position().encode(), text)

    def position(self) -> str:
        """Return the id with which the client can continue."""
        if self._own is not None:
            return id_of(EventPosition(0, self._own, self.seqs[self._own]))
        return StreamPosition(self.seqs, self._epoch).text()

    def fall_back(self) -> None:
        """Drop everything that is waiting: the client will read it from the store, after what it has seen."""
        self.is_live = False
        self._forget()
        self.changed.set()

    def _forget(self) -> None:
        self._queue.clear()
        self._bytes = 0


class Channel:
    """Reads the new events of one environment once for all listeners.

    Args:
        queries: reads the events of the environment.
        watch: reports when new events of this process's spool are in the store.
        own: that spool.
        alone: whether it is the only one.

    Attributes:
        watch: as above.
        position: for each spool, the sequence number up to which events are in the store, or are being read for those
            who listened then.
        listeners: the current listeners.
    """

    def __init__(self, queries: ArrivedQueries, watch: Watch, own: int, *, alone: bool) -> None:
        self.watch = watch
        self._own = own
        self._alone = alone
        self.queries = queries
        self.position = {own: watch.since}
        self.listeners: list[Listener] = []

    async def begun(self) -> None:
        """Wait until the store has everything that was durable before this channel existed."""
        await self.watch.begun()

    async def run(self) -> None:
        """Read events and deliver them, until cancelled."""
        while True:
            arrival = await self.watch.stored()
            await self._deliver(Slice(self._own, self._next(self._own), arrival.last_seq, arrival.days))

    async def run_others(self, following: Reports) -> None:
        """Read events of other spools and deliver them, until cancelled."""
        while True:
            report = await following.stored()
            first = self._next(report.spool)
            if report.after >= first:  # a message is missing, or a listener knew of more than the store had
                join_seqs = [listener.joined(report.spool) for listener in self.listeners if listener.is_live]
                first = max(first, min(join_seqs, default=0) + 1)
            slice_ = Slice(report.spool, first, report.last_seq, report.days if report.after < first else None)
            await self._deliver(slice_)

    def add(self, spool: int, position: int) -> None:
        """Deliver the events of one more spool, after its position; who listens already reads those up to it."""
        if spool not in self.position:
            self.position[spool] = position
            for listener in self.listeners:
                listener.fall_back()

    def missed_by(self, listener: Listener) -> Slice | None:
        """Return events that are in the store and that a client has not seen; None if there are none."""
        gaps = {spool: position - listener.seqs.get(spool, 0) for spool, position in self.position.items()}
        spool = max(gaps, key=gaps.__getitem__)  # so that none waits for good behind one that is always busy
        position = self.position[spool]
        return Slice(spool, position - gaps[spool] + 1, position, None) if gaps[spool] > 0 else None

    def text(self, selected_event: SelectedEvent) -> bytes:
        """Return an event as a server-sent event; where there are several spools, each listener adds its own id.

        Its JSON has no line break: the spool keeps one event on one line.
        """
        event = selected_event.event
        data = msgspec.json.encode(event)
        return b"id: %s\ndata: %s\n\n" % (event.id.encode(), data) if self._alone else b"data: %s\n\n" % data

    def _next(self, spool: int) -> int:
        return self.position.get(spool, 0) + 1

    async def _deliver(self, slice_: Slice) -> None:
        # A client that joins during this read is already past it, and reads these events from the store itself.
        self.position[slice_.spool] = max(self.position.get(slice_.spool, 0), slice_.last)
        live = [listener for listener in self.listeners if listener.is_live]
        if live and slice_.last >= slice_.first and slice_.days != frozenset():
            await self._hand_out(slice_, live)

    async def _hand_out(self, slice_: Slice, live: list[Listener]) -> None:
        heard_by: dict[str, list[Listener]] = {}
        for listener in live:
            heard_by.setdefault(listener.selection.text(), []).append(listener)
        listening = list(heard_by.values())
        selections = [listeners[0].selection for listeners in listening]
        try:
            async for part in self.queries.slices(slice_, selections):
                for selected_event in await self.queries.events(part, selections):
                    text = self.text(selected_event)
                    for listener in chain.from_iterable(compress(listening, selected_event.matches)):
                        listener.put(selected_event.spool, selected_event.seq, text)
        except Exception as error:  # noqa: BLE001 # one of the selections may be at fault; the others must not suffer
            fault = None if isinstance(error, TallyroomError) else error
            _log.warning("events could not be read for all", exc_info=fault, extra={"reason": str(error)})
            for listener in live:
                listener.fall_back()
