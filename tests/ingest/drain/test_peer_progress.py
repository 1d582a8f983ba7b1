"""Whether the store has what workers of other hosts acknowledged (rules/questions#fresh-answers)."""

from collections.abc import Mapping

from tallyroom.core.errors import Unavailable
from tallyroom.core.peers import Includes, NoPeers, include_all
from tallyroom.core.times import DAY_MS
from tallyroom.ingest.drain.peer_progress import wait_peers_caught_up
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.row import UNMAPPED_MONTH

NOV_3_2026_MS = 20_760 * DAY_MS
SCOPE = Scope("ws", "production")


class LatePeers(NoPeers):
    """Another worker whose events of one group need `seconds`."""

    def __init__(self, seconds: float, lane: str = "", month: int = 202611) -> None:
        self._seconds = seconds
        self._group = lane, month

    async def wait_until_stored(self, timeout_seconds: float, includes: Includes = include_all) -> Mapping[int, int]:
        """Return at once, or raise `Unavailable` if the events would be late."""
        if self._seconds > timeout_seconds and includes(*self._group):
            raise Unavailable("Events that other workers have accepted have not reached the event store yet.")
        return {7: 1}


async def test_others_count_until_the_time_is_over() -> None:
    assert await wait_peers_caught_up(LatePeers(3), 3)
    assert not await wait_peers_caught_up(LatePeers(3), 2)


async def test_a_worker_without_others_waits_for_none() -> None:
    assert await wait_peers_caught_up(NoPeers(), 0)


async def test_the_bulk_of_another_environment_is_not_waited_for() -> None:
    assert await wait_peers_caught_up(LatePeers(3, "ws/staging"), 2, scope=SCOPE)
    assert not await wait_peers_caught_up(LatePeers(3, "ws/production"), 2, scope=SCOPE)
    assert not await wait_peers_caught_up(LatePeers(3, "ws/staging"), 2)


async def test_earlier_months_than_the_read_s_are_not_waited_for() -> None:
    assert await wait_peers_caught_up(LatePeers(3, month=202610), 2, NOV_3_2026_MS)
    assert not await wait_peers_caught_up(LatePeers(3, month=202610), 2, NOV_3_2026_MS - 3 * DAY_MS)
    assert not await wait_peers_caught_up(LatePeers(3, month=UNMAPPED_MONTH), 2, NOV_3_2026_MS)
