"""Limits in the memory of this process: a restart forgets them, and nothing is written to a disk."""

from collections import OrderedDict, deque
from collections.abc import Sequence

from tallyroom.core.clock import Clock
from tallyroom.core.errors import RateLimited
from tallyroom.storage.limits.leaky_buckets import LeakyBuckets
from tallyroom.storage.limits.limits import Attempt, Attempts, Limits, NewestEntries
from tallyroom.storage.limits.sliding_window import SlidingWindow

_MOST_TOPICS = 1000


class LocalLimits(Limits):
    """The limits of a process that shares them with nobody."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def window(self, name: str, limit_per_minute: int, refusal: type[RateLimited] = RateLimited) -> SlidingWindow:
        """Return a rate limit."""
        return SlidingWindow(name, limit_per_minute, self._clock, refusal)

    def attempts(self) -> "LocalAttempts":
        """Return the limits on attempts."""
        return LocalAttempts(self._clock)

    def newest_entries(self, name: str, keep: int) -> "LocalEntries":  # noqa: ARG002 # each has its own memory
        """Return lists of at most `keep` entries for each topic."""
        return LocalEntries(keep)

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


class LocalAttempts(Attempts):
    """Leaky buckets for each allotment.

    It belongs to one event loop and takes no lock.

    Attributes:
        sharers: how many processes have such buckets for the same clients: each attempt counts as that many.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._buckets: dict[str, LeakyBuckets] = {}
        self.sharers = 1

    async def take(self, *attempts: Attempt) -> tuple[Attempt, float] | None:
        """Count all attempts, or none."""
        for attempt in attempts:
            if wait := self._of(attempt).wait(attempt.key, self.sharers):
                return attempt, wait
        for attempt in attempts:
            self._of(attempt).take(attempt.key, self.sharers)
        return None

    async def give_back(self, attempt: Attempt) -> None:
        """Undo the count of one attempt."""
        self._of(attempt).give_back(attempt.key, self.sharers)

    async def clear(self, *attempts: Attempt) -> None:
        """Undo the count of all attempts with these allotments and keys."""
        for attempt in attempts:
            self._of(attempt).clear(attempt.key)

    def _of(self, attempt: Attempt) -> LeakyBuckets:
        allotment = attempt.allotment
        if allotment.name not in self._buckets:
            self._buckets[allotment.name] = LeakyBuckets(allotment.size, allotment.seconds, self._clock)
        return self._buckets[allotment.name]


class LocalEntries(NewestEntries):
    """Lists in memory, for the topics that were added to last."""

    def __init__(self, keep: int) -> None:
        self._keep = keep
        self._entries: OrderedDict[str, deque[bytes]] = OrderedDict()

    def add(self, topic: str, entry: bytes) -> None:
        """Add an entry."""
        entries = self._entries.setdefault(topic, deque(maxlen=self._keep))
        self._entries.move_to_end(topic)
        if len(self._entries) > _MOST_TOPICS:
            self._entries.popitem(last=False)
        entries.appendleft(entry)

    async def newest(self, topic: str) -> Sequence[bytes]:
        """Return the entries of a topic, newest first."""
        return list(self._entries.get(topic, ()))

    def take_all(self) -> dict[str, list[bytes]]:
        """Return all entries by topic, oldest first, and forget them."""
        lists = {topic: list(reversed(entries)) for topic, entries in self._entries.items()}
        self._entries.clear()
        return lists
