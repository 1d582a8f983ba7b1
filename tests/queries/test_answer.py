"""An answer stands even where nobody can say why it is empty."""

import asyncio
from typing import Any, cast

import pytest
from msgspec import UNSET

from harness.stores.event_store import NOW_MS, EventStore, fresh_scope, stay_behind
from harness.stores.questions import Happened, checked, insert
from tallyroom.core.errors import Unavailable
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.queries import explanations
from tallyroom.queries.answer import QuestionEngine, WidgetQuestion
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.explanations import Explainer
from tallyroom.queries.external import ExternalReader
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Workspace

CONFIG = {"event": "nothing", "measure": "count"}
WEEK_MS = 7 * 86_400_000


@pytest.fixture
async def asked(event_store: EventStore, database: Database, fake_clock: Any) -> Any:
    """An engine, and the scope of a workspace with one event."""
    scope = fresh_scope()
    insert(event_store, scope, [Happened("e", NOW_MS - 5)])
    async with database.session(write=True) as db:
        db.add(Workspace(id=scope.workspace_id, name="Acme", plan="paid", timezone="UTC", created_at_ms=0))
    windows = WindowResolver(event_store.reader, database)
    return QuestionEngine(event_store.reader, database, windows, fake_clock, cast("ExternalReader", None)), scope


def about(scope: Scope, **more: Any) -> WidgetQuestion:
    return WidgetQuestion(scope=scope, time_range="7d", kind=METRIC, config=checked(METRIC, CONFIG), **more)


async def test_an_empty_answer_says_why(asked: tuple[QuestionEngine, Scope]) -> None:
    engine, scope = asked
    result: Any = await engine.answer(about(scope))
    assert [each.code for each in result.notices] == ["unknown_event"]


async def test_only_who_may_know(asked: tuple[QuestionEngine, Scope]) -> None:
    engine, scope = asked
    result: Any = await engine.answer(about(scope, may_explain=False))
    assert (result.value, bool(result.notices)) == (0, False)


async def test_an_answer_stands_without_an_explanation(
    asked: tuple[QuestionEngine, Scope], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def too_costly(*_arguments: Any) -> Any:
        raise Unavailable("It takes too long.")

    monkeypatch.setattr(Explainer, "explain_answer", too_costly)
    engine, scope = asked
    result: Any = await engine.answer(about(scope))
    assert (result.value, bool(result.notices)) == (0, False)


async def test_an_answer_does_not_wait_long_for_an_explanation(
    asked: tuple[QuestionEngine, Scope], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def for_ever(*_arguments: Any) -> Any:
        await asyncio.Event().wait()

    monkeypatch.setattr(Explainer, "explain_answer", for_ever)
    monkeypatch.setattr(explanations, "MAX_EXPLAINING_SECONDS", 0.01)
    engine, scope = asked
    result: Any = await engine.answer(about(scope))
    assert (result.value, bool(result.notices)) == (0, False)


async def test_an_answer_that_may_miss_events_says_only_that(
    asked: tuple[QuestionEngine, Scope], event_store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_store.reader, "wait_caught_up", stay_behind)
    engine, scope = asked
    result: Any = await engine.answer(about(scope))
    assert [each.code for each in result.notices] == ["not_up_to_date"]


async def test_who_is_behind_a_number_is_a_question_about_its_own_window(
    asked: tuple[QuestionEngine, Scope], event_store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows: list[tuple[int, int]] = []

    def notices(from_ms: int, until_ms: int, **_fresh: bool) -> Any:
        windows.append((from_ms, until_ms))
        return UNSET

    monkeypatch.setattr(event_store.reader, "notices", notices)
    engine, scope = asked
    await engine.answer(about(scope))  # compares with the week before
    await engine.drill_down(about(scope), DataPoint())
    assert windows == [(NOW_MS - 2 * WEEK_MS, NOW_MS), (NOW_MS - WEEK_MS, NOW_MS)]
