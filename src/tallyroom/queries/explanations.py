"""Says what may be wrong with a question whose answer is empty, or that names what was never seen.

See rules/questions#notices.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from datetime import datetime
from itertools import islice
from typing import Final, Literal

import msgspec
from cachetools import LRUCache
from msgspec import UNSET

from tallyroom.core.errors import Unavailable
from tallyroom.core.notices import Notice
from tallyroom.core.suggestions import nearest
from tallyroom.core.times import iso_ms
from tallyroom.queries.bound_values import Bound
from tallyroom.queries.compared_numbers import CountedMeasure, of_events
from tallyroom.queries.config import Config, Result
from tallyroom.queries.emptiness import is_empty
from tallyroom.queries.event_times import newest_event_ms
from tallyroom.queries.keys import Property
from tallyroom.queries.kinds.retention import Retention
from tallyroom.queries.measures import needs_number
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.question_names import asked_names, measures_in
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

EXPLAINING_SECONDS = 2.0
"""How long an answer waits at most for what explains it."""

MAX_UNKNOWN = 5
"""Notices of one code in an answer."""

_MAX_REMEMBERED = 100_000

_NAMES = "SELECT DISTINCT name FROM events WHERE {scope} LIMIT 500"

# In the order of the table's days, so that the store reads no more than it needs.
_KEYS = """
SELECT DISTINCT arrayJoin(arrayConcat(mapKeys(strings), mapKeys(numbers), mapKeys(texts), mapKeys(lists))) AS name
FROM (
  SELECT strings, numbers, texts, lists
  FROM events
  WHERE {scope}
  ORDER BY toDate(timestamp) DESC
  LIMIT 10000)
LIMIT 500"""


class _Name(msgspec.Struct):
    name: str


class _Seen(msgspec.Struct):
    is_seen: bool


class _Numbers(msgspec.Struct):
    event_count: int
    with_numbers: int


class Explanations:
    """Finds the notices that explain an answer.

    What was seen once is remembered, so that usual questions cost no further query.

    Args:
        reader: reads the event store.
    """

    def __init__(self, reader: EventReader) -> None:
        self._reader = reader
        self._seen: LRUCache[tuple[Scope, str, str], bool] = LRUCache(_MAX_REMEMBERED)

    async def find(self, config: Config, question: Question, scope: Scope, result: Result) -> list[Notice]:
        """Return the notices about a question and its answer; an empty list if there is nothing to say.

        Raises:
            Unavailable: the event store does not respond.
        """
        begin_ms = _begin_of(result, question)
        return await self.explain(config, question, scope, empty=is_empty(result), begin_ms=begin_ms)

    async def explain(
        self, subject: msgspec.Struct, question: Question, scope: Scope, *, empty: bool, begin_ms: int
    ) -> list[Notice]:
        """Return the notices about what is asked, and why an answer is empty that shows the time from `begin_ms` on."""
        names = asked_names(subject, question.filters)
        events = [name async for name in self._unseen(scope, "event", names.events)]
        properties = [key async for key in self._unseen(scope, "property", names.properties)]
        notices = await self._unknown(scope, events, properties)
        if not empty:
            return notices
        seen_events = [name for name in names.events if name not in events]
        notices += [notice async for notice in self._older(scope, seen_events, begin_ms, is_all=not names.events)]
        notices += [notice async for notice in self._no_numbers(subject, question, scope, properties)]
        return notices

    async def _unseen(self, scope: Scope, kind: str, names: list[str]) -> AsyncIterator[str]:
        """Yield the names that no event of the environment has."""
        unknown = 0
        for name in names:
            if (scope, kind, name) in self._seen:
                continue
            bound = Bound()
            placeholder = bound.text("name", name)
            condition = f"name = {placeholder}" if kind == "event" else Property(placeholder).present
            sql = f"SELECT true AS is_seen\nFROM events\n{scoped_where(condition)}\nLIMIT 1"
            if await self._reader.rows(sql, scope, bound.values, _Seen):
                self._seen[scope, kind, name] = True
                continue
            yield name
            unknown += 1
            if unknown == MAX_UNKNOWN:
                return

    async def _unknown(self, scope: Scope, events: list[str], properties: list[str]) -> list[Notice]:
        names = [row.name for row in await self._reader.rows(_NAMES, scope, {}, _Name)] if events else []
        keys = [row.name for row in await self._reader.rows(_KEYS.strip(), scope, {}, _Name)] if properties else []
        return [
            *(_never_seen("event", name, scope, names) for name in events),
            *(_never_seen("property", key, scope, keys) for key in properties),
        ]

    async def _older(self, scope: Scope, names: list[str], begin_ms: int, *, is_all: bool) -> AsyncIterator[Notice]:
        """Yield a notice for each name whose newest event happened before the time that the answer shows."""
        for name in [None] if is_all else names[:MAX_UNKNOWN]:
            newest_ms = await newest_event_ms(self._reader, scope, name)
            if newest_ms is not None and newest_ms < begin_ms:
                event = "event" if name is None else f'event "{name}"'
                yield Notice("older_only", f"The newest {event} is from {iso_ms(newest_ms)}, before this span.")

    async def _no_numbers(
        self, subject: msgspec.Struct, question: Question, scope: Scope, unknown: list[str]
    ) -> AsyncIterator[Notice]:
        """Yield a notice for each measured property that none of the events has as a number."""
        metrics = {metric.property: metric for metric in measures_in(subject) if needs_number(metric.measure)}
        for key, metric in islice(metrics.items(), MAX_UNKNOWN):
            if key is None or key in unknown:
                continue
            numbers = await self._count_numbers(metric, key, question, scope)
            if numbers.event_count and not numbers.with_numbers:
                events = "The only event" if numbers.event_count == 1 else f"None of the {numbers.event_count:,} events"
                verb = "has no" if numbers.event_count == 1 else "has a"
                yield Notice("no_numbers", f'{events} of this span {verb} number in the property "{key}".')

    async def _count_numbers(self, metric: CountedMeasure, key: str, question: Question, scope: Scope) -> _Numbers:
        bound = Bound()
        source = Property(bound.text("key", key))
        where = scoped_where(*of_events(metric, question, bound), question.window.condition(bound))
        sql = (
            f"SELECT count() AS event_count, countIf({source.held_by('numbers')}) AS with_numbers\nFROM events\n{where}"
        )
        [numbers] = await self._reader.rows(sql, scope, bound.values, _Numbers)
        return numbers


def _begin_of(result: Result, question: Question) -> int:
    """Return where what an answer shows begins; retention has a grid of its own, whatever the time range."""
    if isinstance(result, Retention):
        return round(datetime.fromisoformat(result.cohorts[0].start).timestamp() * 1000)
    return question.window.from_ms


async def in_time(explanation: Awaitable[list[Notice]]) -> list[Notice]:
    """Return what explains an answer; nothing if finding that out would cost too much, as the answer is right."""
    try:
        async with asyncio.timeout(EXPLAINING_SECONDS):
            return await explanation
    except (Unavailable, TimeoutError):
        return []


def _never_seen(kind: Literal["event", "property"], name: str, scope: Scope, candidates: list[str]) -> Notice:
    suggestion = nearest(name, candidates)
    hint = "." if suggestion is None else f"; did you mean {suggestion}?"
    message = f'The {kind} "{name}" was never seen in {scope.environment}{hint}'
    code: Final = "unknown_event" if kind == "event" else "unknown_property"
    return Notice(code, message, name, UNSET if suggestion is None else suggestion)
