"""A line of those who wait for a slot: one of each key, then another of each."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable

Place = asyncio.Future[None]
"""The place of one in the line; done when it is their turn, or when they are sent away."""


class FairLine:
    """The places of those who wait, by key; used on one event loop. The first key is next."""

    def __init__(self) -> None:
        self._queues: OrderedDict[str, deque[Place]] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        """Return how many wait."""
        return self._count

    def waiting(self, key: str) -> int:
        """Return how many wait under a key."""
        return len(self._queues.get(key, ()))

    def join(self, key: str) -> Place:
        """Add one at the end of their key."""
        place: Place = asyncio.get_running_loop().create_future()
        self._queues.setdefault(key, deque()).append(place)
        self._count += 1
        return place

    def call(self, may: Callable[[str], bool]) -> str | None:
        """Call the next one whose key `may` have a turn, and return the key, which is last then; None without one."""
        key = next((key for key in self._queues if may(key)), None)
        if key is not None:
            queue = self._queues.pop(key)
            queue.popleft().set_result(None)
            self._count -= 1
            if queue:
                self._queues[key] = queue
        return key

    def leave(self, key: str, place: Place) -> None:
        """Take one out who was not called."""
        queue = self._queues.get(key, deque())
        if place in queue:
            queue.remove(place)
            self._count -= 1
            if not queue:
                del self._queues[key]

    def make_room(self, key: str, refusal: Exception) -> bool:
        """Send away the newest of the key with the most waiting, to let one of `key` in.

        Return False, with nothing done, if that would leave that key with fewer than `key` then has.
        """
        longest = max(self._queues, key=self.waiting, default=key)
        if self.waiting(longest) <= self.waiting(key) + 1:
            return False
        self._queues[longest].pop().set_exception(refusal)
        self._count -= 1
        return True
