"""Answers a question: looks up the settings behind it, carries its query plan out, and adds the time."""

import asyncio
from typing import Any

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.notices import Notice, notices
from tallyroom.core.ranges import TimeRange
from tallyroom.core.times import iso_ms
from tallyroom.queries import repository
from tallyroom.queries.config import Config, Result
from tallyroom.queries.data_point import Spot
from tallyroom.queries.drill_down import UnitList
from tallyroom.queries.explanations import Explanations, in_time
from tallyroom.queries.external import ExternalReader
from tallyroom.queries.filters import Filter
from tallyroom.queries.kind import Kind
from tallyroom.queries.query_plan import A, Fetch, QueryPlan
from tallyroom.queries.question import ChosenInterval, Comparison, Question
from tallyroom.queries.workspace_windows import Windows
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database


class WidgetQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question as a widget, a preview or a public page asks it.

    Attributes:
        scope: whose events.
        time_range: of which time.
        kind: of the widget.
        config: what to ask.
        filters: what the events have to match as well.
        interval: the length of time buckets; None leaves it to the config.
        compare: what to compare with; None leaves it to the config.
        until_ms: the time at which to ask; None for now.
        explains: whether whoever asks may read why an answer is empty.
        timezone: whose clock rules all of it, whatever the config says; None leaves it to the config and the workspace.
    """

    scope: Scope
    time_range: TimeRange
    kind: Kind[Any]
    config: Config
    filters: tuple[Filter, ...] = ()
    interval: ChosenInterval | None = None
    compare: Comparison | None = None
    until_ms: int | None = None
    explains: bool = True
    timezone: str | None = None


class Engine:
    """Answers the questions of widgets.

    Args:
        reader: reads the event store.
        database: has the workspace settings, group keys and segments.
        windows: finds the window that a time range means.
        clock: gives the time.
        external: fetches the values of External widgets.
    """

    def __init__(
        self, reader: EventReader, database: Database, windows: Windows, clock: Clock, external: ExternalReader
    ) -> None:
        self._reader = reader
        self._database = database
        self._windows = windows
        self._clock = clock
        self._external = external
        self._explanations = Explanations(reader)

    async def answer(self, widget_question: WidgetQuestion) -> Result:
        """Return the answer, with the time it refers to and a notice if it may miss events.

        Raises:
            ValidationFailed: the config names a segment that this environment does not have.
            Unavailable: the question exceeds its time or memory limit, or the store does not respond.
        """
        fresh = await self._reader.fresh()
        now_ms = self._clock.now_ms() if widget_question.until_ms is None else widget_question.until_ms
        question = await self._question(widget_question, now_ms)
        scope = widget_question.scope
        query_plan = widget_question.kind.query_plan(widget_question.config, question)
        result: Result = await carry_out(query_plan, self._reader, scope, self._external)
        result.computed_at = iso_ms(now_ms)
        if window := widget_question.kind.covers(widget_question.config, question):
            store_notices = self._reader.notices(window.from_ms, window.until_ms, fresh=fresh)
            explanations = await self._explained(widget_question, question, result) if fresh else []
            result.notices = notices([*(store_notices or ()), *explanations])
        return result

    async def _explained(self, widget_question: WidgetQuestion, question: Question, result: Result) -> list[Notice]:
        if not widget_question.explains:
            return []
        return await in_time(self._explanations.find(widget_question.config, question, widget_question.scope, result))

    async def behind(self, widget_question: WidgetQuestion, spot: Spot) -> UnitList:
        """Return the list of those whose events made one number of the answer.

        Raises:
            ValidationFailed: the kind counts no events, or its answer has no such number; and as `answer`.
            Unavailable: as `answer`.
        """
        find = widget_question.kind.behind
        if find is None:
            raise ValidationFailed.at(
                ["at"], f"is not valid with {widget_question.kind.name}: nobody is listed behind it"
            )
        fresh = await self._reader.fresh()
        now_ms = self._clock.now_ms() if widget_question.until_ms is None else widget_question.until_ms
        question = msgspec.structs.replace(await self._question(widget_question, now_ms), compare=False)
        evidence = await carry_out(find(widget_question.config, question, spot), self._reader, widget_question.scope)
        window = widget_question.kind.covers(widget_question.config, question) or question.window
        store_notices = self._reader.notices(window.from_ms, window.until_ms, fresh=fresh)
        return UnitList(self._reader, widget_question.scope, evidence, now_ms, store_notices)

    async def _question(self, widget_question: WidgetQuestion, now_ms: int) -> Question:
        timezone, group_key = await repository.find_circumstances(self._database, widget_question.scope.workspace_id)
        segment = await self._segment(widget_question)
        return Question(
            window=await self._windows.find(
                widget_question.time_range, widget_question.scope, now_ms, widget_question.timezone
            ),
            now_ms=now_ms,
            time_range=widget_question.time_range,
            timezone=widget_question.timezone or timezone,
            has_one_clock=widget_question.timezone is not None,
            group_key=group_key,
            filters=(*segment, *widget_question.filters),
            interval=widget_question.interval,
            compare=widget_question.compare,
        )

    async def _segment(self, widget_question: WidgetQuestion) -> tuple[Filter, ...]:
        segment_id = getattr(widget_question.config, "segment_id", None)
        if segment_id is None:
            return ()
        segment = await repository.find_segment(self._database, widget_question.scope, segment_id)
        if segment is None:
            raise ValidationFailed.at(["config", "segmentId"], "is not a segment of this environment")
        return segment


async def carry_out(
    query_plan: QueryPlan[A], reader: EventReader, scope: Scope, external: ExternalReader | None = None
) -> A:
    """Take a query plan's steps one after another, with other tasks between them, and return its answer.

    Args:
        query_plan: what to do.
        reader: runs its queries.
        scope: the events that they may see.
        external: fetches what it fetches; a query plan that only asks the store needs none.

    Raises:
        Unavailable: a query exceeds its time or memory limit, or the store does not respond.
    """
    try:
        step = next(query_plan)
        while True:
            if step is None:
                await asyncio.sleep(0)
                step = next(query_plan)
            elif not isinstance(step, Fetch):
                step = query_plan.send(await reader.rows(step.sql, scope, step.parameters, step.row_type))
            elif external is not None:
                step = query_plan.send(await external.fetch(step, scope.workspace_id))
            else:
                raise TypeError("a query plan with a fetch needs an ExternalReader")
    except StopIteration as end:
        answer: A = end.value
        return answer
