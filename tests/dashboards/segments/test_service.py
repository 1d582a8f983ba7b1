"""How many segments there may be, and how a segment in use is refused to go (rules/boards#limits-of-boards)."""

from typing import Any

import pytest
from sqlalchemy import insert

from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.errors import Conflict
from tallyroom.core.ids import IdGenerator
from tallyroom.dashboards.dashboards.schemas import DashboardIn
from tallyroom.dashboards.dashboards.service import create_dashboard
from tallyroom.dashboards.segments.schemas import SegmentIn
from tallyroom.dashboards.segments.service import MAX_SEGMENTS, create_segment, delete_segment, list_segments
from tallyroom.dashboards.widgets.schemas import WidgetIn
from tallyroom.dashboards.widgets.service import add_widget
from tallyroom.queries.filters import Filter
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Segment

BODY = SegmentIn(name="s", environment="production", filters=(Filter("a", "exists"),))


async def test_a_workspace_has_room_for_500(database: Database, founder: MemberPrincipal, fake_clock: Any) -> None:
    id_generator = IdGenerator(fake_clock)
    row: dict[str, Any] = {
        "workspace_id": founder.workspace_id,
        "environment": "development",
        "name": "s",
        "filters": "[]",
    }
    row |= {"created_at_ms": 0, "updated_at_ms": 0}
    async with database.session(write=True) as db:
        await db.execute(insert(Segment), [row | {"id": f"{number:03}"} for number in range(MAX_SEGMENTS - 1)])
        last = await create_segment(db, founder, BODY, fake_clock, id_generator)
        with pytest.raises(Conflict, match="500 segments"):
            await create_segment(db, founder, BODY, fake_clock, id_generator)
        assert len(await list_segments(db, founder, None)) == 500
        await delete_segment(db, founder, last.id)
        await create_segment(db, founder, BODY, fake_clock, id_generator)


async def test_who_uses_a_segment_is_named_five_times_at_most(
    database: Database, founder: MemberPrincipal, fake_clock: Any
) -> None:
    id_generator = IdGenerator(fake_clock)
    async with database.session(write=True) as db:
        segment = await create_segment(db, founder, BODY, fake_clock, id_generator)
        board = await create_dashboard(db, founder, DashboardIn(name="d"), fake_clock, id_generator)
        config = {"event": "x", "segmentId": segment.id}
        for title in "abcdefg":
            await add_widget(db, founder, board.id, WidgetIn("heatmap", config, title), fake_clock, id_generator)
        with pytest.raises(Conflict, match='"a", "b", "c", "d", "e" and 2 more'):
            await delete_segment(db, founder, segment.id)
