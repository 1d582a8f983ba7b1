"""How many digests there may be (rules/digests#limits)."""

from typing import Any

import pytest
from sqlalchemy import insert

from digests.conftest import Post
from tallyroom.core.errors import Conflict
from tallyroom.digests.service import MAX_DIGESTS, delete_digest, list_digests
from tallyroom.storage.metadata.models import Digest


async def test_a_workspace_has_room_for_100(post: Post) -> None:
    first = await post.make()
    row: dict[str, Any] = {
        "workspace_id": post.founder.workspace_id,
        "dashboard_id": first.dashboard_id,
        "cadence": "daily",
        "send_hour": 9,
        "timezone": "UTC",
        "enabled": True,
        "token_secret": "s",
        "created_at_ms": 0,
        "updated_at_ms": 0,
    }
    async with post.database.session(write=True) as db:
        await db.execute(insert(Digest), [row | {"id": f"{number:03}"} for number in range(MAX_DIGESTS - 2)])
    last = await post.make()
    with pytest.raises(Conflict, match="100 digests"):
        await post.make()
    async with post.database.session(write=True) as db:
        assert len(await list_digests(db, post.founder, None)) == 100
        await delete_digest(db, post.founder, last.id, post.clock, post.id_generator)
    await post.make()
