"""How far each spool is, as its worker reports when it renews its lease, and how a worker waits for all of them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from tallyroom.cluster.postgresql.look_ups import LookUpPool
from tallyroom.cluster.postgresql.server import ANSWER_SECONDS
from tallyroom.core.errors import Unavailable
from tallyroom.core.next_result import NextResult
from tallyroom.core.peers import MAX_SEQ, Includes, SpoolPosition, SpoolState, WaitingEvents, include_all

_POLL_SECONDS = 0.1

_REPORT_POSITION = """
UPDATE spools SET acknowledged = $2, stored = $3, numbers = $4, waiting = $5, seen_at = clock_timestamp()
WHERE identity = $1"""
_LIST_OTHER_SPOOLS = """
SELECT identity, acknowledged, stored, waiting, state = 'live' AND lease_until > clock_timestamp() AS has_worker,
    seen_at, clock_timestamp()
FROM spools LEFT JOIN workers ON spool = identity WHERE identity <> ?"""

_LIST_SPOOL_STATES = "SELECT identity, acknowledged, stored, greatest(epoch, begun), state = 'live' FROM spools"


class _Waiting(msgspec.Struct, frozen=True):
    """What a worker reports besides its position; a worker of an earlier version changes only the position."""

    acknowledged_seq: int
    events: Sequence[WaitingEvents]


_decode_waiting = msgspec.json.Decoder(_Waiting).decode


class _OtherSpool(NamedTuple):
    identity: int
    position: SpoolPosition
    has_worker: bool | None
    reported_at: datetime | None
    read_at: datetime

    @classmethod
    def of_row(
        cls, identity: int, acknowledged_seq: int, stored_seq: int, waiting_json: str | None, *others: Any
    ) -> "_OtherSpool":
        waiting = _decode_waiting(waiting_json) if waiting_json else None
        has_both_reported = waiting is not None and waiting.acknowledged_seq == acknowledged_seq
        waiting_events = waiting.events if waiting and has_both_reported else None
        return cls(identity, SpoolPosition(acknowledged_seq, stored_seq, waiting_events=waiting_events), *others)


class SpoolPositions:
    """The positions of all spools; `read_position` returns the position of this worker's spool, `spool_id`."""

    def __init__(self, spool_id: int, look_up_pool: LookUpPool, monotonic: Callable[[], float]) -> None:
        self._spool_id = spool_id
        self._look_up_pool = look_up_pool
        self._monotonic = monotonic
        self._next_spools = NextResult[None, list[_OtherSpool]](lambda _: self._read_other_spools())
        self.read_position: Callable[[], SpoolPosition] = lambda: SpoolPosition(0, 0)

    async def report_position(self, connection: Any) -> None:
        """Report how far this worker's spool is to the others."""
        position = self.read_position()
        parameters = (position.acknowledged_seq, position.stored_seq, position.counts_json, _encode_waiting(position))
        await connection.execute(_REPORT_POSITION, self._spool_id, *parameters, timeout=ANSWER_SECONDS)

    async def wait_until_stored(self, timeout_seconds: float, includes: Includes = include_all) -> Mapping[int, int]:
        """Wait until the store has the included events that other workers acknowledged before this call.

        Raises `Unavailable` if it is late.
        """
        deadline = self._monotonic() + timeout_seconds
        spools = await self._next_spools.get(None)
        goal_seq_by_spool_id = {spool.identity: MAX_SEQ for spool in spools if not spool.has_worker}
        asked_at_by_spool_id = {spool.identity: spool.read_at for spool in spools if spool.has_worker}
        while asked_at_by_spool_id:
            if self._monotonic() > deadline:
                raise Unavailable("Events that other workers have accepted have not reached the event store yet.")
            await asyncio.sleep(_POLL_SECONDS)
            for spool in await self._next_spools.get(None):
                if (asked_at := asked_at_by_spool_id.get(spool.identity)) is None:
                    continue
                if not spool.has_worker:
                    goal_seq_by_spool_id[spool.identity] = MAX_SEQ
                elif spool.reported_at is not None and spool.reported_at > asked_at:
                    goal_seq_by_spool_id.setdefault(spool.identity, spool.position.acknowledged_seq)
                stored_seq = spool.position.find_stored_seq(includes)
                if goal_seq_by_spool_id.get(spool.identity, MAX_SEQ) <= stored_seq or not spool.has_worker:
                    del asked_at_by_spool_id[spool.identity]
        return goal_seq_by_spool_id

    async def list_spool_states(self) -> Mapping[int, SpoolState]:
        """Return the state of each spool by its identity; raise `Unavailable` if the database does not answer."""
        rows = await self._look_up_pool.fetch_rows(_LIST_SPOOL_STATES, ())
        return {spool_id: SpoolState(*state) for spool_id, *state in rows}

    async def _read_other_spools(self) -> list[_OtherSpool]:
        rows = await self._look_up_pool.fetch_rows(_LIST_OTHER_SPOOLS, (self._spool_id,))
        return [_OtherSpool.of_row(*row) for row in rows]


def _encode_waiting(position: SpoolPosition) -> str | None:
    if position.waiting_events is None:
        return None
    return msgspec.json.encode(_Waiting(position.acknowledged_seq, position.waiting_events)).decode()
