"""Says what may be wrong with a question whose answer is empty, or that names what was never seen.

See rules/questions#notices.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from itertools import islice
from typing import Any, Final, Literal

import msgspec
from cachetools import LRUCache
from msgspec import UNSET

from tallyroom.core.errors import Unavailable
from tallyroom.core.notices import Notice
from tallyroom.core.suggestions import find_nearest
from tallyroom.core.times import iso_ms
from tallyroom.queries.compared_numbers import CountedMeasure, metric_conditions
from tallyroom.queries.config import Config, Result
from tallyroom.queries.event_times import find_newest_event_ms
from tallyroom.queries.keys import Property
from tallyroom.queries.kind import QuestionKind
from tallyroom.queries.measures import needs_number
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.question_names import find_measures, names_in_question
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

EXPLAINING_SECONDS = 2.0
"""How long an answer waits at most for what explains it."""

MAX_UNKNOWN = 5
"""Notices of one code in an answer."""

_MAX_SEEN_NAMES = 100_000

_SELECT_NAMES = "SELECT DISTINCT name FROM events WHERE {scope} LIMIT 500"

# In the order of the table's days, so that the store reads no more than it needs.
_SELECT_KEYS = """
SELECT DISTINCT arrayJoin(arrayConcat(mapKeys(strings), mapKeys(numbers), mapKeys(texts), mapKeys(lists))) AS name
FROM (
  SELECT strings, numbers, texts, lists
  FROM events
  WHERE {scope}
  ORDER BY toDate(timestamp) DESC
  LIMIT 10000)
LIMIT 500"""


class _NameRow(msgspec.Struct):
    name: str


class _SeenRow(msgspec.Struct):
    is_seen: bool


class _NumberCountRow(msgspec.Struct):
    event_count: int
    with_numbers: int


class Explainer:
    """Finds the notices that explain an answer.

    What was seen once is remembered, so that usual questions cost no further query.

    Args:
        reader: reads the event store.
    """

    def __init__(self, reader: EventReader) -> None:
        self._reader = reader
        self._seen_names: LRUCache[tuple[Scope, str, str], bool] = LRUCache(_MAX_SEEN_NAMES)

    async def find(
        self, kind: QuestionKind[Any], config: Config, question: Question, scope: Scope, result: Result
    ) -> list[Notice]:
        """Return the notices about a question and its answer; an empty list if there is nothing to say.

        Raises:
            Unavailable: the event store does not respond.
        """
        shown_from_ms = kind.shown_from_ms(result, question)
        return await self.explain(config, question, scope, is_empty=kind.is_empty(result), shown_from_ms=shown_from_ms)

    async def explain(
        self, subject: msgspec.Struct, question: Question, scope: Scope, *, is_empty: bool, shown_from_ms: int
    ) -> list[Notice]:
        """Return the notices about what is asked, and why an answer is empty that begins at `shown_from_ms`."""
        names = names_in_question(subject, question.filters)
        unseen_events = [name async for name in self._find_unseen(scope, "event", names.events)]
        unseen_properties = [key async for key in self._find_unseen(scope, "property", names.properties)]
        notices = await self._build_unknown_notices(scope, unseen_events, unseen_properties)
        if not is_empty:
            return notices
        seen_events = [name for name in names.events if name not in unseen_events]
        notices += [
            notice async for notice in self._find_older(scope, seen_events, shown_from_ms, is_all=not names.events)
        ]
        notices += [notice async for notice in self._find_numberless(subject, question, scope, unseen_properties)]
        return notices

    async def _find_unseen(self, scope: Scope, kind: str, names: list[str]) -> AsyncIterator[str]:
        """Yield the names that no event of the environment has."""
        unseen_count = 0
        for name in names:
            if (scope, kind, name) in self._seen_names:
                continue
            parameters = QueryParameters()
            placeholder = parameters.text("name", name)
            condition = f"name = {placeholder}" if kind == "event" else Property(placeholder).present_sql
            sql = f"SELECT true AS is_seen\nFROM events\n{scoped_where(condition)}\nLIMIT 1"
            if await self._reader.fetch_rows(sql, scope, parameters.values, _SeenRow):
                self._seen_names[scope, kind, name] = True
                continue
            yield name
            unseen_count += 1
            if unseen_count == MAX_UNKNOWN:
                return

    async def _build_unknown_notices(
        self, scope: Scope, unseen_events: list[str], unseen_properties: list[str]
    ) -> list[Notice]:
        names = (
            [row.name for row in await self._reader.fetch_rows(_SELECT_NAMES, scope, {}, _NameRow)]
            if unseen_events
            else []
        )
        keys = (
            [row.name for row in await self._reader.fetch_rows(_SELECT_KEYS.strip(), scope, {}, _NameRow)]
            if unseen_properties
            else []
        )
        return [
            *(_build_never_seen_notice("event", name, scope, names) for name in unseen_events),
            *(_build_never_seen_notice("property", key, scope, keys) for key in unseen_properties),
        ]

    async def _find_older(
        self, scope: Scope, names: list[str], shown_from_ms: int, *, is_all: bool
    ) -> AsyncIterator[Notice]:
        """Yield a notice for each name whose newest event happened before the time that the answer shows."""
        for name in [None] if is_all else names[:MAX_UNKNOWN]:
            newest_ms = await find_newest_event_ms(self._reader, scope, name)
            if newest_ms is not None and newest_ms < shown_from_ms:
                event = "event" if name is None else f'event "{name}"'
                yield Notice("older_only", f"The newest {event} is from {iso_ms(newest_ms)}, before this span.")

    async def _find_numberless(
        self, subject: msgspec.Struct, question: Question, scope: Scope, unseen_properties: list[str]
    ) -> AsyncIterator[Notice]:
        """Yield a notice for each measured property that none of the events has as a number."""
        metrics = {metric.property: metric for metric in find_measures(subject) if needs_number(metric.measure)}
        for key, metric in islice(metrics.items(), MAX_UNKNOWN):
            if key is None or key in unseen_properties:
                continue
            row = await self._count_numbers(metric, key, question, scope)
            if row.event_count and not row.with_numbers:
                events = "The only event" if row.event_count == 1 else f"None of the {row.event_count:,} events"
                verb = "has no" if row.event_count == 1 else "has a"
                yield Notice("no_numbers", f'{events} of this span {verb} number in the property "{key}".')

    async def _count_numbers(
        self, metric: CountedMeasure, key: str, question: Question, scope: Scope
    ) -> _NumberCountRow:
        parameters = QueryParameters()
        source = Property(parameters.text("key", key))
        where = scoped_where(*metric_conditions(metric, question, parameters), question.window.condition(parameters))
        is_number = source.is_in_map("numbers")
        sql = f"SELECT count() AS event_count, countIf({is_number}) AS with_numbers\nFROM events\n{where}"
        [row] = await self._reader.fetch_rows(sql, scope, parameters.values, _NumberCountRow)
        return row


async def explain_within_limit(explanation: Awaitable[list[Notice]]) -> list[Notice]:
    """Return what explains an answer; nothing if finding that out would cost too much, as the answer is right."""
    try:
        async with asyncio.timeout(EXPLAINING_SECONDS):
            return await explanation
    except (Unavailable, TimeoutError):
        return []


def _build_never_seen_notice(
    kind: Literal["event", "property"], name: str, scope: Scope, candidates: list[str]
) -> Notice:
    suggestion = find_nearest(name, candidates)
    hint = "." if suggestion is None else f"; did you mean {suggestion}?"
    message = f'The {kind} "{name}" was never seen in {scope.environment}{hint}'
    code: Final = "unknown_event" if kind == "event" else "unknown_property"
    return Notice(code, message, name, UNSET if suggestion is None else suggestion)
