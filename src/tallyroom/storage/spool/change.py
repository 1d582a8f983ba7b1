"""Changes to the spool's file that share a commit with others but fail alone."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

Result = TypeVar("Result")
Change = Callable[[sqlite3.Connection], Result]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a change: a result, or the error that undid it."""

    result: Any = None
    error: Exception | None = None

    def deliver(self, future: Future[Any]) -> None:
        """Pass the outcome to the future; call this once the commit is durable."""
        if self.error is None:
            future.set_result(self.result)
        else:
            future.set_exception(self.error)


def run_in_savepoint(change: Change[Any], connection: sqlite3.Connection) -> Outcome:
    """Run `change` in a savepoint, so that a failure undoes nothing else."""
    connection.execute("SAVEPOINT change")
    try:
        outcome = Outcome(result=change(connection))
    except Exception as error:  # any error goes to the caller of the change
        if not connection.in_transaction:  # the disk is full: SQLite itself gave up the whole transaction
            raise
        connection.execute("ROLLBACK TO change")
        outcome = Outcome(error=error)
    connection.execute("RELEASE change")
    return outcome
