"""Whether the store has what workers of other hosts acknowledged (rules/questions#fresh-answers)."""

from tallyroom.core.errors import Unavailable
from tallyroom.core.peers import MAX_SEQ, Peers
from tallyroom.ingest.drain.awaited import build_awaited
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.lane import LaneMonth


async def wait_peers_caught_up(
    peers: Peers, timeout_seconds: float, from_ms: int | None = None, scope: Scope | None = None
) -> bool:
    """Wait until the store has all that other workers acknowledged before this call; False if that takes too long.

    `from_ms` and `scope` narrow down what is waited for, as in `EventReader.catch_up`. False also if the reports of
    other workers cannot be read. A worker that has ended does not count.
    """
    awaited = build_awaited(MAX_SEQ, from_ms, scope)
    try:
        await peers.wait_until_stored(timeout_seconds, lambda lane, month: awaited.includes(LaneMonth(lane, month)))
    except Unavailable:
        return False
    return True
