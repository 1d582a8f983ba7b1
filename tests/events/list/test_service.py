"""An event that may be on its way to the store is not denied (rules/questions#fresh-answers)."""

from typing import Any, cast

import pytest

from conftest import FakeClock
from harness.servers.small_app import founder
from harness.stores.event_store import EventStore, event, stay_behind
from harness.stores.questions import rolling_windows
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.errors import NotFound
from tallyroom.events.list.service import Events
from tallyroom.storage.event_store.errors import StoreBehind
from tallyroom.storage.event_store.event_id import EventPosition, id_of
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database

__all__ = ["founder"]


async def test_an_event_that_may_be_on_its_way_is_not_missing(
    event_store: EventStore,
    database: Database,
    founder: MemberPrincipal,
    fake_clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scope = Scope(founder.workspace_id, "production")
    row = event(scope)
    event_store.insert([row])
    position = EventPosition(row.timestamp_ms, row.spool, row.seq)
    known_id, other_id = (id_of(place) for place in (position, position._replace(seq=row.seq + 1_000_000)))
    no_removals = cast("Any", None)
    events = Events(event_store.reader, event_store.hidden, no_removals, rolling_windows(event_store), fake_clock)
    with pytest.raises(NotFound):
        await events.find_event(founder, database, other_id)
    monkeypatch.setattr(event_store.reader, "wait_caught_up", stay_behind)
    assert await events.find_event(founder, database, known_id) == (scope, position)
    with pytest.raises(StoreBehind):
        await events.find_event(founder, database, other_id)
    with pytest.raises(NotFound):
        await events.find_event(founder, database, "no id")
