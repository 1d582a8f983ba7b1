"""How many dashboards there may be, and how their slugs are made (rules/boards#limits-of-boards, rules/boards#slug)."""

import base64
from typing import Any

import pytest
from sqlalchemy import insert

from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.errors import Conflict
from tallyroom.core.ids import IdGenerator
from tallyroom.dashboards.dashboards.schemas import DashboardIn
from tallyroom.dashboards.dashboards.service import MAX_DASHBOARDS, create_dashboard, delete_dashboard, list_dashboards
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Dashboard


async def fill(database: Database, workspace_id: str, count: int) -> None:
    row: dict[str, Any] = {"workspace_id": workspace_id, "name": "d", "environment": "production", "time_range": "7d"}
    row |= {"is_public": False, "created_at_ms": 0, "updated_at_ms": 0}
    async with database.session(write=True) as db:
        await db.execute(insert(Dashboard), [row | {"id": f"{number:03}"} for number in range(count)])


async def test_a_workspace_has_room_for_500(database: Database, founder: MemberPrincipal, fake_clock: Any) -> None:
    id_generator = IdGenerator(fake_clock)
    await fill(database, founder.workspace_id, MAX_DASHBOARDS - 1)
    async with database.session(write=True) as db:
        last = await create_dashboard(db, founder, DashboardIn(name="last"), fake_clock, id_generator)
        with pytest.raises(Conflict, match="500 dashboards"):
            await create_dashboard(db, founder, DashboardIn(name="one more"), fake_clock, id_generator)
        assert len(await list_dashboards(db, founder)) == 500
        await delete_dashboard(db, founder, last.id, fake_clock, id_generator)
        await create_dashboard(db, founder, DashboardIn(name="in its place"), fake_clock, id_generator)


async def test_a_slug_is_128_random_bits(database: Database, founder: MemberPrincipal, fake_clock: Any) -> None:
    def drawn(count: int) -> bytes:
        return bytes(range(240, 256)) if count == 16 else b"\0" * count

    async with database.session(write=True) as db:
        body = DashboardIn(name="d", is_public=True)
        made = await create_dashboard(db, founder, body, fake_clock, IdGenerator(fake_clock, drawn))
    assert made.slug is not None
    assert base64.urlsafe_b64decode(f"{made.slug}==") == drawn(16)
