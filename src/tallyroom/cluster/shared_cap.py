"""The monthly cap across several workers: each counts up to its grant in the metadata (rules/people#monthly-cap).

The grants of a workspace and month never add up to more than the cap. A worker's count is in its own spool, in the
transaction of the events. Therefore, only the worker that opens a dead worker's spool may use its unspent grant.
"""

import asyncio
import logging
from collections import Counter, defaultdict
from dataclasses import dataclass, replace

from tallyroom.cluster import ingest_repository as repository
from tallyroom.cluster.ingest_repository import Grant
from tallyroom.cluster.worker_parts import WorkerContext
from tallyroom.core.errors import Unavailable
from tallyroom.ingest.acceptance.cap import MonthlyCap, WorkspaceMonth, build_plan_limit_error
from tallyroom.storage.spool.row import month_of

_SHARE_DIVISOR = 8  # a worker takes an eighth of its share of the rest
_SCARCITY_DIVISOR = 20  # below a twentieth of the cap, workers take and keep only what they need
_MAX_TRIES = 4  # waiting for grants that others return, once a second
_RETRY_SECONDS = 0.5
_SHORTAGE_SECONDS = 1.0  # how long a refused worker waits before it asks again

_LIST_OWN_GRANTS = "SELECT workspace_id, month, granted, used FROM event_grants WHERE spool = ? AND month >= ?"
_SUM_USED_BY_OTHERS = (
    "SELECT coalesce(sum(used), 0) FROM event_grants WHERE workspace_id = ? AND month = ? AND spool <> ?"
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Shortage:
    """The rest of a cap that was too small, and who might return some; valid until the monotonic time `known_until`."""

    left_count: int
    needed_count: int
    used_count: int
    unspent_by_spool_id: dict[int, int]
    known_until: float


class SharedCap(MonthlyCap):
    """The cap of one of several workers; belongs to one event loop.

    What it holds in memory never exceeds its grant in the metadata: it takes a grant before it uses it, and returns one
    after it has stopped using it. The durable counts are loaded from the spool once.
    """

    def __init__(self, free_events_per_month: int, context: WorkerContext) -> None:
        super().__init__(context.connection, free_events_per_month)
        self._database = context.database
        self._spool_id = context.spool_id
        self._clock = context.clock
        self._peers = context.peers
        self._granted_by_key: dict[WorkspaceMonth, int] = {}
        self._changed_keys: set[WorkspaceMonth] = set()
        self._shortage_by_key: dict[WorkspaceMonth, _Shortage] = {}
        self._waiting_by_key: Counter[WorkspaceMonth] = Counter()
        self._growth_lock_by_key: defaultdict[WorkspaceMonth, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._write_lock = asyncio.Lock()
        self._is_loaded = False

    def reserve(self, workspace_id: str, plan: str, month: int, event_count: int) -> bool:
        """Count events if the grant has room for them."""
        key, cap = (workspace_id, month), self.get_cap(plan)
        if cap is not None and not self._has_room(key, event_count):
            if self._is_known_shortage(key, event_count):
                raise build_plan_limit_error(cap, self._shortage_by_key[key].used_count)
            return False
        self._add_count(key, event_count)
        return True

    def reserve_up_to(self, workspace_id: str, plan: str, month: int, event_count: int) -> int | None:
        """Count as many events as the grant has room for, if it is known that there is no more room."""
        key, cap = (workspace_id, month), self.get_cap(plan)
        if cap is not None and not self._has_room(key, event_count):
            if not self._is_known_shortage(key, event_count):
                return None
            event_count = self._get_granted(key) - self._count_by_key[key]
        self._add_count(key, event_count)
        return event_count

    async def make_room(
        self, workspace_id: str, plan: str, month: int, event_count: int, *, is_part_enough: bool = False
    ) -> None:
        """Take a larger grant; if there is none, wait for other workers to return some."""
        key, cap = (workspace_id, month), self.get_cap(plan)
        if cap is None:
            return
        self._waiting_by_key[key] += event_count
        try:
            async with self._growth_lock_by_key[key]:
                shortage = await self._grow_grant(key, cap, event_count, is_part_enough=is_part_enough)
                while is_part_enough and shortage is not None and shortage.left_count > 0:
                    event_count_for_rest = self._get_granted(key) + shortage.left_count - self._count_by_key[key]
                    remaining_shortage = await self._take_grant(key, cap, event_count_for_rest)
                    shortage = self._shortage_by_key[key] = remaining_shortage or replace(shortage, left_count=0)
        finally:
            self._waiting_by_key[key] -= event_count
        if shortage is not None and not is_part_enough:
            raise build_plan_limit_error(cap, shortage.used_count)

    def give_back(self, workspace_id: str, month: int, event_count: int) -> None:
        """Undo a reservation; the grant has room for it again."""
        self._add_count((workspace_id, month), -event_count)

    async def count_used(self, workspace_id: str, month: int) -> int:
        """Return this worker's count plus the counts that others have reported, which are up to a second old."""
        row = await self._database.look_up(_SUM_USED_BY_OTHERS, workspace_id, month, self._spool_id)
        return self._count_by_key[workspace_id, month] + int(row[0] if row else 0)

    async def report_counts(self) -> None:
        """Write changed grants, and return what was not used since the last time or is needed elsewhere."""
        async with self._write_lock:
            await self._load_grants()
            changed_keys, self._changed_keys = self._changed_keys, set()
            unspent_keys = {key for key, granted in self._granted_by_key.items() if granted > self._count_by_key[key]}
            for key in unspent_keys - changed_keys:
                self._drop_unspent(key)
            try:
                await self._write_grants(changed_keys | unspent_keys, changed_keys & unspent_keys)
            except BaseException:
                self._changed_keys |= changed_keys | unspent_keys
                raise

    async def close(self) -> None:
        """Return everything unused."""
        for key in self._granted_by_key:
            self._drop_unspent(key)
            self._changed_keys.add(key)
        try:
            await self.report_counts()
        except Unavailable as error:
            _log.warning("unused grants will be returned at the next start", extra={"reason": error.message})
            self._peers.mark_unfinished()

    def _get_granted(self, key: WorkspaceMonth) -> int:
        # The grant in the metadata; a paid workspace may have counted more.
        return max(self._granted_by_key.get(key, 0), self._count_by_key[key])

    def _has_room(self, key: WorkspaceMonth, event_count: int) -> bool:
        return self._count_by_key[key] + event_count <= self._granted_by_key.get(key, 0)

    def _is_known_shortage(self, key: WorkspaceMonth, event_count: int) -> bool:
        """Return whether there was too little a moment ago; if so, no one is asked."""
        shortage = self._shortage_by_key.get(key)
        if shortage is None or self._clock.monotonic() >= shortage.known_until:
            return False
        return self._count_by_key[key] + event_count - self._get_granted(key) > shortage.left_count

    def _add_count(self, key: WorkspaceMonth, event_count: int) -> None:
        self._count_by_key[key] += event_count
        self._changed_keys.add(key)

    def _drop_unspent(self, key: WorkspaceMonth) -> None:
        self._granted_by_key[key] = min(self._granted_by_key[key], self._count_by_key[key])

    async def _grow_grant(
        self, key: WorkspaceMonth, cap: int, event_count: int, *, is_part_enough: bool
    ) -> _Shortage | None:
        """Take room for `event_count` events; return what is left instead if that is too little."""
        tries_left = _MAX_TRIES
        while not self._is_known_shortage(key, event_count):
            shortage = await self._take_grant(key, cap, event_count)
            if shortage is None:
                return None
            tries_left -= 1
            if not tries_left or not await self._may_others_return_enough(shortage, is_part_enough=is_part_enough):
                self._shortage_by_key[key] = shortage
                return shortage
            await asyncio.sleep(_RETRY_SECONDS)
        return self._shortage_by_key[key]

    async def _may_others_return_enough(self, shortage: _Shortage, *, is_part_enough: bool) -> bool:
        """Return whether running workers have enough unused room, or any at all if a part is enough."""
        try:
            spool_ids = shortage.unspent_by_spool_id
            alive_ids = [spool_id for spool_id in spool_ids if await self._peers.is_alive(spool_id)]
        except Unavailable:
            return False
        unspent_count = sum(shortage.unspent_by_spool_id[spool_id] for spool_id in alive_ids)
        return unspent_count > 0 and (is_part_enough or shortage.left_count + unspent_count >= shortage.needed_count)

    async def _take_grant(self, key: WorkspaceMonth, cap: int, event_count: int) -> _Shortage | None:
        """Take a grant with room for the events. If that is too little, take nothing and return what is left."""
        async with self._write_lock:
            if self._has_room(key, event_count):
                return None
            self._changed_keys.add(key)  # write it again if the result of this write is unknown
            async with self._database.session(write=True) as db:
                rows = [row for row in await repository.list_grants(db, *key) if row.spool != self._spool_id]
                granted_count, used_count = self._get_granted(key), self._count_by_key[key]
                left_count = cap - granted_count - sum(max(row.granted, row.used) for row in rows)
                needed_count = used_count + event_count - granted_count
                if needed_count > left_count:
                    unspent_by_spool_id = {row.spool: row.granted - row.used for row in rows if row.granted > row.used}
                    total_used = used_count + sum(row.used for row in rows)
                    known_until = self._clock.monotonic() + _SHORTAGE_SECONDS
                    return _Shortage(max(left_count, 0), needed_count, total_used, unspent_by_spool_id, known_until)
                granted_count += self._choose_grant_growth(key, cap, left_count, needed_count, event_count)
                await repository.write_grants(db, [Grant(*key, self._spool_id, granted_count, used_count)])
            self._granted_by_key[key] = granted_count
            return None

    def _choose_grant_growth(
        self, key: WorkspaceMonth, cap: int, left_count: int, needed_count: int, event_count: int
    ) -> int:
        """Return how much to take: what all waiting requests need, and more while there is plenty."""
        is_scarce = left_count <= cap // _SCARCITY_DIVISOR
        fair_share = 0 if is_scarce else left_count // (_SHARE_DIVISOR * self._peers.worker_count())
        return min(left_count, max(needed_count + self._waiting_by_key[key] - event_count, fair_share))

    async def _load_grants(self) -> None:
        if self._is_loaded:
            return
        month = month_of(self._clock.now_ms())
        rows = await self._database.look_up_all(_LIST_OWN_GRANTS, self._spool_id, month)
        counts_by_key = {(workspace_id, month): (granted, used) for workspace_id, month, granted, used in rows}
        for key in {*counts_by_key, *(key for key in self._count_by_key if key[1] >= month)}:
            if counts_by_key.get(key, (0, 0)) != (self._get_granted(key), self._count_by_key[key]):
                self._changed_keys.add(key)
        self._is_loaded = True

    async def _write_grants(self, keys: set[WorkspaceMonth], unspent_keys: set[WorkspaceMonth]) -> None:
        """Write grants. For `unspent_keys`, return unused room where others have little."""
        if not keys:
            return
        async with self._database.session(write=True) as db:
            if unspent_keys:
                total_by_key = await repository.sum_grants(db, unspent_keys)
                min_scarce_total = self._free_events_per_month - self._free_events_per_month // _SCARCITY_DIVISOR
                for key in unspent_keys:
                    if total_by_key.get(key, 0) >= min_scarce_total:
                        self._drop_unspent(key)
            grants = [Grant(*key, self._spool_id, self._get_granted(key), self._count_by_key[key]) for key in keys]
            await repository.write_grants(db, grants)
        for key in keys:
            if self._granted_by_key.get(key, 0) <= self._count_by_key[key]:
                self._granted_by_key.pop(key, None)
