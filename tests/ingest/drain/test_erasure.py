"""Erasing waits for what was acknowledged, and takes store and dead letters together."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.stores.event_store import EventStore, event, fresh_scope
from tallyroom.core.errors import Unavailable
from tallyroom.ingest.drain.erasure import Erasure
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.spool.dead_letters import DeadLetter, add_dead_letter
from tallyroom.storage.spool.queue import Spool

pytestmark = pytest.mark.usefixtures("emptied_store")


class Drain:
    caught = True

    async def wait_settled(self, _: float) -> bool:
        return self.caught


class BrokenWriter:
    def removing_events(self) -> None:
        raise StoreError("Code: 252. secret text")


@pytest.fixture
def spool(tmp_path: Path) -> Iterator[Spool]:
    spool = Spool(tmp_path / "spool.sqlite", os.urandom)
    yield spool
    spool.close()


async def test_events_and_dead_letters_are_counted_together(event_store: EventStore, spool: Spool) -> None:
    scope = fresh_scope()
    event_store.insert([event(scope, actor="ann"), event(scope, actor="ann"), event(scope, actor="bob")])
    letter = DeadLetter("t", scope.workspace_id, scope.environment, "ann", "why", 1, b"x")
    spool.change(lambda connection: add_dead_letter(connection, letter)).result()
    erasure = Erasure(spool, Drain(), event_store.writer)  # type: ignore[arg-type] # all that it asks of them
    assert await erasure.erase_actor(scope, "ann") == 3
    assert await erasure.erase_actor(scope, "ann") == 0
    assert event_store.count(scope) == 1


async def test_an_environment_goes_with_its_dead_letters(event_store: EventStore, spool: Spool) -> None:
    scope = fresh_scope("staging")
    event_store.insert([event(scope, actor="ann"), event(scope)])
    letter = DeadLetter("t", scope.workspace_id, scope.environment, "bob", "why", 1, b"x")
    spool.change(lambda connection: add_dead_letter(connection, letter)).result()
    erasure = Erasure(spool, Drain(), event_store.writer)  # type: ignore[arg-type] # all that it asks of them
    assert await erasure.erase_environment(scope) == 3
    assert await erasure.erase_environment(scope) == 0
    assert event_store.count(scope) == 0


async def test_it_is_answered_when_all_workers_know(event_store: EventStore, spool: Spool) -> None:
    scope, told = fresh_scope(), list[int]()
    event_store.insert([event(scope, actor="ann")])

    async def tell() -> None:
        told.append(event_store.count(scope))

    erasure = Erasure(spool, Drain(), event_store.writer, tell)  # type: ignore[arg-type] # all that it asks of them
    assert await erasure.erase_actor(scope, "ann") == 1
    assert told == [0]


async def test_nothing_is_erased_while_events_wait(event_store: EventStore, spool: Spool) -> None:
    scope, drain = fresh_scope(), Drain()
    event_store.insert([event(scope, actor="ann")])
    drain.caught = False
    with pytest.raises(Unavailable):
        await Erasure(spool, drain, event_store.writer).erase_actor(scope, "ann")  # type: ignore[arg-type] # all that it asks of them
    assert event_store.count(scope) == 1


async def test_a_failing_store_is_a_503_without_its_words(spool: Spool) -> None:
    with pytest.raises(Unavailable) as refused:
        await Erasure(spool, Drain(), BrokenWriter()).erase_actor(fresh_scope(), "ann")  # type: ignore[arg-type] # all that it asks of them
    assert "secret" not in refused.value.message
