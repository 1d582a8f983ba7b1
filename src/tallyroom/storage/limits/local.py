"""Limits in the memory of this process: a restart forgets them, and nothing is written to a disk."""

from collections import OrderedDict, deque
from collections.abc import Sequence

from tallyroom.core.clock import Clock
from tallyroom.core.errors import RateLimited
from tallyroom.storage.limits.leaky_buckets import LeakyBuckets
from tallyroom.storage.limits.limits import Attempt, AttemptLimits, Limits, NewestEntries
from tallyroom.storage.limits.sliding_window import SlidingWindow

_MAX_TOPICS = 1000


class LocalLimits(Limits):
    """The limits of a process that shares them with no other."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def create_rate_limit(
        self, name: str, limit_per_minute: int, refusal_type: type[RateLimited] = RateLimited
    ) -> SlidingWindow:
        """Return a sliding window."""
        return SlidingWindow(name, limit_per_minute, self._clock, refusal_type)

    def create_attempt_limits(self) -> "LocalAttemptLimits":
        """Return the limits on attempts."""
        return LocalAttemptLimits(self._clock)

    def create_newest_entries(self, name: str, max_entries: int) -> "LocalNewestEntries":  # noqa: ARG002 # each has its own memory
        """Return lists of at most `max_entries` entries for each topic."""
        return LocalNewestEntries(max_entries)

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


class LocalAttemptLimits(AttemptLimits):
    """Leaky buckets for each allotment, without a lock; used on one event loop."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._buckets_by_allotment: dict[str, LeakyBuckets] = {}
        self.process_count = 1  # how many processes have such buckets for the same clients: an attempt counts as often

    async def count_attempts(self, *attempts: Attempt) -> tuple[Attempt, float] | None:
        """Count all attempts, or none."""
        for attempt in attempts:
            if wait_seconds := self._buckets_for(attempt).seconds_until(attempt.key, self.process_count):
                return attempt, wait_seconds
        for attempt in attempts:
            self._buckets_for(attempt).add_attempt(attempt.key, self.process_count)
        return None

    async def undo_attempt(self, attempt: Attempt) -> None:
        """Undo the count of one attempt."""
        self._buckets_for(attempt).undo_attempt(attempt.key, self.process_count)

    async def clear_attempts(self, *attempts: Attempt) -> None:
        """Undo the count of all attempts with these allotments and keys."""
        for attempt in attempts:
            self._buckets_for(attempt).clear(attempt.key)

    def _buckets_for(self, attempt: Attempt) -> LeakyBuckets:
        allotment, buckets = attempt.allotment, self._buckets_by_allotment
        if allotment.name not in buckets:
            buckets[allotment.name] = LeakyBuckets(allotment.burst, allotment.leak_seconds, self._clock)
        return buckets[allotment.name]


class LocalNewestEntries(NewestEntries):
    """Lists in memory, for the topics with the newest entries."""

    def __init__(self, max_entries: int) -> None:
        self._max_entries = max_entries
        self._entries_by_topic: OrderedDict[str, deque[bytes]] = OrderedDict()

    def add(self, topic: str, entry: bytes) -> None:
        """Add an entry."""
        entries = self._entries_by_topic.setdefault(topic, deque(maxlen=self._max_entries))
        self._entries_by_topic.move_to_end(topic)
        if len(self._entries_by_topic) > _MAX_TOPICS:
            self._entries_by_topic.popitem(last=False)
        entries.appendleft(entry)

    async def list_newest(self, topic: str) -> Sequence[bytes]:
        """Return the entries of a topic, newest first."""
        return list(self._entries_by_topic.get(topic, ()))

    def pop_all(self) -> dict[str, list[bytes]]:
        """Return all entries by topic, oldest first, and forget them."""
        entries_by_topic = {topic: list(reversed(entries)) for topic, entries in self._entries_by_topic.items()}
        self._entries_by_topic.clear()
        return entries_by_topic
