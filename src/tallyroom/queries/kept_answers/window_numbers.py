"""Numbers of windows: each kind of query keeps what the numbers of later windows follow from."""

from tallyroom.queries.kept_answers.distinct_counts import fetch_distinct_counts
from tallyroom.queries.kept_answers.kept_medians import fetch_medians
from tallyroom.queries.kept_answers.kept_rows import KeepingContext
from tallyroom.queries.window_queries import DistinctQuery, MedianQuery, WindowNumbers, WindowQuery


async def fetch_window_numbers(context: KeepingContext, query: WindowQuery) -> WindowNumbers | None:
    """Return the number of each window; None if there is too much to keep."""
    match query:
        case DistinctQuery():
            return await fetch_distinct_counts(context, query)
        case MedianQuery():
            return await fetch_medians(context, query)
    raise TypeError(f"unknown query {type(query).__name__}")
