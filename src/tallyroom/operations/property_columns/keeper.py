"""Adds, fills and drops property columns, at quiet times, one step after the other (rules/questions#property-columns).

Every step can be repeated, and what is left to do follows from the store, so a job that died is continued by the next.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable
from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.operations.property_columns import repository
from tallyroom.operations.property_columns.repository import PropertyUse
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.property_columns.catalog import ColumnState, PropertyColumnCatalog
from tallyroom.storage.event_store.property_columns.changes import add_column, drop_column, fill_month, retire_column
from tallyroom.storage.event_store.property_columns.column import PropertyColumn
from tallyroom.storage.event_store.property_columns.reads import PropertyReads
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.connection import Database

UNUSED_MS: Final = 60 * DAY_MS
"""How long after the last question a column is dropped."""
RETIREMENT_MS: Final = 10 * MINUTE_MS
"""How long before it is dropped workers stop reading a column; they look more often than that."""
MAX_ADDED_PER_RUN: Final = 4

_log = logging.getLogger(__name__)


class PropertyColumnKeeper:
    """Keeps at most `max_columns` columns; a property gets one when questions have read `min_bytes` of it.

    `is_quiet` returns whether the server has time for it now.
    """

    def __init__(  # noqa: PLR0913 # limits, and what it works on
        self,
        writer: Writer,
        catalog: PropertyColumnCatalog,
        reads: PropertyReads,
        database: Database,
        clock: Clock,
        is_quiet: Callable[[], bool],
        *,
        max_columns: int,
        min_bytes: int,
    ) -> None:
        self._writer = writer
        self._catalog = catalog
        self._reads = reads
        self._database = database
        self._clock = clock
        self._is_quiet = is_quiet
        self._max_columns = max_columns
        self._min_bytes = min_bytes
        self._may_look = True

    @property
    def column_count(self) -> int:
        """How many property columns the store had at the last look."""
        return len(self._catalog.state.columns)

    async def refresh(self) -> None:
        """Report what this worker's questions have read, and look at the columns.

        Raises `Unavailable`; what was read is then forgotten.
        """
        if volume_by_read := self._reads.take():
            async with self._database.session(write=True) as db:
                await repository.add_reads(db, volume_by_read)
        await self._look()

    async def run(self, _due_ms: int) -> None:
        """Do what is to be done now, if the server has time; raises `StoreError` or `Unavailable`."""
        state = await self._look()
        if not self._may_look or not self._is_quiet():
            return
        now_ms = self._clock.now_ms()
        async with self._database.session(write=True) as db:
            await repository.forget_old_reads(db, now_ms - UNUSED_MS)
            uses = await repository.list_uses(db, now_ms)
        await self._remove_columns(state.columns, uses, now_ms)
        await self._add_columns(state.columns, uses)
        await self._fill_months(await self._look())

    async def _look(self) -> ColumnState:
        try:
            return await asyncio.to_thread(self._catalog.refresh, self._writer)
        except StoreError as error:
            if error.is_forbidden:
                self._note_forbidden(error)
                return ColumnState()
            raise Unavailable(f"The property columns could not be read: {str(error)[:500]}") from error

    def _note_forbidden(self, error: StoreError) -> None:
        if self._may_look:
            _log.warning("the user of the event store may not see property columns", extra={"reason": str(error)[:500]})
        self._may_look = False

    async def _remove_columns(
        self, columns: Sequence[PropertyColumn], uses: Sequence[PropertyUse], now_ms: int
    ) -> None:
        """Retire columns that no question reads or that are too many, and drop those that were retired long enough."""
        used_reads = [use.property_read for use in uses]
        ranked_columns = sorted(
            (column for column in columns if column.retired_ms is None and column.property_read in used_reads),
            key=lambda column: used_reads.index(column.property_read),
        )
        remaining_columns = ranked_columns[: self._max_columns]
        for column in columns:
            if column.retired_ms is None and column not in remaining_columns:
                await asyncio.to_thread(retire_column, self._writer, column, now_ms)
                _log.info("a property column is retired", extra={"key": column.key, "map": column.map})
            elif column.retired_ms is not None and column.retired_ms <= now_ms - RETIREMENT_MS:
                await asyncio.to_thread(drop_column, self._writer, column)
                _log.info("a property column is dropped", extra={"key": column.key, "map": column.map})

    async def _add_columns(self, columns: Sequence[PropertyColumn], uses: Sequence[PropertyUse]) -> None:
        existing_reads = {column.property_read for column in columns}
        free_count = min(self._max_columns - len(existing_reads), MAX_ADDED_PER_RUN)
        for use in uses:
            if free_count <= 0 or use.byte_count < self._min_bytes:
                return
            if use.property_read in existing_reads:
                continue
            column = PropertyColumn.of(use.property_read)
            if await asyncio.to_thread(add_column, self._writer, column):
                free_count -= 1
                _log.info("a property column is added", extra={"key": column.key, "map": column.map})
            else:  # questions look for a property in all maps
                async with self._database.session(write=True) as db:
                    await repository.forget_reads(db, [use.property_read])

    async def _fill_months(self, state: ColumnState) -> None:
        """Fill the newest months first, because questions read them most."""
        months = {month for column in state.columns for month in state.find_unfilled_months(column)}
        for month in sorted(months, reverse=True):
            if not self._is_quiet():
                return
            columns = [column for column in state.columns if month in state.find_unfilled_months(column)]
            await asyncio.to_thread(fill_month, self._writer, columns, month)
            await self._look()
