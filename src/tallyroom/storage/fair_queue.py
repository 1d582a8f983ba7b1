"""A line of those who wait for a slot: one of each key, then another of each."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable

Waiter = asyncio.Future[None]
"""The place of one in the line; done when it is their turn, or when they are sent away."""


class FairQueue:
    """The places of those who wait, by key; used on one event loop. The first key is next."""

    def __init__(self) -> None:
        self._queues_by_key: OrderedDict[str, deque[Waiter]] = OrderedDict()
        self._waiting_count = 0

    def __len__(self) -> int:
        """Return how many wait."""
        return self._waiting_count

    def count_waiting(self, key: str) -> int:
        """Return how many wait under a key."""
        return len(self._queues_by_key.get(key, ()))

    def enqueue(self, key: str) -> Waiter:
        """Add one at the end of their key."""
        waiter: Waiter = asyncio.get_running_loop().create_future()
        self._queues_by_key.setdefault(key, deque()).append(waiter)
        self._waiting_count += 1
        return waiter

    def admit_next(self, is_admissible: Callable[[str], bool]) -> str | None:
        """Call the next one whose key `is_admissible`, and return the key, which is last then; None without one."""
        key = next((key for key in self._queues_by_key if is_admissible(key)), None)
        if key is not None:
            queue = self._queues_by_key.pop(key)
            queue.popleft().set_result(None)
            self._waiting_count -= 1
            if queue:
                self._queues_by_key[key] = queue
        return key

    def remove(self, key: str, waiter: Waiter) -> None:
        """Take one out who was not called."""
        queue = self._queues_by_key.get(key, deque())
        if waiter in queue:
            queue.remove(waiter)
            self._waiting_count -= 1
            if not queue:
                del self._queues_by_key[key]

    def evict_newest(self, key: str, refusal: Exception) -> bool:
        """Send away the newest of the key with the most waiting, to let one of `key` in.

        Return False, with nothing done, if that would leave that key with fewer than `key` then has.
        """
        longest_key = max(self._queues_by_key, key=self.count_waiting, default=key)
        if self.count_waiting(longest_key) <= self.count_waiting(key) + 1:
            return False
        self._queues_by_key[longest_key].pop().set_exception(refusal)
        self._waiting_count -= 1
        return True
