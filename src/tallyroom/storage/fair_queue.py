"""A queue for slots that serves keys in turn: one waiter of each key, then another of each."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable

Waiter = asyncio.Future[None]
"""A place in the queue; done when its turn comes, or with an error when it is evicted."""


class FairQueue:
    """Waiters by key; used on one event loop. The first key is next."""

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
        """Evict the newest waiter of the key with the most waiting, to make room for one of `key`.

        Return False, with nothing done, if that key would then have fewer waiters than `key`.
        """
        longest_key = max(self._queues_by_key, key=self.count_waiting, default=key)
        if self.count_waiting(longest_key) <= self.count_waiting(key) + 1:
            return False
        self._queues_by_key[longest_key].pop().set_exception(refusal)
        self._waiting_count -= 1
        return True
