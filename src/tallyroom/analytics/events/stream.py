"""The event stream: newly stored events, each one once, in the order of arrival (rules/questions#event-stream).

A client that resumes first reads the events that it missed, at its own speed, and then joins the channel of the
environment, which reads new events once for all clients. A client that falls behind leaves the channel and reads the
store itself again. So each client has only a bounded number of bytes in memory, and none misses an event.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from tallyroom.analytics.events.listener import Channel, Listener
from tallyroom.analytics.events.places import Place, place_of
from tallyroom.analytics.events.queries import ArrivedQueries, Slice
from tallyroom.analytics.events.selection import Selection
from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.core.errors import RateLimited, TallyroomError, ValidationFailed
from tallyroom.ingest.arrivals import Arrivals
from tallyroom.spool.queue import Spool
from tallyroom.store.read import EventReader
from tallyroom.store.scope import Scope

MOST_STREAMS = 20
RETRY_MS = 2000

_LOOK_SECONDS = 1.0
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 30.0


class Streams:
    """Streams to the clients of all workspaces.

    Args:
        reader: the event store.
        spool: knows which events are durable.
        arrivals: reports when new events are in the store.
        authenticator: knows whether the sessions and tokens of clients are still valid.
        closing: set when every stream has to end.
    """

    def __init__(
        self,
        reader: EventReader,
        spool: Spool,
        arrivals: Arrivals,
        authenticator: Authenticator,
        closing: asyncio.Event,
    ) -> None:
        self._reader = reader
        self._spool = spool
        self._arrivals = arrivals
        self._authenticator = authenticator
        self._closing = closing
        self._open: Counter[str] = Counter()
        self._channels: dict[Scope, Channel] = {}
        self._readers: dict[Scope, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()  # catching up searches all events of an environment: one client at a time

    async def open(
        self, principal: SessionPrincipal, scope: Scope, selection: Selection, last_event_id: str | None
    ) -> AsyncGenerator[bytes, None]:
        """Open a stream, which has begun when this returns, and return its text.

        The stream ends when the listener is no longer allowed to read it.

        Args:
            principal: the listener.
            scope: the scope of the events.
            selection: the events in that scope.
            last_event_id: the last event id that the client has seen; None to begin with new events.

        Raises:
            RateLimited: the workspace already has as many streams as it may.
            ValidationFailed: no event has this id.
        """
        place = self._beginning(last_event_id)
        if self._open[scope.workspace_id] >= MOST_STREAMS:
            raise RateLimited(
                f"{MOST_STREAMS} streams of this workspace are already open. Close one first.", retry_after=30
            )
        texts = self._texts(principal, scope, Listener(selection, place, self._spool.identity))
        await anext(texts)
        return texts

    async def over(self, principal: SessionPrincipal) -> None:
        """Return soon after the listener is no longer allowed to read the stream, or when the server stops."""
        while await self._authenticator.stands(principal) and not self._closing.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), _LOOK_SECONDS)

    async def _texts(
        self, principal: SessionPrincipal, scope: Scope, listener: Listener
    ) -> AsyncGenerator[bytes, None]:
        self._open[scope.workspace_id] += 1
        channel = self._joined(scope, listener)
        try:
            yield b""
            # Not the id of an event, but of this position: a client cut off before the first event resumes from here.
            yield b"retry: %d\nid: %s\n\n" % (RETRY_MS, listener.place().encode())
            async with aclosing(self._heard(channel, listener)) as heard:
                async for text in heard:
                    if not await self._authenticator.stands(principal):  # a removed member must not see later events
                        return
                    yield text
        finally:
            self._leave(scope, channel, listener)

    async def _heard(self, channel: Channel, listener: Listener) -> AsyncGenerator[bytes, None]:
        while True:
            async for text in self._missed(channel, listener):
                yield text
            listener.join()
            while listener.is_live:
                listener.changed.clear()
                if text := listener.take():
                    yield text
                else:
                    await listener.changed.wait()

    def _joined(self, scope: Scope, listener: Listener) -> Channel:
        channel = self._channels.get(scope)
        if channel is None:
            queries, own = ArrivedQueries(self._reader, scope), self._spool.identity
            channel = self._channels[scope] = Channel(queries, self._arrivals.watch(scope), own, alone=True)
            self._readers[scope] = asyncio.create_task(channel.run())
        channel.listeners.append(listener)
        return channel

    def _leave(self, scope: Scope, channel: Channel, listener: Listener) -> None:
        channel.listeners.remove(listener)
        if not channel.listeners:
            del self._channels[scope]
            self._readers.pop(scope).cancel()
            self._arrivals.unwatch(scope)
        self._open[scope.workspace_id] -= 1
        if not self._open[scope.workspace_id]:
            del self._open[scope.workspace_id]

    async def _missed(self, channel: Channel, listener: Listener) -> AsyncGenerator[bytes, None]:
        """Yield the events between what the client has seen and what the channel will deliver; failures are retried."""
        pause = _FIRST_PAUSE
        while whole := channel.missed_by(listener):
            try:
                await channel.begun()
                async with aclosing(channel.queries.slices(whole, [listener.selection])) as parts:
                    while part := await self._next(parts):
                        for taken in await channel.queries.events(part, [listener.selection]):
                            yield listener.told(taken.spool, taken.seq, channel.text(taken))
                        pause = _FIRST_PAUSE
                listener.seen[whole.spool] = whole.last
            except TallyroomError:
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)

    async def _next(self, parts: AsyncGenerator[Slice, None]) -> Slice | None:
        async with self._turn:
            return await anext(parts, None)

    def _beginning(self, last_event_id: str | None) -> Place:
        own, last_seq = self._spool.identity, self._spool.last_seq
        if last_event_id is None:
            return Place({own: last_seq})
        place = place_of(last_event_id)
        if place is None:
            raise ValidationFailed.at(["Last-Event-ID"], "is not the id of an event")
        return Place({own: min(place.seen.get(own, 0), last_seq)})  # of an earlier spool's, it has seen nothing of this
