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
        ordered = sorted(self._milliseconds)
        self._milliseconds.clear()
        if not ordered:
            return [None] * len(percents)
        return [round(ordered[max(0, -(-len(ordered) * percent // 100) - 1)], 1) for percent in percents]
