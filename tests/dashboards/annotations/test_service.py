"""How many annotations there may be (rules/boards#limits-of-boards)."""

from typing import Any

import msgspec
import pytest
from sqlalchemy import insert

from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.errors import Conflict
from tallyroom.core.ids import IdGenerator
from tallyroom.dashboards.annotations.schemas import AnnotationIn
from tallyroom.dashboards.annotations.service import (
    MAX_ANNOTATIONS,
    delete_annotation,
    list_annotations,
    put_annotation,
)
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Annotation

BODY = AnnotationIn(environment="production", label="v1", time="2026-11-20T12:00:00Z")


async def test_a_workspace_has_room_for_10_000(database: Database, founder: MemberPrincipal, fake_clock: Any) -> None:
    id_generator = IdGenerator(fake_clock)
    row: dict[str, Any] = {
        "workspace_id": founder.workspace_id,
        "environment": "development",
        "label": "v",
        "color": "#000000",
    }
    row |= {"time_ms": 0, "created_at_ms": 0}
    async with database.session(write=True) as db:
        await db.execute(insert(Annotation), [row | {"id": f"{number:05}"} for number in range(MAX_ANNOTATIONS - 1)])
        last, _ = await put_annotation(db, founder, BODY, fake_clock, id_generator)
        with pytest.raises(Conflict, match="10000 annotations"):
            await put_annotation(db, founder, BODY, fake_clock, id_generator)
        with pytest.raises(Conflict, match="10000 annotations"):
            await put_annotation(db, founder, msgspec.structs.replace(BODY, key="new"), fake_clock, id_generator)
        assert len(await list_annotations(db, founder, "production", None, None)) == 1
        await delete_annotation(db, founder, last.id)
        await put_annotation(db, founder, BODY, fake_clock, id_generator)


async def test_a_full_workspace_still_updates(database: Database, founder: MemberPrincipal, fake_clock: Any) -> None:
    id_generator, keyed = IdGenerator(fake_clock), msgspec.structs.replace(BODY, key="deploy")
    row = {"workspace_id": founder.workspace_id, "environment": "production", "label": "v", "color": "#000000"}
    rows = [row | {"id": f"{at:05}", "time_ms": 0, "created_at_ms": 0} for at in range(MAX_ANNOTATIONS - 1)]
    async with database.session(write=True) as db:
        await db.execute(insert(Annotation), rows)
        first, is_new = await put_annotation(db, founder, keyed, fake_clock, id_generator)
        again, is_new_again = await put_annotation(db, founder, keyed, fake_clock, id_generator)
    assert (first, is_new, is_new_again) == (again, True, False)
