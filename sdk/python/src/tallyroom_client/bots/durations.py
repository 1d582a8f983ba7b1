"""How long commands ran: percentiles of the last while."""

from collections import deque

_LIMIT = 10_000
"""So many durations are kept; beyond them, the oldest is forgotten."""


class Durations:
    """Milliseconds that commands took since the percentiles were last read."""

    def __init__(self) -> None:
        self._milliseconds: deque[float] = deque(maxlen=_LIMIT)

    def add(self, milliseconds: float) -> None:
        """Remember how long a command ran."""
        self._milliseconds.append(milliseconds)

    def take_percentiles(self, *percents: int) -> list[float | None]:
        """Return the percentiles, None for each if no command ran, and begin again."""
        sorted_milliseconds = sorted(self._milliseconds)
        self._milliseconds.clear()
        if not sorted_milliseconds:
            return [None] * len(percents)
        return [
            round(sorted_milliseconds[max(0, -(-len(sorted_milliseconds) * percent // 100) - 1)], 1)
            for percent in percents
        ]
