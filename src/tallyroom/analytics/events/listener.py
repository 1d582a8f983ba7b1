"""Listeners to the events of an environment: a queue for each client, and a channel that all of them share."""

import asyncio
import logging
from collections import deque
from itertools import chain, compress

import msgspec

from tallyroom.analytics.events.queries import ArrivedQueries, SelectedEvent, Slice
from tallyroom.analytics.events.selection import Selection
from tallyroom.core.errors import TallyroomError
from tallyroom.ingest.arrivals import Watch

_QUEUE_BYTES = 1_048_576

_log = logging.getLogger(__name__)


class Listener:
    """One client's position in the order of arrival.

    Attributes:
        selection: the events that the client receives.
        seen: sequence number up to which the client was sent everything.
        is_live: True while the channel delivers new events; otherwise the listener reads the store itself.
        changed: set when there is something to take, or the channel will deliver nothing more.
    """

    def __init__(self, selection: Selection, seen: int) -> None:
        self.selection = selection
        self.seen = seen
        self.is_live = False
        self.changed = asyncio.Event()
        self._queue: deque[tuple[int, bytes]] = deque()
        self._bytes = 0

    def join(self) -> None:
        """Let the channel deliver events after `seen` from now on."""
        self.is_live = True
        self._joined = self.seen

    def put(self, seq: int, text: bytes) -> None:
        """Queue an event for the client; a client that reads too slowly has to read the store itself from then on."""
        if not self.is_live or seq <= self._joined:
            return
        if self._bytes + len(text) > _QUEUE_BYTES:
            self.fall_back()
        else:
            self._queue.append((seq, text))
            self._bytes += len(text)
            self.changed.set()

    def take(self) -> bytes:
        """Take everything that is waiting."""
        texts = [text for _, text in self._queue]
        if self._queue:
            self.seen = self._queue[-1][0]
        self._forget()
        return b"".join(texts)

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
        watch: reports when new events are in the store.

    Attributes:
        position: sequence number up to which events are in the store, or are being read for those who listened then.
        listeners: the current listeners.
    """

    def __init__(self, queries: ArrivedQueries, watch: Watch) -> None:
        self._watch = watch
        self.queries = queries
        self.position = watch.since
        self.listeners: list[Listener] = []

    async def begun(self) -> None:
        """Wait until the store has everything that was durable before this channel existed."""
        await self._watch.begun()

    async def run(self) -> None:
        """Read events and deliver them, until cancelled."""
        while True:
            arrival = await self._watch.stored()
            whole = Slice(self.position + 1, arrival.last_seq, arrival.days)
            # A client that joins during this read is already past it, and reads these events from the store itself.
            self.position = max(self.position, arrival.last_seq)
            live = [listener for listener in self.listeners if listener.is_live]
            if live and whole.last >= whole.first:
                await self._hand_out(whole, live)

    async def _hand_out(self, whole: Slice, live: list[Listener]) -> None:
        heard_by: dict[str, list[Listener]] = {}
        for listener in live:
            heard_by.setdefault(listener.selection.text(), []).append(listener)
        listening = list(heard_by.values())
        selections = [listeners[0].selection for listeners in listening]
        try:
            async for part in self.queries.slices(whole, selections):
                for taken in await self.queries.events(part, selections):
                    text = event_text(taken)
                    for listener in chain.from_iterable(compress(listening, taken.matches)):
                        listener.put(taken.seq, text)
        except Exception as error:  # noqa: BLE001 # one of the selections may be at fault; the others must not suffer
            fault = None if isinstance(error, TallyroomError) else error
            _log.warning("events could not be read for all", exc_info=fault, extra={"reason": str(error)})
            for listener in live:
                listener.fall_back()


def event_text(taken: SelectedEvent) -> bytes:
    """An event as a server-sent event. Its JSON has no line break: the spool keeps one event on one line."""
    return b"id: %s\ndata: %s\n\n" % (taken.event.id.encode(), msgspec.json.encode(taken.event))
