"""A change of the spool's file that shares a commit with others and fails alone."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

Result = TypeVar("Result")
Change = Callable[[sqlite3.Connection], Result]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a change: a result, or the error that undid it."""

    result: Any = None
    error: Exception | None = None

    def tell(self, future: Future[Any]) -> None:
        """Pass it on, when the commit is durable."""
        if self.error is None:
            future.set_result(self.result)
        else:
            future.set_exception(self.error)


def attempt(change: Change[Any], connection: sqlite3.Connection) -> Outcome:
    """Run `change` so that its failure undoes nothing but itself."""
    connection.execute("SAVEPOINT change")
    try:
        outcome = Outcome(result=change(connection))
    except Exception as error:  # whatever it is, it goes to the one who asked for the change
        if not connection.in_transaction:  # the disk is full: SQLite itself gave up the whole transaction
            raise
        connection.execute("ROLLBACK TO change")
        outcome = Outcome(error=error)
    connection.execute("RELEASE change")
    return outcome
