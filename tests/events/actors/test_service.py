"""What the store does not have yet is not denied (rules/questions#fresh-answers)."""

from typing import Any

import pytest

from harness.stores.event_store import EventStore, event, fresh_scope, stay_behind
from harness.stores.questions import rolling_windows
from tallyroom.core.errors import NotFound
from tallyroom.core.notices import NOT_UP_TO_DATE
from tallyroom.events.actors.service import Actors
from tallyroom.storage.event_store.errors import StoreBehind


async def test_an_actor_whose_events_may_be_on_their_way_is_not_missing(
    event_store: EventStore, fake_clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, actor="ann")])
    actors = Actors(event_store.reader, rolling_windows(event_store), fake_clock)
    with pytest.raises(NotFound):
        await actors.find_actor(scope, "7d", "ben")
    monkeypatch.setattr(event_store.reader, "wait_caught_up", stay_behind)
    assert (await actors.find_actor(scope, "7d", "ann")).notices == [NOT_UP_TO_DATE]
    with pytest.raises(StoreBehind):
        await actors.find_actor(scope, "7d", "ben")
