"""Questions by hand: whose events and of when, and the shape that each question has.

A question is a generator: it yields SQL, is sent rows, and returns the parts of the product's answer that it found.
"""

from collections.abc import Callable, Generator, Iterable
from typing import Any, NamedTuple

JsonRow = dict[str, Any]
AnswerGenerator = Generator[str, list[JsonRow], JsonRow]

DAY_MS = 86_400_000


class Span(NamedTuple):
    """Whose events, and of when."""

    workspace_id: str
    environment: str
    from_ms: int
    until_ms: int

    def build_where(self, *conditions: str, with_window_before: bool = False) -> str:
        """The scope and the window, with the one before it if asked for, and `conditions`."""
        first_ms = self.from_ms - (self.until_ms - self.from_ms if with_window_before else 0)
        time_conditions = (f"timestamp >= {instant_sql(first_ms)}", f"timestamp <= {instant_sql(self.until_ms)}")
        return f"WHERE {self.scope_sql} AND {' AND '.join([*time_conditions, *conditions])}"

    @property
    def scope_sql(self) -> str:
        """The workspace and the environment."""
        return f"workspace_id = '{self.workspace_id}' AND environment = '{self.environment}'"

    @property
    def is_current_sql(self) -> str:
        """True in the window, false in the one before."""
        return f"timestamp >= {instant_sql(self.from_ms)}"

    def list_day_starts_ms(self) -> Iterable[int]:
        """The first millisecond of each day."""
        return range(self.from_ms // DAY_MS * DAY_MS, self.until_ms + 1, DAY_MS)


HandQuestion = Callable[[Span], AnswerGenerator]


def instant_sql(ms: int) -> str:
    """A moment, of the type of an event's timestamp."""
    return f"fromUnixTimestamp64Milli({ms}, 'UTC')"


def build_labels_sql(span: Span, actor_keys: set[str]) -> str:
    """The newest labels of some actors."""
    key_list = ", ".join(f"'{key}'" for key in sorted(actor_keys))
    where_sql = f"WHERE {span.scope_sql} AND actor IN ({key_list})"
    return f"SELECT actor, max(newest).5 AS label FROM actor_labels {where_sql} GROUP BY actor"
