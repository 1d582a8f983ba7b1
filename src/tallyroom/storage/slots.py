"""Decides which work runs next if only some may run at once: keys, such as workspaces, take turns."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from sys import maxsize
from typing import NamedTuple

from tallyroom.core.errors import RateLimited, Unavailable

_MAX_PRIORITY_STREAK = 3  # admissions with priority in a row, before other work gets a turn

Waiter = asyncio.Future[None]  # a place in the queue; done when its turn comes, or with an error when it is evicted


class FairQueue:
    """Waiters by key, which take turns: one waiter of each key, then another of each. The first key is next."""

    def __init__(self) -> None:
        self._queues_by_key: OrderedDict[str, deque[Waiter]] = OrderedDict()
        self._waiting_count = 0

    def __len__(self) -> int:
        return self._waiting_count

    def count_waiting(self, key: str) -> int:
        """Return how many wait under a key."""
        return len(self._queues_by_key.get(key, ()))

    def enqueue(self, key: str) -> Waiter:
        """Add a waiter to the queue of a key."""
        waiter: Waiter = asyncio.get_running_loop().create_future()
        self._queues_by_key.setdefault(key, deque()).append(waiter)
        self._waiting_count += 1
        return waiter

    def admit_next(self, is_admissible: Callable[[str], bool]) -> str | None:
        """Admit the next waiter whose key `is_admissible`, and return the key, which becomes the last; or None."""
        key = next((key for key in self._queues_by_key if is_admissible(key)), None)
        if key is not None:
            queue = self._queues_by_key.pop(key)
            queue.popleft().set_result(None)
            self._waiting_count -= 1
            if queue:
                self._queues_by_key[key] = queue
        return key

    def remove(self, key: str, waiter: Waiter) -> None:
        """Remove a waiter that was not admitted."""
        queue = self._queues_by_key.get(key, deque())
        if waiter in queue:
            queue.remove(waiter)
            self._waiting_count -= 1
            if not queue:
                del self._queues_by_key[key]

    def evict_newest(self, key: str, refusal: Exception) -> bool:
        """Evict the newest waiter of the longest queue for one of `key`; False if that queue would then be shorter."""
        longest_key = max(self._queues_by_key, key=self.count_waiting, default=key)
        if self.count_waiting(longest_key) <= self.count_waiting(key) + 1:
            return False
        self._queues_by_key[longest_key].pop().set_exception(refusal)
        self._waiting_count -= 1
        return True


class SlotLimits(NamedTuple):
    """The limits on running and waiting work."""

    slot_count: int
    patience_seconds: float  # the longest wait
    busy_message: str  # refuses work that waits too long, or if too much waits in all
    retry_after: int = 1  # seconds
    slots_per_key: int = maxsize
    max_waiting_per_key: int = maxsize
    crowd_message: str = ""  # refuses work if too much waits under its key
    max_waiting: int = maxsize  # of each priority; beyond it, the key with the most waiting loses its newest work


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
        """Take a slot for work of a key when its turn comes, until `release`. Raises `RateLimited` or `Unavailable`.

        Work with `has_priority` comes first; other work gets every fourth turn while both wait.
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
        queues = [self._priority_queue, self._queue]
        if self._priority_streak >= _MAX_PRIORITY_STREAK:
            queues.reverse()
        for queue in queues:
            key = queue.admit_next(lambda key: self._held_count_by_key[key] < self._limits.slots_per_key)
            if key is not None:
                has_overtaken = queue is self._priority_queue and len(self._queue)
                self._priority_streak = self._priority_streak + 1 if has_overtaken else 0
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
