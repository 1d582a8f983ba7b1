"""Finds likely mistakes in questions with empty answers or unseen names (rules/questions#notices)."""

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
from tallyroom.queries.config import Config, Result
from tallyroom.queries.counted_measure import CountedMeasure, metric_conditions
from tallyroom.queries.event_times import find_newest_event_ms
from tallyroom.queries.keys import Property
from tallyroom.queries.kind import QuestionKind
from tallyroom.queries.measures import needs_number
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.query_plan import scoped_where
from tallyroom.queries.question import Question
from tallyroom.queries.question_names import find_measures, find_question_names
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

MAX_EXPLAINING_SECONDS = 2.0
MAX_NOTICES_PER_CODE = 5
_MAX_SEEN_NAMES = 100_000

_SELECT_CANDIDATE_NAMES = "SELECT DISTINCT name FROM events WHERE {scope} LIMIT 500"

# In the order of the table's days, so that the store reads as little as possible.
_SELECT_CANDIDATE_KEYS = """
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
    """Finds the notices that explain an answer; caches seen names, so that usual questions cost no further query."""

    def __init__(self, reader: EventReader) -> None:
        self._reader = reader
        self._seen_names: LRUCache[tuple[Scope, str, str], bool] = LRUCache(_MAX_SEEN_NAMES)

    async def explain_answer(
        self, kind: QuestionKind[Any], config: Config, question: Question, scope: Scope, result: Result
    ) -> list[Notice]:
        """Return the notices about a question and its answer; raise `Unavailable` if the store does not respond."""
        shown_from_ms = kind.find_shown_from_ms(result, question)
        return await self.explain_config(
            config, question, scope, is_empty=kind.is_empty(result), shown_from_ms=shown_from_ms
        )

    async def explain_config(
        self, config: msgspec.Struct, question: Question, scope: Scope, *, is_empty: bool, shown_from_ms: int
    ) -> list[Notice]:
        """Return the notices about a config, and about an empty answer that begins at `shown_from_ms`."""
        names = find_question_names(config, question.filters)
        unseen_event_names = [name async for name in self._find_unseen_names(scope, "event", names.event_names)]
        unseen_property_keys = [key async for key in self._find_unseen_names(scope, "property", names.property_keys)]
        notices = await self._build_unknown_notices(scope, unseen_event_names, unseen_property_keys)
        if not is_empty:
            return notices
        seen_event_names = [name for name in names.event_names if name not in unseen_event_names]
        notices += [
            notice
            async for notice in self._find_older_notices(
                scope, seen_event_names, shown_from_ms, is_about_all_events=not names.event_names
            )
        ]
        notices += [
            notice async for notice in self._find_numberless_notices(config, question, scope, unseen_property_keys)
        ]
        return notices

    async def _find_unseen_names(self, scope: Scope, kind: str, names: list[str]) -> AsyncIterator[str]:
        unseen_count = 0
        for name in names:
            if (scope, kind, name) in self._seen_names:
                continue
            parameters = QueryParameters()
            placeholder = parameters.bind_text("name", name)
            condition = f"name = {placeholder}" if kind == "event" else Property(placeholder).present_sql
            sql = f"SELECT true AS is_seen\nFROM events\n{scoped_where(condition)}\nLIMIT 1"
            if await self._reader.fetch_rows(sql, scope, parameters.values, _SeenRow):
                self._seen_names[scope, kind, name] = True
                continue
            yield name
            unseen_count += 1
            if unseen_count == MAX_NOTICES_PER_CODE:
                return

    async def _build_unknown_notices(
        self, scope: Scope, unseen_event_names: list[str], unseen_property_keys: list[str]
    ) -> list[Notice]:
        names = await self._fetch_candidates(_SELECT_CANDIDATE_NAMES, scope) if unseen_event_names else []
        keys = await self._fetch_candidates(_SELECT_CANDIDATE_KEYS, scope) if unseen_property_keys else []
        return [
            *(_build_never_seen_notice("event", name, scope, names) for name in unseen_event_names),
            *(_build_never_seen_notice("property", key, scope, keys) for key in unseen_property_keys),
        ]

    async def _fetch_candidates(self, sql: str, scope: Scope) -> list[str]:
        return [row.name for row in await self._reader.fetch_rows(sql.strip(), scope, {}, _NameRow)]

    async def _find_older_notices(
        self, scope: Scope, event_names: list[str], shown_from_ms: int, *, is_about_all_events: bool
    ) -> AsyncIterator[Notice]:
        for name in [None] if is_about_all_events else event_names[:MAX_NOTICES_PER_CODE]:
            newest_ms = await find_newest_event_ms(self._reader, scope, name)
            if newest_ms is not None and newest_ms < shown_from_ms:
                event_words = "event" if name is None else f'event "{name}"'
                message = f"The newest {event_words} is from {iso_ms(newest_ms)}, before this time range."
                yield Notice("older_only", message)

    async def _find_numberless_notices(
        self, config: msgspec.Struct, question: Question, scope: Scope, unseen_property_keys: list[str]
    ) -> AsyncIterator[Notice]:
        metric_by_key = {metric.property: metric for metric in find_measures(config) if needs_number(metric.measure)}
        for property_key, metric in islice(metric_by_key.items(), MAX_NOTICES_PER_CODE):
            if property_key is None or property_key in unseen_property_keys:
                continue
            counts_row = await self._count_events_with_number(metric, property_key, question, scope)
            if counts_row.event_count and not counts_row.with_numbers:
                message = (
                    "The only event in this time range has no number"
                    if counts_row.event_count == 1
                    else f"None of the {counts_row.event_count:,} events in this time range has a number"
                )
                yield Notice("no_numbers", f'{message} in the property "{property_key}".')

    async def _count_events_with_number(
        self, metric: CountedMeasure, property_key: str, question: Question, scope: Scope
    ) -> _NumberCountRow:
        parameters = QueryParameters()
        is_number_sql = Property(parameters.bind_text("key", property_key)).in_map_sql("numbers")
        where_sql = scoped_where(
            *metric_conditions(metric, question, parameters), question.window.condition(parameters)
        )
        sql = f"SELECT count() AS event_count, countIf({is_number_sql}) AS with_numbers\nFROM events\n{where_sql}"
        [row] = await self._reader.fetch_rows(sql, scope, parameters.values, _NumberCountRow)
        return row


async def explain_within_limit(pending_notices: Awaitable[list[Notice]]) -> list[Notice]:
    """Return the explanation of an answer; none if it would take too long, because the answer is correct without it."""
    try:
        async with asyncio.timeout(MAX_EXPLAINING_SECONDS):
            return await pending_notices
    except (Unavailable, TimeoutError):
        return []


def _build_never_seen_notice(
    kind: Literal["event", "property"], name: str, scope: Scope, candidates: list[str]
) -> Notice:
    suggestion = find_nearest(name, candidates)
    hint = "." if suggestion is None else f"; did you mean {suggestion}?"
    message = f'The {kind} "{name}" has never been seen in {scope.environment}{hint}'
    code: Final = "unknown_event" if kind == "event" else "unknown_property"
    return Notice(code, message, name, UNSET if suggestion is None else suggestion)
