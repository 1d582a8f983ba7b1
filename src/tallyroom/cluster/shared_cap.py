"""The monthly cap of several workers: each counts up to its grant, which the metadata has (rules/people#monthly-cap).

The grants of a workspace and month never add up to more than the cap. What a worker has counted is in its own spool, in
the transaction of the events, so an unspent grant of a worker that died is safe only with the one that opens its spool.
"""

import asyncio
import logging
from collections import Counter, defaultdict
from dataclasses import dataclass, replace

from tallyroom.cluster import ingest_repository as repository
from tallyroom.cluster.ingest_repository import Grant
from tallyroom.cluster.worker_parts import WorkerParts
from tallyroom.core.errors import Unavailable
from tallyroom.ingest.acceptance.cap import MonthlyCap, WorkspaceMonth, used_up
from tallyroom.storage.spool.row import month_of

_PART_OF_LEFT = 8  # a worker takes an eighth of its share of what is left
_SHORT = 20  # below a twentieth of the cap, nobody takes more than it needs, or keeps what it does not use
_LOOKS = 4  # for what other workers give back, which they do once a second
_LOOK_SECONDS = 0.5
_KNOWN_SECONDS = 1.0  # how long a worker does not ask again after it was refused

_OWN = "SELECT workspace_id, month, granted, used FROM event_grants WHERE spool = ? AND month >= ?"
_USED_BY_OTHERS = "SELECT coalesce(sum(used), 0) FROM event_grants WHERE workspace_id = ? AND month = ? AND spool <> ?"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Shortage:
    """What was left of a cap when it was not enough, and who might give some back; known until a monotonic time."""

    left: int
    need: int
    used: int
    unspent: dict[int, int]
    until: float


class SharedCap(MonthlyCap):
    """The cap of one of several workers.

    It belongs to one event loop. What it holds in memory is never more than what the metadata grants it: more is taken
    before it is used, and less is used before it is given back.

    Args:
        free_events_per_month: the cap of the plan ``free``.
        parts: where it counts; the durable counts are loaded from the spool once.
    """

    def __init__(self, free_events_per_month: int, parts: WorkerParts) -> None:
        super().__init__(parts.connection, free_events_per_month)
        self._database = parts.database
        self._spool = parts.spool
        self._clock = parts.clock
        self._peers = parts.peers
        self._grants: dict[WorkspaceMonth, int] = {}
        self._changed_keys: set[WorkspaceMonth] = set()
        self._shortages: dict[WorkspaceMonth, _Shortage] = {}
        self._waiting: Counter[WorkspaceMonth] = Counter()
        self._lines: defaultdict[WorkspaceMonth, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._turn = asyncio.Lock()
        self._has_begun = False

    def reserve(self, workspace_id: str, plan: str, month: int, events: int) -> bool:
        """Count events if the grant has room for them."""
        key, cap = (workspace_id, month), self.cap_of(plan)
        if cap is not None and not self._has_room(key, events):
            if self._is_known_short(key, events):
                raise used_up(cap, self._shortages[key].used)
            return False
        self._count(key, events)
        return True

    def reserve_up_to(self, workspace_id: str, plan: str, month: int, events: int) -> int | None:
        """Count as many events as the grant has room for, if it is known that there is no more room."""
        key, cap = (workspace_id, month), self.cap_of(plan)
        if cap is not None and not self._has_room(key, events):
            if not self._is_known_short(key, events):
                return None
            events = self._limit(key) - self._counted[key]
        self._count(key, events)
        return events

    async def make_room(self, workspace_id: str, plan: str, month: int, events: int, *, part: bool = False) -> None:
        """Take a larger grant; if there is none, wait for what other workers give back."""
        key, cap = (workspace_id, month), self.cap_of(plan)
        if cap is None:
            return
        self._waiting[key] += events
        try:
            async with self._lines[key]:
                shortage = await self._grow(key, cap, events, part=part)
                while part and shortage is not None and shortage.left > 0:
                    smaller = await self._take(key, cap, self._limit(key) + shortage.left - self._counted[key])
                    shortage = self._shortages[key] = smaller or replace(shortage, left=0)
        finally:
            self._waiting[key] -= events
        if shortage is not None and not part:
            raise used_up(cap, shortage.used)

    def give_back(self, workspace_id: str, month: int, events: int) -> None:
        """Undo a reservation; the grant has room for it again."""
        self._count((workspace_id, month), -events)

    async def used(self, workspace_id: str, month: int) -> int:
        """Add what other workers have reported, which is a second old, to what this one has counted."""
        row = await self._database.look(_USED_BY_OTHERS, workspace_id, month, self._spool)
        return self._counted[workspace_id, month] + int(row[0] if row else 0)

    async def report(self) -> None:
        """Write what has changed, and give back what was not used since the last time, or is needed elsewhere."""
        async with self._turn:
            await self._begin()
            changed_keys, self._changed_keys = self._changed_keys, set()
            unspent = {key for key, grant in self._grants.items() if grant > self._counted[key]}
            for key in unspent - changed_keys:
                self._give_up(key)
            try:
                await self._write(changed_keys | unspent, changed_keys & unspent)
            except BaseException:
                self._changed_keys |= changed_keys | unspent
                raise

    async def close(self) -> None:
        """Give back all that is not used."""
        for key in self._grants:
            self._give_up(key)
            self._changed_keys.add(key)
        try:
            await self.report()
        except Unavailable as error:
            _log.warning("what is left of grants is given back at the next start", extra={"reason": error.message})
            self._peers.owe()

    def _limit(self, key: WorkspaceMonth) -> int:
        # What the metadata has granted; a paid workspace may have counted more.
        return max(self._grants.get(key, 0), self._counted[key])

    def _has_room(self, key: WorkspaceMonth, events: int) -> bool:
        return self._counted[key] + events <= self._grants.get(key, 0)

    def _is_known_short(self, key: WorkspaceMonth, events: int) -> bool:
        """Return whether there was too little a moment ago; then nobody is asked."""
        shortage = self._shortages.get(key)
        if shortage is None or self._clock.monotonic() >= shortage.until:
            return False
        return self._counted[key] + events - self._limit(key) > shortage.left

    def _count(self, key: WorkspaceMonth, events: int) -> None:
        self._counted[key] += events
        self._changed_keys.add(key)

    def _give_up(self, key: WorkspaceMonth) -> None:
        self._grants[key] = min(self._grants[key], self._counted[key])

    async def _grow(self, key: WorkspaceMonth, cap: int, events: int, *, part: bool) -> _Shortage | None:
        """Take what `events` need; return what there is instead if that is too little."""
        looks = _LOOKS
        while not self._is_known_short(key, events):
            shortage = await self._take(key, cap, events)
            if shortage is None:
                return None
            looks -= 1
            if not looks or not await self._may_come(shortage, part=part):
                self._shortages[key] = shortage
                return shortage
            await asyncio.sleep(_LOOK_SECONDS)
        return self._shortages[key]

    async def _may_come(self, shortage: _Shortage, *, part: bool) -> bool:
        """Return whether other workers that run have enough that they have not used, or, for a part, anything."""
        try:
            alive = [spool for spool in shortage.unspent if await self._peers.is_alive(spool)]
        except Unavailable:
            return False
        unspent = sum(shortage.unspent[spool] for spool in alive)
        return unspent > 0 and (part or shortage.left + unspent >= shortage.need)

    async def _take(self, key: WorkspaceMonth, cap: int, events: int) -> _Shortage | None:
        """Take a block that has room for `events`; take nothing, and return what there is, if that is too little."""
        async with self._turn:
            if self._has_room(key, events):
                return None
            self._changed_keys.add(key)  # so that it is written again if nobody knows whether it was
            async with self._database.session(write=True) as db:
                rows = [row for row in await repository.list_grants(db, *key) if row.spool != self._spool]
                limit, count = self._limit(key), self._counted[key]
                left = cap - limit - sum(max(row.granted, row.used) for row in rows)
                need = count + events - limit
                if need > left:
                    unspent = {row.spool: row.granted - row.used for row in rows if row.granted > row.used}
                    used = count + sum(row.used for row in rows)
                    until = self._clock.monotonic() + _KNOWN_SECONDS
                    return _Shortage(max(left, 0), need, used, unspent, until)
                grant = limit + self._block(key, cap, left, need, events)
                await repository.write_grants(db, [Grant(*key, self._spool, grant, count)])
            self._grants[key] = grant
            return None

    def _block(self, key: WorkspaceMonth, cap: int, left: int, need: int, events: int) -> int:
        """Return how much to take: what all need that wait, and more while there is plenty."""
        share = left // (_PART_OF_LEFT * self._peers.count()) if left > cap // _SHORT else 0
        return min(left, max(need + self._waiting[key] - events, share))

    async def _begin(self) -> None:
        """Find what an earlier process on the spool has left, or has not reported."""
        if self._has_begun:
            return
        month = month_of(self._clock.now_ms())
        rows = await self._database.look_all(_OWN, self._spool, month)
        counts = {(workspace_id, month): (grant, used) for workspace_id, month, grant, used in rows}
        for key in {*counts, *(key for key in self._counted if key[1] >= month)}:
            if counts.get(key, (0, 0)) != (self._limit(key), self._counted[key]):
                self._changed_keys.add(key)
        self._has_begun = True

    async def _write(self, keys: set[WorkspaceMonth], unspent: set[WorkspaceMonth]) -> None:
        """Write grants; of those that are `unspent`, give back what is left where there is little for others."""
        if not keys:
            return
        async with self._database.session(write=True) as db:
            if unspent:
                totals = await repository.count_granted(db, unspent)
                least = self._free_events_per_month - self._free_events_per_month // _SHORT
                for key in unspent:
                    if totals.get(key, 0) >= least:
                        self._give_up(key)
            rows = [Grant(*key, self._spool, self._limit(key), self._counted[key]) for key in keys]
            await repository.write_grants(db, rows)
        for key in keys:
            if self._grants.get(key, 0) <= self._counted[key]:
                self._grants.pop(key, None)
