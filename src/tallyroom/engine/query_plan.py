"""A query plan: the queries that an answer takes, and how their rows become the answer. Nothing in it reads or waits.

A kind's query plan is a generator. It yields one `Query` at a time, is sent its rows, and returns the result. So it
reads from top to bottom, a later query can depend on an earlier answer, and a test can run it on rows written by hand.
"""

from collections.abc import Generator
from typing import Any, Generic, TypeVar

import msgspec

from tallyroom.engine.bound import Bound

R = TypeVar("R", bound=msgspec.Struct)
A = TypeVar("A")


class Query(msgspec.Struct, Generic[R], frozen=True):
    """One SELECT with ``{scope}`` in it, its bound values, and the struct of a row."""

    sql: str
    parameters: dict[str, Any]
    row_type: type[R]


QueryPlan = Generator[Query[Any], list[Any], A]
"""Yields queries, is sent lists of rows, returns the answer."""


def scoped_where(*conditions: str) -> str:
    """The WHERE of a read of events: the scope, which has to come first, and all of `conditions`."""
    return "\n  AND ".join(["WHERE {scope}", *conditions])


def rows(sql: str, bound: Bound, row_type: type[R]) -> QueryPlan[list[R]]:
    """Ask one query of the event store and get its rows; a query plan says ``yield from`` to it."""
    found: list[R] = yield Query(sql.strip(), bound.values, row_type)
    return found
