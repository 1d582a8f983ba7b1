"""Answers a question: looks up its settings, runs its query plan, and adds the time."""

import asyncio
from typing import Any

import msgspec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.notices import Notice, notices_or_unset
from tallyroom.core.ranges import TimeRange
from tallyroom.core.times import iso_ms
from tallyroom.queries import repository
from tallyroom.queries.config import Config, Result
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.differences.differences import DifferenceRequest, Differences, query_differences
from tallyroom.queries.differences.measured_point import MeasuredPoint
from tallyroom.queries.differences.usual_band import UsualBand, find_usual_band, list_earlier_windows
from tallyroom.queries.differences.usual_values import query_values
from tallyroom.queries.drill_down import UnitList
from tallyroom.queries.event_times import find_first_event_ms
from tallyroom.queries.explanations import Explainer, explain_within_limit
from tallyroom.queries.external import ExternalReader
from tallyroom.queries.filters import Filter
from tallyroom.queries.kept_answers.kept_answers import KeptAnswers
from tallyroom.queries.kind import QuestionKind
from tallyroom.queries.query_plan import Answer, FetchRequest, QueryPlan
from tallyroom.queries.question import ChosenInterval, Comparison, Question
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database


class WidgetQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question from a widget, a preview or a public page; `asked_ms` None means now.

    `filters` apply in addition to the config's own. Other values that are not None override the config's.
    """

    scope: Scope
    time_range: TimeRange
    kind: QuestionKind[Any]
    config: Config
    filters: tuple[Filter, ...] = ()
    interval: ChosenInterval | None = None
    comparison: Comparison | None = None
    folds_series: bool = False
    asked_ms: int | None = None
    may_explain: bool = True
    timezone: str | None = None


class QuestionEngine:
    """Answers the questions of widgets."""

    def __init__(
        self,
        reader: EventReader,
        database: Database,
        window_resolver: WindowResolver,
        clock: Clock,
        external_reader: ExternalReader,
        kept_answers: KeptAnswers | None = None,
    ) -> None:
        self._reader = reader
        self._database = database
        self._window_resolver = window_resolver
        self._clock = clock
        self._external_reader = external_reader
        self._kept_answers = kept_answers
        self._explainer = Explainer(reader)

    async def answer(self, widget_question: WidgetQuestion) -> Result:
        """Return the answer, with the time it refers to and a notice if it may miss events.

        Raises `ValidationFailed` for an unknown segment, and `Unavailable` if the store does not answer within its
        limits.
        """
        is_fresh = await self._reader.catch_up(scope=widget_question.scope)
        now_ms = self._clock.now_ms() if widget_question.asked_ms is None else widget_question.asked_ms
        question = await self._build_question(widget_question, now_ms)
        kind, config, scope = widget_question.kind, widget_question.config, widget_question.scope
        query_plan = kind.build_query_plan(config, question)
        result: Result = await run_query_plan(
            query_plan, self._reader, scope, self._external_reader, self._kept_answers
        )
        result.computed_at = iso_ms(now_ms)
        if covered_window := kind.find_covered_window(config, question):
            store_notices = self._reader.notices(covered_window.from_ms, covered_window.until_ms, is_fresh=is_fresh)
            explanations: list[Notice] = []
            if is_fresh and widget_question.may_explain:
                pending_notices = self._explainer.explain_answer(kind, config, question, scope, result)
                explanations = await explain_within_limit(pending_notices)
            result.notices = notices_or_unset([*(store_notices or ()), *explanations])
        return result

    async def drill_down(self, widget_question: WidgetQuestion, data_point: DataPoint) -> UnitList:
        """Return the actors or groups whose events made one number of the answer.

        Raises as `answer` does, and `ValidationFailed` if there is no such number.
        """
        find_evidence_query = widget_question.kind.find_evidence_query
        if find_evidence_query is None:
            reason = f"is not valid with {widget_question.kind.name}, which cannot list the actors behind a number"
            raise ValidationFailed.at(["at"], reason)
        is_fresh = await self._reader.catch_up(scope=widget_question.scope)
        now_ms = self._clock.now_ms() if widget_question.asked_ms is None else widget_question.asked_ms
        question = msgspec.structs.replace(await self._build_question(widget_question, now_ms), comparison=False)
        evidence_query = await run_query_plan(
            find_evidence_query(widget_question.config, question, data_point), self._reader, widget_question.scope
        )
        covered_window = widget_question.kind.find_covered_window(widget_question.config, question) or question.window
        store_notices = self._reader.notices(covered_window.from_ms, covered_window.until_ms, is_fresh=is_fresh)
        return UnitList(self._reader, widget_question.scope, evidence_query, now_ms, store_notices)

    async def find_differences(
        self, widget_question: WidgetQuestion, difference_request: DifferenceRequest
    ) -> Differences:
        """Return what is different about the events behind one number of the answer.

        Raises as `answer` does, and `ValidationFailed` if there is no such number, or nothing to compare it with.
        """
        kind, scope = widget_question.kind, widget_question.scope
        if kind.find_contrast is None:
            reason = f"is not valid with {kind.name}, whose answer has no parts to compare with all of it"
            raise ValidationFailed.at(["at"], reason)
        data_point, by, limit = difference_request
        is_fresh = await self._reader.catch_up(scope=scope)
        now_ms = self._clock.now_ms() if widget_question.asked_ms is None else widget_question.asked_ms
        question = msgspec.structs.replace(await self._build_question(widget_question, now_ms), comparison=False)
        contrast = await run_query_plan(
            kind.find_contrast(widget_question.config, question, data_point), self._reader, scope
        )
        differences = await run_query_plan(query_differences(contrast, by, limit), self._reader, scope)
        differences.usual = await self._find_usual_band(contrast.measured_point, question, scope)
        covered_window = kind.find_covered_window(widget_question.config, question) or question.window
        differences.notices = self._reader.notices(covered_window.from_ms, covered_window.until_ms, is_fresh=is_fresh)
        return differences

    async def _find_usual_band(
        self, measured_point: MeasuredPoint | None, question: Question, scope: Scope
    ) -> UsualBand | None:
        if measured_point is None or measured_point.past_window is None:
            return None
        first_event_ms = await find_first_event_ms(self._reader, scope)
        windows = list_earlier_windows(measured_point.past_window, question.timezone, first_event_ms)
        values = await run_query_plan(query_values(measured_point, windows, question), self._reader, scope)
        return find_usual_band(values, is_count=measured_point.is_count)

    async def _build_question(self, widget_question: WidgetQuestion, now_ms: int) -> Question:
        workspace_timezone, group_key = await repository.find_workspace_defaults(
            self._database, widget_question.scope.workspace_id
        )
        segment_filters = await self._find_segment_filters(widget_question)
        timezone = widget_question.timezone or workspace_timezone
        return Question(
            window=await self._window_resolver.resolve(
                widget_question.time_range, widget_question.scope, now_ms, timezone
            ),
            now_ms=now_ms,
            time_range=widget_question.time_range,
            timezone=timezone,
            has_fixed_timezone=widget_question.timezone is not None,
            group_key=group_key,
            filters=(*segment_filters, *widget_question.filters),
            interval=widget_question.interval,
            comparison=widget_question.comparison,
            folds_series=widget_question.folds_series,
        )

    async def _find_segment_filters(self, widget_question: WidgetQuestion) -> tuple[Filter, ...]:
        segment_id = getattr(widget_question.config, "segment_id", None)
        if segment_id is None:
            return ()
        segment_filters = await repository.look_up_segment_filters(self._database, widget_question.scope, segment_id)
        if segment_filters is None:
            raise ValidationFailed.at(["config", "segmentId"], "is not a segment of this environment")
        return segment_filters


async def run_query_plan(
    query_plan: QueryPlan[Answer],
    reader: EventReader,
    scope: Scope,
    external_reader: ExternalReader | None = None,
    kept_answers: KeptAnswers | None = None,
) -> Answer:
    """Run a query plan, with other tasks in between; raise `Unavailable`. Only fetches need `external_reader`.

    With `kept_answers`, a query that was answered before costs only what has changed since then.
    """
    question_rows = None if kept_answers is None else kept_answers.begin_question(scope)
    try:
        step = next(query_plan)
        while True:
            if step is None:
                await asyncio.sleep(0)
                step = next(query_plan)
            elif isinstance(step, FetchRequest):
                if external_reader is None:
                    raise TypeError("a query plan with a fetch needs an ExternalReader")
                step = query_plan.send(await external_reader.fetch(step, scope.workspace_id))
            elif question_rows is not None:
                step = query_plan.send(await question_rows.fetch(step))
            else:
                step = query_plan.send(
                    await reader.fetch_rows(step.sql, scope, step.parameters, step.row_type, step.span)
                )
    except StopIteration as stop:
        answer: Answer = stop.value
        return answer
