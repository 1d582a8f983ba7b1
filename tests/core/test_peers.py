"""Whether the store has what other workers acknowledged (rules/questions#fresh-answers)."""

from collections.abc import Mapping

from tallyroom.core.errors import Unavailable
from tallyroom.core.peers import NoPeers, have_peers_caught_up


class LatePeers(NoPeers):
    """Another worker whose events need `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def wait_until_stored(self, timeout_seconds: float) -> Mapping[int, int]:
        """Return at once, or raise `Unavailable` if the events would be late."""
        if self._seconds > timeout_seconds:
            raise Unavailable("Events that other workers have accepted have not reached the event store yet.")
        return {7: 1}


async def test_others_count_until_the_time_is_over() -> None:
    assert await have_peers_caught_up(LatePeers(3), 3)
    assert not await have_peers_caught_up(LatePeers(3), 2)


async def test_a_worker_without_others_waits_for_none() -> None:
    assert await have_peers_caught_up(NoPeers(), 0)
