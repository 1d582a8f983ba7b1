"""A query plan: the queries behind an answer, and how their rows become that answer. It does no I/O and never waits.

A kind's query plan is a generator. It yields one `Query` at a time, is sent its rows, and returns the result. The plan
therefore reads from top to bottom, a later query can depend on an earlier answer, and a test can run it on rows
written by hand.
"""

from collections.abc import Generator
from typing import Any, Generic, TypeVar

import msgspec

from tallyroom.engine.bound import Bound

R = TypeVar("R", bound=msgspec.Struct)
A = TypeVar("A")


class Query(msgspec.Struct, Generic[R], frozen=True):
    """One SELECT that contains ``{scope}``, its bound values, and the struct that each row becomes."""

    sql: str
    parameters: dict[str, Any]
    row_type: type[R]


QueryPlan = Generator[Query[Any], list[Any], A]
"""Yields queries, is sent lists of rows, returns the answer."""


def scoped_where(*conditions: str) -> str:
    """Return the WHERE clause of a read of events: the scope, which must come first, and then all `conditions`."""
    return "\n  AND ".join(["WHERE {scope}", *conditions])


def rows(sql: str, bound: Bound, row_type: type[R]) -> QueryPlan[list[R]]:
    """Run one query against the event store and return its rows; query plans call it with ``yield from``."""
    found: list[R] = yield Query(sql.strip(), bound.values, row_type)
    return found
