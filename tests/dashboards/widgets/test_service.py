"""How many widgets a dashboard may have (rules/boards#limits-of-boards)."""

from typing import Any

import pytest
from sqlalchemy import insert

from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.errors import Conflict
from tallyroom.core.ids import IdGenerator
from tallyroom.dashboards.dashboards.schemas import DashboardIn
from tallyroom.dashboards.dashboards.service import create_dashboard, get_dashboard
from tallyroom.dashboards.widgets.schemas import MAX_WIDGETS, WidgetIn
from tallyroom.dashboards.widgets.service import add_widget, delete_widget
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Widget

NOTE = WidgetIn(type="note", config={"text": "x"})


async def test_a_dashboard_has_room_for_100(database: Database, founder: MemberPrincipal, fake_clock: Any) -> None:
    id_generator = IdGenerator(fake_clock)
    async with database.session(write=True) as db:
        board = await create_dashboard(db, founder, DashboardIn(name="d"), fake_clock, id_generator)
        row = {"dashboard_id": board.id, "title": "", "type": "note", "config": '{"text":"x"}', "width": 6, "height": 4}
        row |= {"created_at_ms": 0, "updated_at_ms": 0}
        rows = [row | {"id": f"{number:03}", "position": number} for number in range(MAX_WIDGETS - 1)]
        await db.execute(insert(Widget), rows)
        last = await add_widget(db, founder, board.id, NOTE, fake_clock, id_generator)
        assert last.position == 99
        with pytest.raises(Conflict, match="100 widgets"):
            await add_widget(db, founder, board.id, NOTE, fake_clock, id_generator)
        assert len((await get_dashboard(db, founder, board.id)).widgets) == 100
        await delete_widget(db, founder, "000", fake_clock, id_generator)
        assert (await add_widget(db, founder, board.id, NOTE, fake_clock, id_generator)).position == 99
