"""Fetches the rows of a question's queries, and keeps them for later questions (rules/questions#answers-seen-again).

Rows are kept under the revision that their days had before they were read. An event that arrives in between only makes
them useless: no later question finds that revision again.
"""

from collections.abc import Callable, Hashable
from typing import TypeVar

import msgspec

from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.core.times import DAY_MS
from tallyroom.queries.cells import SlicedRows
from tallyroom.queries.kept_answers.cache import RowCache
from tallyroom.queries.kept_answers.kept_rows import KeepingContext
from tallyroom.queries.kept_answers.kept_states import fetch_state_counts
from tallyroom.queries.kept_answers.revisions import DayRevisions, Days, RevisionReader
from tallyroom.queries.kept_answers.sliced_rows import fetch_sliced_rows
from tallyroom.queries.kept_answers.unit_totals import fetch_unit_totals
from tallyroom.queries.kept_answers.whole_rows import fetch_whole_rows
from tallyroom.queries.kept_answers.window_numbers import fetch_window_numbers
from tallyroom.queries.query_plan import Query
from tallyroom.queries.state_queries import StateCounts
from tallyroom.queries.unit_queries import UnitTotals
from tallyroom.queries.window import Window
from tallyroom.queries.window_queries import WindowNumbers
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

Row = TypeVar("Row", bound=msgspec.Struct)

_MIN_SPAN_MS = DAY_MS  # the rows of a shorter query cost about as much as their revision
_MAX_DAY_COUNT = 366 * 100


class KeptAnswers:
    """The rows that this process keeps for all questions."""

    def __init__(self, reader: EventReader, max_bytes: int, read_version: Callable[[], Hashable]) -> None:
        self.cache = RowCache(max_bytes)
        self._reader = reader
        self._revision_reader = RevisionReader(reader, read_version)

    def begin_question(self, scope: Scope) -> "QuestionRows":
        """Return the rows for one question, which sees the events of the scope as they are from now on."""
        return QuestionRows(self._reader, self.cache, self._revision_reader, scope)


class QuestionRows:
    """Fetches rows for the queries of one question, which share the revisions of the days that they read."""

    def __init__(self, reader: EventReader, cache: RowCache, revision_reader: RevisionReader, scope: Scope) -> None:
        self._reader = reader
        self._cache = cache
        self._revision_reader = revision_reader
        self._scope = scope
        self._revisions: DayRevisions | None = None

    async def fetch(self, query: Query[Row]) -> list[Row] | SlicedRows | WindowNumbers | UnitTotals | StateCounts:
        """Return the rows of a query, kept or new; raises the errors of `EventReader.fetch_rows`."""
        revisions = await self._find_revisions(query)
        if revisions is None:
            return await self._reader.fetch_rows(query.sql, self._scope, query.parameters, query.row_type, query.span)
        context = KeepingContext(self._reader, self._cache, self._scope, revisions)
        # Numbers are distinguished in parts of the time as they are in all of it (number_texts.py).
        query = query.bind(self._reader.bind_number_flag(query.sql, query.span))
        if query.sliced_query is not None:
            sliced_rows = await fetch_sliced_rows(context, query.sliced_query)
            if sliced_rows is not None:
                return sliced_rows
        if query.window_query is not None:
            window_numbers = await fetch_window_numbers(context, query.window_query)
            if window_numbers is not None:
                return window_numbers
        if query.unit_query is not None:
            unit_totals = await fetch_unit_totals(context, query.unit_query)
            if unit_totals is not None:
                return unit_totals
        if query.state_query is not None:
            state_counts = await fetch_state_counts(context, query.state_query)
            if state_counts is not None:
                return state_counts
        return await fetch_whole_rows(context, query)

    async def _find_revisions(self, query: Query[Row]) -> DayRevisions | None:
        """Return the revisions of the days that a query reads; None if its rows are not worth keeping."""
        if not self._cache.is_on or query.span is None or query.span[1] - query.span[0] < _MIN_SPAN_MS:
            return None
        days = Days.of_window(Window(*query.span))
        if days.last - days.first > _MAX_DAY_COUNT:
            return None
        if self._revisions is None or not self._revisions.days.contains(days):
            try:
                self._revisions = await self._revision_reader.read(self._scope, days)
            except (RateLimited, Unavailable):  # the query itself may still be answered
                return None
        return self._revisions if self._revisions.stored_count else None  # nothing, or parts that cannot be seen
