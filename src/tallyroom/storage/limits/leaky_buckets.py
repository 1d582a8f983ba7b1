"""A limit on attempts: some at once, then one more at a time. It stores only one number for each key."""

from collections import OrderedDict

from tallyroom.core.clock import Clock

_MAX_KEYS = 100_000  # ~15 MB; each key costs a password check, and a machine does fewer than this in half an hour


class LeakyBuckets:
    """One bucket for each key: an attempt adds one to it, and it leaks one in a fixed time (GCRA).

    A full bucket admits nothing until it has leaked. Empty buckets are forgotten, and beyond 100,000 keys also the
    bucket whose last attempt was longest ago.

    Args:
        burst: the number of attempts that may come at once.
        leak_seconds: the time after which one more attempt is allowed.
        clock: gives the `monotonic` time.
    """

    def __init__(self, burst: int, leak_seconds: float, clock: Clock) -> None:
        self._burst = burst
        self._leak_seconds = leak_seconds
        self._full_seconds = burst * leak_seconds
        self._clock = clock
        self._empty_at: OrderedDict[bytes, float] = OrderedDict()

    def seconds_until(self, key: bytes, attempts: int = 1) -> float:
        """Return the seconds until `key` may make an attempt that counts as `attempts`; 0 if it may do so now."""
        filled_seconds = self._empty_at.get(key, 0.0) - self._clock.monotonic()
        return max(0.0, filled_seconds + self._attempt_seconds(attempts) - self._full_seconds)

    def add_attempt(self, key: bytes, attempts: int = 1) -> None:
        """Count one attempt as `attempts`."""
        now = self._clock.monotonic()
        self._empty_at[key] = max(self._empty_at.get(key, now), now) + self._attempt_seconds(attempts)
        self._empty_at.move_to_end(key)
        self._forget(now)

    def undo_attempt(self, key: bytes, attempts: int = 1) -> None:
        """Undo the count of one attempt."""
        if key in self._empty_at:
            self._empty_at[key] -= self._attempt_seconds(attempts)

    def clear(self, key: bytes) -> None:
        """Undo the count of all attempts."""
        self._empty_at.pop(key, None)

    def _attempt_seconds(self, attempts: int) -> float:
        """Return what an attempt adds, in seconds; an empty bucket has room for one, whatever it counts as."""
        return min(attempts, self._burst) * self._leak_seconds

    def _forget(self, now: float) -> None:
        while len(self._empty_at) > _MAX_KEYS or next(iter(self._empty_at.values())) <= now:
            self._empty_at.popitem(last=False)
