"""A window follows from the time, from the first event, and from the zone of the workspace."""

import pytest

from harness.builders.moments import ms
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, insert
from tallyroom.core.ranges import FixedRange
from tallyroom.queries.window import Window
from tallyroom.queries.workspace_windows import WindowResolver
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import Workspace

HOUR_MS = 3_600_000


@pytest.fixture
async def scope(event_store: EventStore, database: Database) -> Scope:
    """The scope of a workspace in Kathmandu whose first event is of long ago."""
    scope = fresh_scope()
    insert(event_store, scope, [Happened("e", NOW_MS - 5), Happened("e", ms("2020-02-03T04:05"))])
    async with database.session(write=True) as db:
        db.add(Workspace(id=scope.workspace_id, name="Acme", plan="paid", timezone="Asia/Kathmandu", created_at_ms=0))
    return scope


async def test_windows(event_store: EventStore, database: Database, scope: Scope) -> None:
    windows = WindowResolver(event_store.reader, database)
    assert await windows.resolve("1h", scope, NOW_MS) == Window(NOW_MS - HOUR_MS, NOW_MS)
    assert await windows.resolve(FixedRange(5, 8), scope, NOW_MS) == Window(5, 7)
    assert await windows.resolve("today", scope, NOW_MS) == Window(ms("2026-11-19T18:15"), NOW_MS)
    assert await windows.resolve("yesterday", scope, NOW_MS) == Window(
        ms("2026-11-18T18:15"), ms("2026-11-19T18:15") - 1
    )
    assert await windows.resolve("all", scope, NOW_MS) == Window(ms("2020-02-03T04:05"), NOW_MS)
    assert await windows.resolve("all", fresh_scope(), NOW_MS) == Window(NOW_MS, NOW_MS)
