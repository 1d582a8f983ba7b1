"""The other workers hear of each removal, of what came before a start, and of what failed."""

import pytest

from harness.stores.event_store import EventStore
from tallyroom.core.errors import Unavailable
from tallyroom.storage.event_store.removals import Removals


class Others:
    """Counts how often they were told; they may be away."""

    def __init__(self) -> None:
        self.told = 0
        self.away = False

    async def count(self) -> None:
        if self.away:
            raise Unavailable("The others are away.")
        self.told += 1


async def test_each_removal_is_told_once(event_store: EventStore) -> None:
    others = Others()
    removals = Removals(event_store.writer, int, others.count)
    for _ in range(2):
        await removals.announce()
    assert others.told == 1, "nobody knows what an earlier process of this worker did"
    with event_store.writer.removing_events():
        pass
    for _ in range(2):
        await removals.announce()
    assert others.told == 2


async def test_what_could_not_be_told_is_told_later(event_store: EventStore) -> None:
    others = Others()
    removals = Removals(event_store.writer, int, others.count)
    others.away = True
    with pytest.raises(Unavailable):
        await removals.announce()
    others.away = False
    await removals.announce()
    assert others.told == 1


async def test_the_numbers_move_with_removals_by_anybody(event_store: EventStore) -> None:
    by_others = 0
    removals = Removals(event_store.writer, lambda: by_others, Others().count)
    before = removals.local_version()
    assert removals.local_version() == before
    with event_store.writer.removing_events():
        pass
    own = removals.local_version()
    by_others = 1
    assert len({before, own, removals.local_version()}) == 3
