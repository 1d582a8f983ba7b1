"""Who is behind a number as a file: piece by piece, and whole (rules/questions#who-is-behind-a-number)."""

from typing import cast

import pytest
from msgspec import UNSET

from harness.oracles.export_files import read_csv
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, checked, insert, question
from tallyroom.core.notices import NOT_UP_TO_DATE, Notices
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.dashboards.widgets import answers
from tallyroom.dashboards.widgets.answers import DrillDownRequest, answer_drill_down
from tallyroom.queries.answer import QuestionEngine, WidgetQuestion, run_query_plan
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.drill_down import UnitList
from tallyroom.rest.streamed import FileResponse
from tallyroom.storage.event_store.scope import Scope

CONFIG = {"event": "x", "measure": "count"}
TIME = "2026-11-20T12:00:00.000Z"


class Crowd:
    """Answers in place of an engine, for one scope."""

    def __init__(self, store: EventStore, scope: Scope, notices: Notices) -> None:
        self.store, self.scope, self.notices = store, scope, notices

    async def drill_down(self, _asked: WidgetQuestion, data_point: DataPoint) -> UnitList:
        """The list of all."""
        assert METRIC.find_evidence_query
        plan = METRIC.find_evidence_query(checked(METRIC, CONFIG), question(), data_point)
        evidence = await run_query_plan(plan, self.store.reader, self.scope)
        return UnitList(self.store.reader, self.scope, evidence, NOW_MS, self.notices)


async def sent(store: EventStore, actors: int, notices: Notices = UNSET) -> tuple[dict[str, str], list[bytes]]:
    """Headers and pieces of the file about so many actors."""
    scope = fresh_scope()
    insert(store, scope, [Happened("x", actor=f"u{number}", label=f"U{number}") for number in range(actors)])
    asked = WidgetQuestion(scope=scope, time_range="7d", kind=METRIC, config=checked(METRIC, CONFIG))
    engine = cast("QuestionEngine", Crowd(store, scope, notices))
    response = await answer_drill_down(engine, asked, DrillDownRequest(DataPoint(), None, None, wants_csv=True))
    assert isinstance(response, FileResponse)
    headers = {name: str(value) for name, value in response.headers.items()}
    return headers, [piece async for piece in response.pieces if piece]


@pytest.mark.parametrize(("actors", "pieces"), [(0, 1), (1, 1), (2, 1), (3, 2), (5, 3)])
async def test_a_piece_at_a_time(
    event_store: EventStore, monkeypatch: pytest.MonkeyPatch, actors: int, pieces: int
) -> None:
    monkeypatch.setattr(answers, "ROWS_PER_PIECE", 2)
    _, chunks = await sent(event_store, actors)
    assert len(chunks) == pieces
    header, *rows = read_csv(b"".join(chunks))
    assert header[0] == "actorKey"
    assert rows == [[f"u{number}", f"U{number}", "1", TIME, TIME] for number in range(actors)]


async def test_a_notice_is_a_header(event_store: EventStore) -> None:
    headers, _ = await sent(event_store, 1, [NOT_UP_TO_DATE])
    assert headers["tallyroom-notice"] == "not_up_to_date"
    assert "tallyroom-notice" not in (await sent(event_store, 1))[0]
