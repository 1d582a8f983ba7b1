"""How long to wait before the next try."""

from collections.abc import Callable

_FIRST = 0.5
_LONGEST = 60.0
_LONGEST_REQUEST = 3600.0  # of the server, in Retry-After


class Backoff:
    """Waits between 0 and a bound that doubles with each failure, at least as long as the server asks for.

    Args:
        random: returns a number from 0 to 1.
    """

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._failure_count = 0

    def next_delay(self, retry_after: float | None = None) -> float:
        """Return the seconds to wait after one more failure."""
        bound = min(_LONGEST, _FIRST * float(1 << min(self._failure_count, 16)))
        self._failure_count += 1
        return max(self._random() * bound, min(retry_after or 0, _LONGEST_REQUEST))

    def reset(self) -> None:
        """Begin again after a success."""
        self._failure_count = 0
