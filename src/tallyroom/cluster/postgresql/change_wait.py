"""Waits until all workers know of a change (rules/people#revoked-everywhere)."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from tallyroom.cluster.postgresql.change_numbers import AWAITED_KINDS
from tallyroom.cluster.postgresql.look_ups import LookUpPool
from tallyroom.cluster.postgresql.worker_registry import LEASE_SECONDS
from tallyroom.core.errors import Unavailable
from tallyroom.storage.metadata.connection import ChangeKind

_MIN_WAIT_SECONDS, _MAX_WAIT_SECONDS = 0.002, 0.1
_TIMEOUT_SECONDS = LEASE_SECONDS + 5

_COUNT_WORKERS_BEHIND = """
SELECT count(*) FROM workers
WHERE id <> ? AND (seen_access < ? OR seen_removals < ?) AND lease_until > clock_timestamp()"""


class ChangeWait:
    """Waits until workers know of a change by any process; `worker_id` is "" if it is not a worker."""

    def __init__(self, worker_id: str, look_up_pool: LookUpPool, monotonic: Callable[[], float]) -> None:
        self._worker_id = worker_id
        self._look_up_pool = look_up_pool
        self._monotonic = monotonic

    async def wait_until_seen(self, number_by_kind: Mapping[ChangeKind, int]) -> None:
        """Wait until every other worker has seen these changes, or no longer trusts its caches; else `Unavailable`."""
        deadline = self._monotonic() + _TIMEOUT_SECONDS
        wait_seconds = _MIN_WAIT_SECONDS
        awaited_numbers = [number_by_kind.get(kind, 0) for kind in AWAITED_KINDS]
        while await self._is_anybody_behind(awaited_numbers):
            if self._monotonic() > deadline:
                raise Unavailable("The change was made, but some workers may not see it yet.")
            await asyncio.sleep(wait_seconds)
            wait_seconds = min(_MAX_WAIT_SECONDS, wait_seconds * 2)

    async def _is_anybody_behind(self, awaited_numbers: Sequence[int]) -> bool:
        try:
            [(behind_count,)] = await self._look_up_pool.fetch_rows(
                _COUNT_WORKERS_BEHIND, (self._worker_id, *awaited_numbers)
            )
        except Unavailable:  # it may answer again in time
            return True
        return bool(behind_count)
