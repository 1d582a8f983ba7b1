"""Questions by hand: whose events and of when, and the shape that each question has.

A question is a generator: it yields SQL, is sent rows, and returns the parts of the product's answer that it found.
"""

from collections.abc import Callable, Generator, Iterable
from typing import Any, NamedTuple

JsonRow = dict[str, Any]
Asking = Generator[str, list[JsonRow], JsonRow]

DAY_MS = 86_400_000


class Span(NamedTuple):
    """Whose events, and of when."""

    workspace_id: str
    environment: str
    from_ms: int
    until_ms: int

    def where(self, *conditions: str, before: bool = False) -> str:
        """The scope and the window, with the one before it if asked for, and `conditions`."""
        first = self.from_ms - (self.until_ms - self.from_ms if before else 0)
        times = (f"timestamp >= {instant(first)}", f"timestamp <= {instant(self.until_ms)}")
        return f"WHERE {self.scope} AND {' AND '.join([*times, *conditions])}"

    @property
    def scope(self) -> str:
        """The workspace and the environment."""
        return f"workspace_id = '{self.workspace_id}' AND environment = '{self.environment}'"

    @property
    def is_current(self) -> str:
        """True in the window, false in the one before."""
        return f"timestamp >= {instant(self.from_ms)}"

    def days(self) -> Iterable[int]:
        """The first millisecond of each day."""
        return range(self.from_ms // DAY_MS * DAY_MS, self.until_ms + 1, DAY_MS)


ByHand = Callable[[Span], Asking]


def instant(ms: int) -> str:
    """A moment, of the type of an event's timestamp."""
    return f"fromUnixTimestamp64Milli({ms}, 'UTC')"


def labels_of(span: Span, keys: set[str]) -> str:
    """The newest labels of some actors."""
    listed = ", ".join(f"'{key}'" for key in sorted(keys))
    theirs = f"WHERE {span.scope} AND actor IN ({listed})"
    return f"SELECT actor, max(newest).5 AS label FROM actor_labels {theirs} GROUP BY actor"
