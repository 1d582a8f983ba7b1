"""A limit on attempts: some at once, then one more at a time. It stores only one number per key."""

from collections import OrderedDict

from tallyroom.core.clock import Clock

_MAX_KEYS = 100_000  # ~15 MB; each key costs a password check, and a machine does fewer than this in half an hour


class LeakyBuckets:
    """One bucket per key: an attempt adds one to it, and it leaks one every `leak_seconds` (GCRA).

    A bucket with `burst` attempts is full. Empty buckets are forgotten, and the oldest ones beyond 100,000 keys.
    """

    def __init__(self, burst: int, leak_seconds: float, clock: Clock) -> None:
        self._burst = burst
        self._leak_seconds = leak_seconds
        self._full_seconds = burst * leak_seconds
        self._clock = clock
        self._empty_at_by_key: OrderedDict[bytes, float] = OrderedDict()

    def seconds_until(self, key: bytes, attempt_count: int = 1) -> float:
        """Return the seconds until `key` may make an attempt that counts as `attempt_count`; 0 if it may now."""
        filled_seconds = self._empty_at_by_key.get(key, 0.0) - self._clock.monotonic()
        return max(0.0, filled_seconds + self._fill_seconds(attempt_count) - self._full_seconds)

    def add_attempt(self, key: bytes, attempt_count: int = 1) -> None:
        """Count one attempt as `attempt_count`."""
        now_s = self._clock.monotonic()
        empty_at = max(self._empty_at_by_key.get(key, now_s), now_s)
        self._empty_at_by_key[key] = empty_at + self._fill_seconds(attempt_count)
        self._empty_at_by_key.move_to_end(key)
        self._forget_empty(now_s)

    def undo_attempt(self, key: bytes, attempt_count: int = 1) -> None:
        """Undo the count of one attempt."""
        if key in self._empty_at_by_key:
            self._empty_at_by_key[key] -= self._fill_seconds(attempt_count)

    def clear(self, key: bytes) -> None:
        """Undo the count of all attempts."""
        self._empty_at_by_key.pop(key, None)

    def _fill_seconds(self, attempt_count: int) -> float:
        """Return the seconds that an attempt adds; an empty bucket has room for one, however much it counts."""
        return min(attempt_count, self._burst) * self._leak_seconds

    def _forget_empty(self, now_s: float) -> None:
        while len(self._empty_at_by_key) > _MAX_KEYS or next(iter(self._empty_at_by_key.values())) <= now_s:
            self._empty_at_by_key.popitem(last=False)
