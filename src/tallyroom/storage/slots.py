"""Decides which work runs next if only some may run at once: keys, such as workspaces, take turns."""

import asyncio
from collections import Counter
from sys import maxsize
from typing import NamedTuple

from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.storage.fair_queue import FairQueue, Waiter

_MAX_PRIORITY_STREAK = 3  # admissions with priority in a row, before other work gets a turn


class SlotLimits(NamedTuple):
    """The limits on running and waiting work; one key may hold `slots_per_key` of the slots.

    Work is refused with `busy_message` if it waits longer than `patience_seconds`, or if too much waits in all, and
    with `crowd_message` if more than `max_waiting_per_key` waits under its key. Clients should retry after
    `retry_after` seconds. `max_waiting` counts work with priority separately; beyond it, the newest work of the key
    with the most waiting is refused.
    """

    slot_count: int
    patience_seconds: float
    busy_message: str
    retry_after: int = 1
    slots_per_key: int = maxsize
    max_waiting_per_key: int = maxsize
    crowd_message: str = ""
    max_waiting: int = maxsize


class Slots:
    """Slots for running work; used on one event loop."""

    def __init__(self, limits: SlotLimits) -> None:
        self._limits = limits
        self._free_count = limits.slot_count
        self._held_count_by_key: Counter[str] = Counter()
        self._priority_queue, self._queue = FairQueue(), FairQueue()
        self._priority_streak = 0

    @property
    def running_count(self) -> int:
        """The number of slots that are taken."""
        return self._held_count_by_key.total()

    @property
    def waiting_count(self) -> int:
        """The number of waiting acquirers."""
        return len(self._priority_queue) + len(self._queue)

    async def acquire(self, key: str, *, has_priority: bool = False) -> None:
        """Take a slot for work of a key when its turn comes; `release` returns it.

        Work with `has_priority` comes first; other work gets every fourth turn while both wait. Raises `RateLimited` if
        too many wait under the key, `Unavailable` if too many wait in all or the turn does not come in time.
        """
        queue = self._priority_queue if has_priority else self._queue
        self._refuse_crowd(queue, key)
        waiter = queue.enqueue(key)
        self._assign_slots()
        try:
            async with asyncio.timeout(self._limits.patience_seconds):
                await asyncio.shield(waiter)
        except BaseException as error:
            self._withdraw(queue, key, waiter)
            if isinstance(error, TimeoutError):
                raise self._build_busy_error() from None
            raise

    def release(self, key: str) -> None:
        """Return a slot taken with `acquire`."""
        self._held_count_by_key[key] -= 1
        self._held_count_by_key += Counter()  # drops keys that hold none
        self._free_count += 1
        self._assign_slots()

    def _refuse_crowd(self, queue: FairQueue, key: str) -> None:
        if queue.count_waiting(key) >= self._limits.max_waiting_per_key:
            raise RateLimited(self._limits.crowd_message, self._limits.retry_after)
        if len(queue) >= self._limits.max_waiting and not queue.evict_newest(key, self._build_busy_error()):
            raise self._build_busy_error()

    def _assign_slots(self) -> None:
        while self._free_count and (key := self._admit_next()) is not None:
            self._free_count -= 1
            self._held_count_by_key[key] += 1

    def _admit_next(self) -> str | None:
        queues = (
            (self._priority_queue, self._queue)
            if self._priority_streak < _MAX_PRIORITY_STREAK
            else (self._queue, self._priority_queue)
        )
        for queue in queues:
            key = queue.admit_next(lambda key: self._held_count_by_key[key] < self._limits.slots_per_key)
            if key is not None:
                self._priority_streak = (
                    self._priority_streak + 1 if queue is self._priority_queue and len(self._queue) else 0
                )
                return key
        return None

    def _withdraw(self, queue: FairQueue, key: str, waiter: Waiter) -> None:
        if not waiter.done():
            queue.remove(key, waiter)
            waiter.cancel()
        elif waiter.exception() is None:  # the turn came just as the caller gave up
            self.release(key)

    def _build_busy_error(self) -> Unavailable:
        return Unavailable(self._limits.busy_message, self._limits.retry_after)
