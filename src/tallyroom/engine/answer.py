"""Answers a question: looks up the settings behind it, carries its query plan out, and adds the time."""

from typing import Any

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import TimeRange
from tallyroom.core.times import iso_ms
from tallyroom.db.connection import Database
from tallyroom.engine import repository
from tallyroom.engine.config import Config, Result
from tallyroom.engine.external import ExternalReader
from tallyroom.engine.kind import Kind
from tallyroom.engine.query_plan import A, Fetch, QueryPlan
from tallyroom.engine.question import Question
from tallyroom.engine.window import Window
from tallyroom.store.read import EventReader
from tallyroom.store.scope import Scope


class WidgetQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question as a widget, a preview or a public page asks it; its window ends now, or at `until_ms`."""

    scope: Scope
    time_range: TimeRange
    kind: Kind[Any]
    config: Config
    until_ms: int | None = None


class Engine:
    """Answers the questions of widgets.

    Args:
        reader: reads the event store.
        database: has the workspace settings, group keys and segments.
        clock: gives the end of the rolling window.
        external: fetches the values of External widgets.
    """

    def __init__(self, reader: EventReader, database: Database, clock: Clock, external: ExternalReader) -> None:
        self._reader = reader
        self._database = database
        self._clock = clock
        self._external = external

    async def answer(self, widget_question: WidgetQuestion) -> Result:
        """Return the answer, with the time it refers to and a notice if it may miss events.

        Raises:
            ValidationFailed: the config names a segment that this environment does not have.
            Unavailable: the question exceeds its time or memory limit, or the store does not respond.
        """
        question = self._question(widget_question)
        fresh = await self._reader.fresh()
        query_plan = widget_question.kind.query_plan(widget_question.config, question)
        result: Result = await carry_out(query_plan, self._reader, widget_question.scope, self._external)
        result.computed_at = iso_ms(question.window.until_ms)
        since_ms = widget_question.kind.since(widget_question.config, question.window)
        if since_ms is not None:
            result.notices = self._reader.notices(since_ms, question.window.until_ms, fresh=fresh)
        return result

    def _question(self, widget_question: WidgetQuestion) -> Question:
        timezone, group_key = repository.find_circumstances(self._database, widget_question.scope.workspace_id)
        segment_id = getattr(widget_question.config, "segment_id", None)
        segment = (
            () if segment_id is None else repository.find_segment(self._database, widget_question.scope, segment_id)
        )
        if segment is None:
            raise ValidationFailed.at(["config", "segmentId"], "is not a segment of this environment")
        until_ms = self._clock.now_ms() if widget_question.until_ms is None else widget_question.until_ms
        window = Window(widget_question.time_range, until_ms)
        return Question(window=window, timezone=timezone, group_key=group_key, segment=segment)


async def carry_out(
    query_plan: QueryPlan[A], reader: EventReader, scope: Scope, external: ExternalReader | None = None
) -> A:
    """Take a query plan's steps one after another and return its answer.

    Args:
        query_plan: what to do.
        reader: runs its queries.
        scope: the events that they may see.
        external: fetches what it fetches; a plan that only asks the store needs none.

    Raises:
        Unavailable: a query exceeds its time or memory limit, or the store does not respond.
    """
    try:
        step = next(query_plan)
        while True:
            if not isinstance(step, Fetch):
                step = query_plan.send(await reader.rows(step.sql, scope, step.parameters, step.row_type))
            elif external is not None:
                step = query_plan.send(await external.fetch(step, scope.workspace_id))
            else:
                raise TypeError("a query plan with a fetch needs an ExternalReader")
    except StopIteration as end:
        answer: A = end.value
        return answer
