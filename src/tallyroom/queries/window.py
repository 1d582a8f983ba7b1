"""The window of a question: the time of the events that it counts (rules/questions#window)."""

import msgspec

from tallyroom.queries.query_parameters import QueryParameters


class Window(msgspec.Struct, frozen=True):
    """A time from one millisecond to another since 1970-01-01 UTC, both inclusive."""

    from_ms: int
    until_ms: int

    def condition(self, parameters: QueryParameters) -> str:
        """Return SQL that is true for an event in the window."""
        return time_condition(self.from_ms, self.until_ms, parameters)


def time_condition(from_ms: int, until_ms: int, parameters: QueryParameters) -> str:
    """Return SQL that is true for an event from `from_ms` to `until_ms`, both inclusive.

    The SQL names the days as well, because the store sorts events by day and does not infer the days from the times.
    """
    parameters.extend_span(from_ms, until_ms)
    from_sql = timestamp_sql("from_ms", max(from_ms, 0), parameters)
    until_sql = timestamp_sql("until_ms", max(until_ms, -1), parameters)
    days_hint_sql = f"indexHint(toDate(timestamp) >= toDate({from_sql}) AND toDate(timestamp) <= toDate({until_sql}))"
    return f"timestamp >= {from_sql} AND timestamp <= {until_sql}\n  AND {days_hint_sql}"


def timestamp_sql(base_name: str, ms: int, parameters: QueryParameters) -> str:
    """Return SQL for a moment, in the type of an event's timestamp."""
    return f"fromUnixTimestamp64Milli({parameters.bind_integer(base_name, ms)}, 'UTC')"
