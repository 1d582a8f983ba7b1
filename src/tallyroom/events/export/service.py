"""Exports: one state of the events, in order, either complete or visibly cut off (rules/events#export)."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from tallyroom.core import failpoints
from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.core.peers import NoPeers, Peers
from tallyroom.core.ranges import FIRST_MS, FixedRange, RangeName
from tallyroom.events.export.formats import FORMS, new_file
from tallyroom.events.export.queries import ExportQueries
from tallyroom.events.export.schemas import Cut, Format
from tallyroom.events.export.slices import slices
from tallyroom.ingest.drain.drain import Drain
from tallyroom.queries.event_times import newest_event_ms
from tallyroom.queries.workspace_windows import Windows
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.queue import Spool

MOST_AT_ONCE = 3

_DRAIN_SECONDS = 10.0
_RETRY_AFTER = 30


class Exports:
    """Writes exports while their clients read.

    Together, they use one connection of the event store, one slice at a time, so that the other connections remain
    free for questions. No export has more than two slices in memory, no matter how slowly its client reads.

    Args:
        reader: the event store.
        windows: finds the window of a named time range.
        spool: knows which events were acknowledged.
        drain: knows which of them are in the store.
        peers: the other workers, whose events are in the export, too.
    """

    def __init__(
        self, reader: EventReader, windows: Windows, spool: Spool, drain: Drain, peers: Peers | None = None
    ) -> None:
        self._peers = peers or NoPeers()
        self._reader = reader
        self._windows = windows
        self._spool = spool
        self._drain = drain
        self._turn = asyncio.Lock()
        self._under_way: Counter[str] = Counter()

    async def open(self, scope: Scope, format_: Format, time_range: FixedRange) -> AsyncIterator[bytes]:
        """Return the pieces of the file. The first one is ready when this returns; a later error cuts the file off.

        The file has the events acknowledged before this call, and none that arrive later. Events that are erased or
        expire during the export may be in it or not.

        Raises:
            RateLimited: the workspace already has as many exports running as it may.
            Unavailable: events are waiting for the store, or the store does not respond.
        """
        if self._under_way[scope.workspace_id] >= MOST_AT_ONCE:
            raise RateLimited(
                f"{MOST_AT_ONCE} exports of this workspace are already running. Wait until one of them ends.",
                _RETRY_AFTER,
            )
        pieces = self._pieces(scope, format_, time_range)
        return _resumed(await anext(pieces), pieces)

    async def time_range_of(self, range_name: RangeName, scope: Scope, now_ms: int) -> FixedRange:
        """Return the times of a named time range.

        Raises:
            Unavailable: the event store does not respond.
        """
        window = await self._windows.find(range_name, scope, now_ms)
        return FixedRange(window.from_ms, window.until_ms + 1)

    async def notices(self, scope: Scope, time_range: FixedRange, *, looks: bool) -> list[str]:
        """Return the codes of what there is to say about an export.

        Args:
            scope: whose events.
            time_range: of which time.
            looks: whether to look for events, too.

        Raises:
            Unavailable: the event store does not respond.
        """
        codes = ["incomplete_data"] if self._reader.damages.notices(time_range.from_ms, time_range.to_ms - 1) else []
        if looks and time_range.from_ms > FIRST_MS:
            newest_ms = await newest_event_ms(self._reader, scope)
            if newest_ms is not None and newest_ms < time_range.from_ms:
                codes.append("older_only")
        return codes

    async def _pieces(self, scope: Scope, format_: Format, time_range: FixedRange) -> AsyncGenerator[bytes, None]:
        self._under_way[scope.workspace_id] += 1
        try:
            queries = ExportQueries(self._reader, self._turn, scope, await self._cut())
            file = await new_file(format_, queries)
            head = file.head()
            async for after, last in slices(queries, time_range):
                failpoints.hit("export.slice")
                yield head + file.add(await queries.written(after, last, FORMS[format_].writing))
                head = b""
            yield head + file.tail()
        finally:
            self._under_way[scope.workspace_id] -= 1

    async def _cut(self) -> Cut:
        """Return the end of the acknowledged events, once all of them are in the store."""
        last_seq = self._spool.last_seq
        if not await self._drain.caught_up(_DRAIN_SECONDS):
            raise Unavailable(
                "Some events have not reached the event store yet, and the export would miss them. Try again."
            )
        return Cut(self._spool.identity, last_seq, await self._peers.reached(_DRAIN_SECONDS))


async def _resumed(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    async with aclosing(rest):
        yield first
        async for piece in rest:
            yield piece
