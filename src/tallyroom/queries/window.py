"""The window of a question: the time of the events that it counts (rules/questions#window)."""

from collections.abc import Iterable, Iterator

import msgspec

from tallyroom.queries.query_parameters import QueryParameters


class Window(msgspec.Struct, frozen=True):
    """A time from one millisecond to another since 1970-01-01 UTC, both inclusive."""

    from_ms: int
    until_ms: int

    def condition(self, parameters: QueryParameters) -> str:
        """Return SQL that is true for an event in the window."""
        return time_condition(self.from_ms, self.until_ms, parameters)


def join_windows(windows: Iterable[Window]) -> Iterator[Window]:
    """Return the time of some windows, in order and disjoint, as few windows."""
    joined: Window | None = None
    for window in windows:
        if joined is not None and joined.until_ms + 1 == window.from_ms:
            joined = Window(joined.from_ms, window.until_ms)
            continue
        if joined is not None:
            yield joined
        joined = window
    if joined is not None:
        yield joined


def time_condition(from_ms: int, until_ms: int, parameters: QueryParameters) -> str:
    """Return SQL that is true for an event from `from_ms` to `until_ms`, both inclusive.

    The SQL names the days as well, because the store sorts events by day and does not infer the days from the times.
    """
    parameters.extend_span(from_ms, until_ms)
    from_sql, until_sql = moments_sql(Window(from_ms, until_ms), parameters)
    days_sql = days_hint_sql(from_sql, until_sql)
    return f"timestamp >= {from_sql} AND timestamp <= {until_sql}\n  AND indexHint({days_sql})"


def moments_sql(window: Window, parameters: QueryParameters) -> tuple[str, str]:
    """Return SQL for the first and the last millisecond of a window, in the type of an event's timestamp."""
    return (
        edge_sql("from_ms", max(window.from_ms, 0), parameters),
        edge_sql("until_ms", max(window.until_ms, -1), parameters),
    )


def days_hint_sql(from_sql: str, until_sql: str) -> str:
    """Return SQL for ``indexHint`` that is true for the days of the events between two moments."""
    return f"toDate(timestamp) >= toDate({from_sql}) AND toDate(timestamp) <= toDate({until_sql})"


def timestamp_sql(base_name: str, ms: int, parameters: QueryParameters) -> str:
    """Return SQL for a moment, in the type of an event's timestamp."""
    return f"fromUnixTimestamp64Milli({parameters.bind_integer(base_name, ms)}, 'UTC')"


def edge_sql(base_name: str, ms: int, parameters: QueryParameters) -> str:
    """Return SQL for a moment that is only compared with the times of events (kept_answers/whole_rows.py)."""
    return f"fromUnixTimestamp64Milli({parameters.bind_edge(base_name, ms)}, 'UTC')"
