"""The event stream: newly stored events, each one once, in the order of arrival (rules/questions#event-stream).

A client that resumes first reads the events that it missed, at its own speed, and then joins the channel of the
environment, which reads new events once for all clients. A client that falls behind leaves the channel and reads the
store itself again. So each client has only a bounded number of bytes in memory, and none misses an event.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress

from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.principals import SessionPrincipal
from tallyroom.cluster.shared_arrivals import Reports, SharedArrivals
from tallyroom.core.errors import RateLimited, TallyroomError, ValidationFailed
from tallyroom.core.peers import SpoolState
from tallyroom.events.selection import Selection
from tallyroom.events.stream.listener import Channel, Listener
from tallyroom.events.stream.position import END, StreamPosition, stream_position_of
from tallyroom.events.stream.queries import ArrivedQueries, Slice, stream_position_after
from tallyroom.ingest.acceptance.arrivals import Arrivals
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.queue import Spool

MOST_STREAMS = 20
RETRY_MS = 2000

_LOOK_SECONDS = 1.0
_FIRST_PAUSE = 1.0
_MAX_PAUSE = 30.0


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
        self._shared_arrivals = arrivals if isinstance(arrivals, SharedArrivals) else None
        self._open: Counter[str] = Counter()
        self._channels: dict[Scope, Channel] = {}
        self._readers: dict[Scope, list[asyncio.Task[None]]] = {}
        self._followed: dict[Scope, Reports] = {}
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
            Unavailable: nobody can tell at the moment where the spools of other workers are.
        """
        position, positions = await self._beginning(scope, last_event_id)
        if self._open[scope.workspace_id] >= MOST_STREAMS:
            raise RateLimited(
                f"{MOST_STREAMS} streams of this workspace are already open. Close one first.", retry_after=30
            )
        listener = Listener(selection, position, self._spool.identity if self._shared_arrivals is None else None)
        texts = self._texts(principal, scope, listener, positions)
        await anext(texts)
        return texts

    async def over(self, principal: SessionPrincipal) -> None:
        """Return soon after the listener is no longer allowed to read the stream, or when the server stops."""
        while await self._authenticator.stands(principal) and not self._closing.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), _LOOK_SECONDS)

    async def _texts(
        self, principal: SessionPrincipal, scope: Scope, listener: Listener, positions: Mapping[int, int]
    ) -> AsyncGenerator[bytes, None]:
        self._open[scope.workspace_id] += 1
        channel = self._joined(scope, listener, positions)
        try:
            yield b""
            # Not the id of an event, but of this position: a client cut off before the first event resumes from here.
            yield b"retry: %d\nid: %s\n\n" % (RETRY_MS, listener.position().encode())
            async with aclosing(self._heard(channel, listener)) as texts:
                async for text in texts:
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

    def _joined(self, scope: Scope, listener: Listener, positions: Mapping[int, int]) -> Channel:
        channel = self._channels.get(scope)
        if channel is None:
            queries, own = ArrivedQueries(self._reader, scope), self._spool.identity
            channel = Channel(queries, self._arrivals.watch(scope), own, alone=self._shared_arrivals is None)
            self._channels[scope] = channel
            self._readers[scope] = [asyncio.create_task(channel.run())]
            if self._shared_arrivals is not None:
                following = self._followed[scope] = self._shared_arrivals.follow(scope)
                self._readers[scope].append(asyncio.create_task(channel.run_others(following)))
        for spool, position in positions.items():
            channel.add(spool, position)
        channel.listeners.append(listener)
        return channel

    def _leave(self, scope: Scope, channel: Channel, listener: Listener) -> None:
        channel.listeners.remove(listener)
        if not channel.listeners:
            del self._channels[scope]
            for reader in self._readers.pop(scope):
                reader.cancel()
            self._arrivals.unwatch(channel.watch)
            if self._shared_arrivals is not None:
                self._shared_arrivals.unfollow(self._followed.pop(scope))
        self._open[scope.workspace_id] -= 1
        if not self._open[scope.workspace_id]:
            del self._open[scope.workspace_id]

    async def _missed(self, channel: Channel, listener: Listener) -> AsyncGenerator[bytes, None]:
        """Yield the events between what the client has seen and what the channel will deliver; failures are retried."""
        pause = _FIRST_PAUSE
        while slice_ := channel.missed_by(listener):
            try:
                await channel.begun()
                async with aclosing(channel.queries.slices(slice_, [listener.selection])) as parts:
                    while part := await self._next(parts):
                        for selected_event in await channel.queries.events(part, [listener.selection]):
                            yield listener.told(selected_event.spool, selected_event.seq, channel.text(selected_event))
                        pause = _FIRST_PAUSE
                listener.seqs[slice_.spool] = slice_.last
            except TallyroomError:
                await asyncio.sleep(pause)
                pause = min(pause * 2, _MAX_PAUSE)

    async def _next(self, parts: AsyncGenerator[Slice, None]) -> Slice | None:
        async with self._turn:
            return await anext(parts, None)

    async def _beginning(self, scope: Scope, last_event_id: str | None) -> tuple[StreamPosition, Mapping[int, int]]:
        """Return where a stream begins, and for each spool of others it hears of, where a channel may begin."""
        position = None if last_event_id is None else stream_position_of(last_event_id)
        if position is None and last_event_id is not None:
            raise ValidationFailed.at(["Last-Event-ID"], "is not the id of an event")
        spools: Mapping[int, SpoolState] = {}
        if self._shared_arrivals is not None:
            spools = await self._shared_arrivals.spools()
            if position is not None and position.event is not None:
                async with self._turn:
                    position = await stream_position_after(self._reader, scope, position.event) or position
        own, last_seq = self._spool.identity, self._spool.last_seq
        seqs = {spool: _seen(position, spool, state) for spool, state in spools.items()}
        # Where all ids are of an earlier spool, the client has seen nothing of this one.
        seqs[own] = last_seq if position is None else min(position.seqs.get(own, 0), last_seq)
        positions = {spool: state.stored_seq if state.is_used else END for spool, state in spools.items()}
        peer_positions = {
            spool: position for spool, position in positions.items() if spool != own and seqs[spool] < END
        }
        return StreamPosition(seqs, max((state.epoch for state in spools.values()), default=0)), peer_positions


def _seen(position: StreamPosition | None, spool: int, state: SpoolState) -> int:
    """Return up to where a client that was at a position has seen the events of another worker's spool."""
    if position is None:
        return state.acknowledged_seq if state.is_used else END
    if spool in position.seqs:
        return position.seqs[spool]
    # The position names all spools that were in use; one that was not is over, or has begun since.
    return 0 if state.is_used or state.epoch > position.epoch else END
