"""Exports: one state of the events, in order, either complete or visibly cut off (rules/events#export)."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from tallyroom.core import failpoints
from tallyroom.core.errors import RateLimited
from tallyroom.core.peers import NoPeers, Peers
from tallyroom.core.ranges import FIRST_MS, FixedRange, RangeName
from tallyroom.events.export.formats import EXPORT_FORMATS, create_file
from tallyroom.events.export.queries import ExportQueries
from tallyroom.events.export.schemas import ExportCut, Format
from tallyroom.events.export.slices import split_into_slices
from tallyroom.ingest.drain.drain import Drain
from tallyroom.queries.event_times import find_newest_event_ms
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.errors import StoreBehind
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.queue import Spool

MAX_CONCURRENT_EXPORTS = 3

_MAX_DRAIN_SECONDS = 10.0
_RETRY_AFTER_SECONDS = 30


class Exports:
    """Writes exports while their clients read.

    Together, they use one connection of the event store, one slice at a time, so that other connections remain free. No
    export has more than two slices in memory, no matter how slowly its client reads.
    """

    def __init__(
        self,
        reader: EventReader,
        window_resolver: WindowResolver,
        spool: Spool,
        drain: Drain,
        peers: Peers | None = None,
    ) -> None:
        self._peers = peers or NoPeers()
        self._reader = reader
        self._window_resolver = window_resolver
        self._spool = spool
        self._drain = drain
        self._query_lock = asyncio.Lock()
        self._running_count_by_workspace_id: Counter[str] = Counter()

    async def open_export(self, scope: Scope, format_: Format, time_range: FixedRange) -> AsyncIterator[bytes]:
        """Return the pieces of the file. The first one is ready when this returns; a later error cuts the file off.

        The file has the events acknowledged before this call; events that are erased meanwhile may be missing. Raises
        `RateLimited` after `MAX_CONCURRENT_EXPORTS`, and `Unavailable` if the store does not have all events or does
        not respond.
        """
        if self._running_count_by_workspace_id[scope.workspace_id] >= MAX_CONCURRENT_EXPORTS:
            raise RateLimited(
                f"{MAX_CONCURRENT_EXPORTS} exports of this workspace are already running. Wait until one finishes.",
                _RETRY_AFTER_SECONDS,
            )
        pieces = self._generate_pieces(scope, format_, time_range)
        return _prepend_piece(await anext(pieces), pieces)

    async def resolve_range_name(self, range_name: RangeName, scope: Scope, now_ms: int) -> FixedRange:
        """Return the times of a named time range; raise `Unavailable` if the event store does not respond."""
        window = await self._window_resolver.resolve(range_name, scope, now_ms)
        return FixedRange(window.from_ms, window.until_ms + 1)

    async def find_notice_codes(self, scope: Scope, time_range: FixedRange, *, must_check_age: bool) -> list[str]:
        """Return the codes of the notices; `must_check_age` queries events. Raises `Unavailable`."""
        notice_codes = (
            ["incomplete_data"] if self._reader.damages.notices(time_range.from_ms, time_range.to_ms - 1) else []
        )
        if must_check_age and time_range.from_ms > FIRST_MS:
            newest_ms = await find_newest_event_ms(self._reader, scope)
            if newest_ms is not None and newest_ms < time_range.from_ms:
                notice_codes.append("older_only")
        return notice_codes

    async def _generate_pieces(
        self, scope: Scope, format_: Format, time_range: FixedRange
    ) -> AsyncGenerator[bytes, None]:
        self._running_count_by_workspace_id[scope.workspace_id] += 1
        try:
            queries = ExportQueries(self._reader, self._query_lock, scope, await self._wait_for_cut(scope))
            export_file = await create_file(format_, queries)
            prefix = export_file.build_head()
            async for after_position, last_position in split_into_slices(queries, time_range):
                failpoints.hit("export.slice")
                yield prefix + export_file.encode_slice(
                    await queries.fetch_output(after_position, last_position, EXPORT_FORMATS[format_].output_format)
                )
                prefix = b""
            yield prefix + export_file.build_tail()
        finally:
            self._running_count_by_workspace_id[scope.workspace_id] -= 1

    async def _wait_for_cut(self, scope: Scope) -> ExportCut:
        last_seq = self._spool.last_seq
        if not await self._drain.wait_caught_up(_MAX_DRAIN_SECONDS, scope=scope):
            raise StoreBehind
        return ExportCut(self._spool.identity, last_seq, await self._peers.wait_until_stored(_MAX_DRAIN_SECONDS))


async def _prepend_piece(first_piece: bytes, remaining_pieces: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    async with aclosing(remaining_pieces):
        yield first_piece
        async for piece in remaining_pieces:
            yield piece
