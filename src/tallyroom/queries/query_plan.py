"""A query plan: the queries behind an answer, and how their rows become that answer. It does no I/O and never waits.

A kind's query plan is a generator. It yields one `Query` at a time, is sent its rows, and returns the result; an
External widget's yields one `FetchRequest` and is sent its outcome; in the middle of long work on rows, it yields None.
It therefore reads from top to bottom, a later query can depend on an earlier answer, and a test can run it on rows
written by hand.
"""

from collections.abc import Generator, Sized
from typing import Any, Generic, Literal, TypeVar

import msgspec

from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.values import Value

Row = TypeVar("Row", bound=msgspec.Struct)
Answer = TypeVar("Answer")


class Query(msgspec.Struct, Generic[Row], frozen=True):
    """One SELECT that contains ``{scope}``, its parameters, and the struct that each row becomes."""

    sql: str
    parameters: dict[str, Any]
    row_type: type[Row]


class FetchRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One value to fetch from an external source.

    Attributes:
        source_id: the source, which must belong to the workspace that asks.
        url: the address, on the host of the source.
        value_path: where the value is in the answer.
        value_type: what it must be.
    """

    source_id: str
    url: str
    value_path: str
    value_type: Literal["number", "text"]


class FetchOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a fetch.

    Attributes:
        value: what was fetched, now or the last time that it worked; None if it never did.
        fetched_at_ms: when that was.
        error: why there is no new value, in words for members; None if there is one.
    """

    value: Value | str = None
    fetched_at_ms: int | None = None
    error: str | None = None


QueryPlan = Generator[Query[Any] | FetchRequest | None, Any, Answer]
"""Yields queries and is sent lists of rows, yields fetches and is sent their outcomes, returns the answer.

It yields None where other tasks may take their turn.
"""

_LONG_LIST_LENGTH = 250
"""The number of entries from which a list is worth a turn: about a tenth of a millisecond."""


def scoped_where(*conditions: str) -> str:
    """Return the WHERE clause of a read of events: the scope, which must come first, and then all `conditions`."""
    return "\n  AND ".join(["WHERE {scope}", *conditions])


def pause_after(entries: Sized) -> QueryPlan[None]:
    """Give other tasks their turn if these entries were many; query plans call it between long lists."""
    if len(entries) >= _LONG_LIST_LENGTH:
        yield None


def query_rows(sql: str, parameters: QueryParameters, row_type: type[Row]) -> QueryPlan[list[Row]]:
    """Run one query against the event store and return its rows; query plans call it with ``yield from``."""
    answer_rows: list[Row] = yield Query(sql.strip(), parameters.values, row_type)
    return answer_rows
