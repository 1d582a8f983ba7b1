"""Adds, fills and drops property columns, at quiet times, one step after the other (rules/questions#property-columns).

Every step can be repeated, and what is left to do follows from the store, so a job that died is continued by the next.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable
from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.operations.property_columns import repository
from tallyroom.storage.event_store.column_fill import Wait, fill_month
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.property_columns.catalog import ColumnState, PropertyColumnCatalog
from tallyroom.storage.event_store.property_columns.changes import (
    add_column,
    count_distinct_values,
    drop_column,
    retire_column,
)
from tallyroom.storage.event_store.property_columns.column import PropertyColumn
from tallyroom.storage.event_store.property_columns.reads import PropertyReads
from tallyroom.storage.event_store.property_columns.slots import PropertyRead
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.connection import Database

UNUSED_MS: Final = 60 * DAY_MS
"""How long after the last question a column is dropped."""
RETIREMENT_MS: Final = 10 * MINUTE_MS
"""How long before it is dropped workers stop reading a column; they look more often than that."""
MAX_ADDED_PER_RUN: Final = 4
REPLACEMENT_FACTOR: Final = 2
"""How many times the bytes of the least read column a property must have to replace it, when no more may be added."""

ByteCounts = Mapping[PropertyRead, float]
"""How many bytes questions have read of each property, older ones counted less; the most first."""

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
        volume_by_read = self._reads.take()
        if volume_by_read and self._max_columns:
            async with self._database.session(write=True) as db:
                await repository.add_reads(db, volume_by_read)
        await self._look()

    async def run(self, _due_ms: int, *, wait: Wait) -> None:
        """Do what is to be done now, if the server has time; raises `StoreError` or `Unavailable`.

        `wait` ends the wait for a fill when the server stops.
        """
        state = await self._look()
        if not self._may_look or not self._is_quiet():
            return
        now_ms = self._clock.now_ms()
        async with self._database.session(write=True) as db:
            await repository.rewind_reads(db, now_ms)
            await repository.forget_old_reads(db, now_ms - UNUSED_MS)
            uses = await repository.list_uses(db, now_ms, [column.key for column in state.columns])
        byte_counts = {use.property_read: use.byte_count for use in uses}
        await self._remove_columns(state.columns, byte_counts)
        await self._add_columns((await self._look()).columns, byte_counts)
        await self._fill_months(await self._look(), wait)

    async def _look(self) -> ColumnState:
        try:
            state = await asyncio.to_thread(self._catalog.refresh, self._writer)
        except StoreError as error:
            if error.is_forbidden:
                self._note_forbidden(error)
                return ColumnState()
            raise Unavailable(f"The property columns could not be read: {str(error)[:500]}") from error
        self._may_look = True
        if not self._max_columns:
            self._catalog.forget()
        return state

    def _note_forbidden(self, error: StoreError) -> None:
        if self._may_look:
            reason = str(error)[:500]
            _log.warning("the event store's user lacks the right to see property columns", extra={"reason": reason})
        self._may_look = False

    async def _remove_columns(self, columns: Sequence[PropertyColumn], byte_counts: ByteCounts) -> None:
        """Retire columns that no question reads or that are too many, and drop those that were retired long enough."""
        remaining_columns = _rank_by_bytes(columns, byte_counts)[: self._max_columns]
        now_ms = self._clock.now_ms()
        for column in columns:
            if column.retired_ms is None:
                if column not in remaining_columns:
                    await self._retire(column)
            elif column.retired_ms > now_ms:  # the clock was set back
                await self._retire(column)
            elif column.retired_ms <= now_ms - RETIREMENT_MS:
                await asyncio.to_thread(drop_column, self._writer, column)
                _log.info("a property column is dropped", extra={"key": column.key, "map": column.map})

    async def _retire(self, column: PropertyColumn) -> None:
        await asyncio.to_thread(retire_column, self._writer, column, self._clock.now_ms())
        _log.info("a property column is retired", extra={"key": column.key, "map": column.map})

    async def _add_columns(self, columns: Sequence[PropertyColumn], byte_counts: ByteCounts) -> None:
        """Add columns for the properties that questions read most, or make room for one."""
        existing_reads = {column.property_read for column in columns}
        free_count = min(max(self._max_columns - len(columns), 0), MAX_ADDED_PER_RUN)
        replaceable_column = None if free_count else _find_replaceable(columns, byte_counts)
        for property_read, byte_count in byte_counts.items():
            if byte_count < self._min_bytes:
                return
            if property_read in existing_reads:
                continue
            if free_count <= 0 and (
                replaceable_column is None
                or byte_count < REPLACEMENT_FACTOR * byte_counts[replaceable_column.property_read]
            ):
                return
            distinct_count = await asyncio.to_thread(
                count_distinct_values, self._writer.backend, property_read, self._clock.now_ms()
            )
            if not distinct_count:  # questions look for a property in all maps
                async with self._database.session(write=True) as db:
                    await repository.forget_reads(db, [property_read])
            elif free_count > 0:
                await self._add(PropertyColumn.of(property_read), distinct_count)
                free_count -= 1
            elif replaceable_column is not None:
                await self._retire(replaceable_column)
                return

    async def _add(self, column: PropertyColumn, distinct_count: int) -> None:
        await asyncio.to_thread(add_column, self._writer, column, distinct_count)
        _log.info("a property column is added", extra={"key": column.key, "map": column.map})

    async def _fill_months(self, state: ColumnState, wait: Wait) -> None:
        """Fill the newest months first, because questions read them most."""
        columns = [column for column in state.columns if column.retired_ms is None]
        months = {month for column in columns for month in state.find_unfilled_months(column)}
        for month in sorted(months, reverse=True):
            if not self._is_quiet():
                return
            names = [column.name for column in columns if month in state.find_unfilled_months(column)]
            if not await asyncio.to_thread(fill_month, self._writer.command, names, month, wait):
                return
            await self._look()


def _rank_by_bytes(columns: Sequence[PropertyColumn], byte_counts: ByteCounts) -> list[PropertyColumn]:
    """Return the columns that questions read, those with the most bytes first."""
    read_columns = [column for column in columns if column.retired_ms is None and column.property_read in byte_counts]
    return sorted(read_columns, key=lambda column: -byte_counts[column.property_read])


def _find_replaceable(columns: Sequence[PropertyColumn], byte_counts: ByteCounts) -> PropertyColumn | None:
    """Return the least read column, or None if another is about to make room."""
    ranked_columns = _rank_by_bytes(columns, byte_counts)
    return ranked_columns[-1] if ranked_columns and len(ranked_columns) == len(columns) else None
