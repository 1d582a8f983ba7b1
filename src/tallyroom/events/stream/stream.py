"""The event stream: newly stored events, each one once, in the order of arrival (rules/questions#event-stream).

A client that resumes first reads the events that it missed, at its own speed, and then joins the channel of the
environment, which reads new events once for all clients. A client that falls behind reads the store itself again. So
each client has only a bounded number of bytes in memory, and none misses an event.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress

from tallyroom.auth.authenticator import Authenticator
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.cluster.shared_arrivals import ReportQueue, SharedArrivals
from tallyroom.core.errors import RateLimited, Unavailable, ValidationFailed
from tallyroom.core.peers import SpoolState
from tallyroom.events.selection import EventSelection
from tallyroom.events.stream.listener import Channel, Listener
from tallyroom.events.stream.position import END_SEQ, StreamPosition, parse_stream_position
from tallyroom.events.stream.queries import ArrivalQueries, SpoolSlice, find_stream_position_after
from tallyroom.ingest.acceptance.arrivals import ArrivalNotifier
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.queue import Spool

MAX_STREAMS = 20
RETRY_MS = 2000

_RECHECK_SECONDS = 1.0
_FIRST_PAUSE_SECONDS = 1.0
_MAX_PAUSE_SECONDS = 30.0


class Streams:
    """Streams to the clients of all workspaces; `closing_event` ends every stream."""

    def __init__(
        self,
        reader: EventReader,
        spool: Spool,
        arrivals: ArrivalNotifier,
        authenticator: Authenticator,
        closing_event: asyncio.Event,
    ) -> None:
        self._reader = reader
        self._spool = spool
        self._arrivals = arrivals
        self._authenticator = authenticator
        self._closing_event = closing_event
        self._shared_arrivals = arrivals if isinstance(arrivals, SharedArrivals) else None
        self._open_count_by_workspace_id: Counter[str] = Counter()
        self._channel_by_scope: dict[Scope, Channel] = {}
        self._reader_tasks_by_scope: dict[Scope, list[asyncio.Task[None]]] = {}
        self._report_queue_by_scope: dict[Scope, ReportQueue] = {}
        self._catch_up_lock = asyncio.Lock()  # catching up searches all events of an environment: one client at a time

    async def open_stream(
        self, principal: MemberPrincipal, scope: Scope, selection: EventSelection, last_event_id: str | None
    ) -> AsyncGenerator[bytes, None]:
        """Open a stream, which has begun when this returns, and return its text.

        The stream ends when `principal` may no longer read it. `last_event_id` None begins with new events. Raises
        `RateLimited` if the workspace has too many streams, `ValidationFailed` for an unknown id, and `Unavailable` if
        the positions of other workers' spools are unknown.
        """
        position, start_seq_by_peer_spool = await self._find_start_position(scope, last_event_id)
        if self._open_count_by_workspace_id[scope.workspace_id] >= MAX_STREAMS:
            raise RateLimited(
                f"{MAX_STREAMS} streams of this workspace are already open. Close one first.", retry_after=30
            )
        listener = Listener(selection, position, self._spool.identity if self._shared_arrivals is None else None)
        texts = self._stream_texts(principal, scope, listener, start_seq_by_peer_spool)
        await anext(texts)
        return texts

    async def wait_until_over(self, principal: MemberPrincipal) -> None:
        """Return soon after the listener is no longer allowed to read the stream, or when the server stops."""
        while await self._authenticator.is_still_valid(principal) and not self._closing_event.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing_event.wait(), _RECHECK_SECONDS)

    async def _stream_texts(
        self, principal: MemberPrincipal, scope: Scope, listener: Listener, start_seq_by_peer_spool: Mapping[int, int]
    ) -> AsyncGenerator[bytes, None]:
        self._open_count_by_workspace_id[scope.workspace_id] += 1
        channel = self._join_channel(scope, listener, start_seq_by_peer_spool)
        try:
            yield b""
            # Not the id of an event, but of this position: a client cut off before the first event resumes from here.
            yield b"retry: %d\nid: %s\n\n" % (RETRY_MS, listener.build_resume_id().encode())
            async with aclosing(self._listen(channel, listener)) as texts:
                async for text in texts:
                    # A removed member must not see later events.
                    if not await self._authenticator.is_still_valid(principal):
                        return
                    yield text
        finally:
            self._leave_channel(scope, channel, listener)

    async def _listen(self, channel: Channel, listener: Listener) -> AsyncGenerator[bytes, None]:
        while True:
            async for text in self._read_missed(channel, listener):
                yield text
            listener.join_channel()
            while listener.is_live:
                listener.changed_event.clear()
                if text := listener.take_queued_text():
                    yield text
                else:
                    await listener.changed_event.wait()

    def _join_channel(self, scope: Scope, listener: Listener, start_seq_by_peer_spool: Mapping[int, int]) -> Channel:
        channel = self._channel_by_scope.get(scope)
        if channel is None:
            queries, own_spool_id = ArrivalQueries(self._reader, scope), self._spool.identity
            channel = Channel(
                queries, self._arrivals.watch(scope), own_spool_id, is_only_spool=self._shared_arrivals is None
            )
            self._channel_by_scope[scope] = channel
            self._reader_tasks_by_scope[scope] = [asyncio.create_task(channel.run_own_spool())]
            if self._shared_arrivals is not None:
                report_queue = self._report_queue_by_scope[scope] = self._shared_arrivals.follow(scope)
                self._reader_tasks_by_scope[scope].append(asyncio.create_task(channel.run_peer_spools(report_queue)))
        for spool_id, start_seq in start_seq_by_peer_spool.items():
            channel.add_spool(spool_id, start_seq)
        channel.listeners.append(listener)
        return channel

    def _leave_channel(self, scope: Scope, channel: Channel, listener: Listener) -> None:
        channel.listeners.remove(listener)
        if not channel.listeners:
            del self._channel_by_scope[scope]
            for reader_task in self._reader_tasks_by_scope.pop(scope):
                reader_task.cancel()
            self._arrivals.unwatch(channel.watch)
            if self._shared_arrivals is not None:
                self._shared_arrivals.unfollow(self._report_queue_by_scope.pop(scope))
        self._open_count_by_workspace_id[scope.workspace_id] -= 1
        if not self._open_count_by_workspace_id[scope.workspace_id]:
            del self._open_count_by_workspace_id[scope.workspace_id]

    async def _read_missed(self, channel: Channel, listener: Listener) -> AsyncGenerator[bytes, None]:
        """Yield the events that the client has missed, up to what the channel will deliver; wait for a busy store."""
        pause_seconds = _FIRST_PAUSE_SECONDS
        while slice_ := channel.find_missed_slice(listener):
            try:
                await channel.wait_until_begun()
                async with aclosing(channel.queries.split_slice(slice_, [listener.selection])) as slice_parts:
                    while slice_part := await self._next_slice(slice_parts):
                        for selected_event in await channel.queries.fetch_events(slice_part, [listener.selection]):
                            yield listener.mark_and_format_sent(
                                selected_event.spool_id, selected_event.seq, channel.format_event(selected_event)
                            )
                        pause_seconds = _FIRST_PAUSE_SECONDS
                listener.seq_by_spool[slice_.spool_id] = slice_.last_seq
            except (RateLimited, Unavailable):
                await asyncio.sleep(pause_seconds)
                pause_seconds = min(pause_seconds * 2, _MAX_PAUSE_SECONDS)

    async def _next_slice(self, slice_parts: AsyncGenerator[SpoolSlice, None]) -> SpoolSlice | None:
        async with self._catch_up_lock:
            return await anext(slice_parts, None)

    async def _find_start_position(
        self, scope: Scope, last_event_id: str | None
    ) -> tuple[StreamPosition, Mapping[int, int]]:
        position = None if last_event_id is None else parse_stream_position(last_event_id)
        if position is None and last_event_id is not None:
            raise ValidationFailed.at(["Last-Event-ID"], "is not the ID of an event")
        state_by_spool: Mapping[int, SpoolState] = {}
        if self._shared_arrivals is not None:
            state_by_spool = await self._shared_arrivals.find_spools()
            if position is not None and position.event is not None:
                async with self._catch_up_lock:
                    position = await find_stream_position_after(self._reader, scope, position.event) or position
        own_spool_id, last_seq = self._spool.identity, self._spool.last_seq
        seq_by_spool = {
            spool_id: _find_seen_seq(position, spool_id, state) for spool_id, state in state_by_spool.items()
        }
        # If all ids are of an earlier spool, the client has seen nothing of this one.
        seq_by_spool[own_spool_id] = (
            last_seq if position is None else min(position.seq_by_spool.get(own_spool_id, 0), last_seq)
        )
        stored_seq_by_spool = {
            spool_id: state.stored_seq if state.is_used else END_SEQ for spool_id, state in state_by_spool.items()
        }
        start_seq_by_peer_spool = {
            spool_id: stored_seq
            for spool_id, stored_seq in stored_seq_by_spool.items()
            if spool_id != own_spool_id and seq_by_spool[spool_id] < END_SEQ
        }
        epoch = max((state.epoch for state in state_by_spool.values()), default=0)
        return StreamPosition(seq_by_spool, epoch), start_seq_by_peer_spool


def _find_seen_seq(position: StreamPosition | None, spool_id: int, state: SpoolState) -> int:
    """Return up to where a client at a position has seen the events of another worker's spool."""
    if position is None:
        return state.acknowledged_seq if state.is_used else END_SEQ
    if spool_id in position.seq_by_spool:
        return position.seq_by_spool[spool_id]
    # The position names all spools that were in use; any other spool has ended, or has begun since.
    return 0 if state.is_used or state.epoch > position.epoch else END_SEQ
