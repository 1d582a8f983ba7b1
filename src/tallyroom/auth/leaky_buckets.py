"""A limit on attempts: some at once, then one more at a time. One number for each key is all that it remembers."""

from collections import OrderedDict

from tallyroom.core.clock import Clock

_MOST_KEYS = 100_000  # ~15 MB; each takes a password check to make, and this machine does fewer in half an hour


class LeakyBuckets:
    """One bucket for each key: an attempt fills it by one, and it leaks one in a fixed time (GCRA).

    Full buckets admit nothing until they have leaked. Empty ones are forgotten, and beyond 100,000 keys the one that
    was filled longest ago.

    Args:
        name: what the limit is called in the RateLimit headers.
        size: attempts that may come at once.
        seconds: the time in which one more becomes free.
        clock: its `monotonic` time counts.
    """

    def __init__(self, name: str, size: int, seconds: float, clock: Clock) -> None:
        self.name = name
        self.policy = f'"{name}";q={size};w={round(size * seconds)}'
        self._seconds = seconds
        self._full = size * seconds
        self._clock = clock
        self._empty_at: OrderedDict[bytes, float] = OrderedDict()

    def wait(self, key: bytes) -> float:
        """Seconds until `key` may make another attempt; 0 when it may now."""
        left = self._empty_at.get(key, 0.0) - self._clock.monotonic()
        return max(0.0, left + self._seconds - self._full)

    def take(self, key: bytes) -> None:
        """Count one attempt."""
        now = self._clock.monotonic()
        self._empty_at[key] = max(self._empty_at.get(key, now), now) + self._seconds
        self._empty_at.move_to_end(key)
        self._forget(now)

    def give_back(self, key: bytes) -> None:
        """Take one attempt back."""
        if key in self._empty_at:
            self._empty_at[key] -= self._seconds

    def clear(self, key: bytes) -> None:
        """Take all attempts back."""
        self._empty_at.pop(key, None)

    def _forget(self, now: float) -> None:
        while len(self._empty_at) > _MOST_KEYS or next(iter(self._empty_at.values())) <= now:
            self._empty_at.popitem(last=False)
