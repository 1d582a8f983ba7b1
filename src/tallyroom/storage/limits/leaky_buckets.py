"""A limit on attempts: some at once, then one more at a time. It stores only one number for each key."""

from collections import OrderedDict

from tallyroom.core.clock import Clock

_MOST_KEYS = 100_000  # ~15 MB; each key costs a password check, and a machine does fewer than this in half an hour


class LeakyBuckets:
    """One bucket for each key: an attempt adds one to it, and it leaks one in a fixed time (GCRA).

    A full bucket admits nothing until it has leaked. Empty buckets are forgotten, and beyond 100,000 keys also the
    bucket whose last attempt was longest ago.

    Args:
        size: the number of attempts that may come at once.
        seconds: the time after which one more attempt is allowed.
        clock: gives the `monotonic` time.
    """

    def __init__(self, size: int, seconds: float, clock: Clock) -> None:
        self._size = size
        self._seconds = seconds
        self._full = size * seconds
        self._clock = clock
        self._empty_at: OrderedDict[bytes, float] = OrderedDict()

    def wait(self, key: bytes, attempts: int = 1) -> float:
        """Return the seconds until `key` may make an attempt that counts as `attempts`; 0 if it may do so now."""
        left = self._empty_at.get(key, 0.0) - self._clock.monotonic()
        return max(0.0, left + self._weight(attempts) - self._full)

    def take(self, key: bytes, attempts: int = 1) -> None:
        """Count one attempt as `attempts`."""
        now = self._clock.monotonic()
        self._empty_at[key] = max(self._empty_at.get(key, now), now) + self._weight(attempts)
        self._empty_at.move_to_end(key)
        self._forget(now)

    def give_back(self, key: bytes, attempts: int = 1) -> None:
        """Undo the count of one attempt."""
        if key in self._empty_at:
            self._empty_at[key] -= self._weight(attempts)

    def clear(self, key: bytes) -> None:
        """Undo the count of all attempts."""
        self._empty_at.pop(key, None)

    def _weight(self, attempts: int) -> float:
        """Return what an attempt adds, in seconds; an empty bucket has room for one, whatever it counts as."""
        return min(attempts, self._size) * self._seconds

    def _forget(self, now: float) -> None:
        while len(self._empty_at) > _MOST_KEYS or next(iter(self._empty_at.values())) <= now:
            self._empty_at.popitem(last=False)
