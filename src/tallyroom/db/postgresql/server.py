"""How connections to PostgreSQL are made, and which of its errors may pass."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
from sqlalchemy.exc import DBAPIError

from tallyroom.core.errors import TallyroomError, Unavailable

AWAY = "The metadata database does not answer at the moment."

BUSY_MS = 5000
"""How long a write waits for another process, a statement for a row, and everybody for a connection."""

ANSWER_SECONDS = 5.0
"""How long the database may take to answer on the connection on which it tells of changes."""

_STATEMENT_MS = 60_000  # the longest are those of an upgrade, which lifts it
_IDLE_MS = 60_000  # a transaction whose process is gone or stuck gives up its locks
_SETTINGS = {
    "application_name": "tallyroom",
    "idle_in_transaction_session_timeout": str(_IDLE_MS),
    "jit": "off",  # compiling a statement would take longer than running it
    "lock_timeout": str(BUSY_MS),
    "statement_timeout": str(_STATEMENT_MS),
}

# Classes of SQLSTATE: connections, resources, and what an operator or a limit has ended. Then single codes: a conflict
# of transactions, a deadlock, a lock that came too late, a transaction that was idle for too long.
_MAY_PASS = ("08", "53", "57", "40001", "40P01", "55P03", "25P03")
_NO_TEXT = "22021"
# The driver has read why the server ends the connection, and not yet that it has ended.
_GOODBYE = "another operation (2) is in progress"


async def connect(dsn: str, **settings: str) -> asyncpg.Connection:
    """Open a connection to the database that `dsn` names; `settings` of the session come before ours.

    Raises:
        OSError, TimeoutError: there is no server, or it takes no connection, for whatever reason, such as a `dsn` that
            cannot be read.
    """
    try:
        return await asyncpg.connect(dsn, timeout=BUSY_MS / 1000, server_settings=_SETTINGS | settings)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
        raise ConnectionRefusedError(str(error)) from error


@contextmanager
def answering() -> Iterator[None]:
    """Say instead of the driver's error that trying again may help, where it may.

    Raises:
        Unavailable: that is so.
    """
    try:
        yield
    except Exception as error:
        if not may_pass(error):
            raise
        raise Unavailable(AWAY) from error


@contextmanager
def answering_a_start() -> Iterator[None]:
    """Like `answering`, for a start or a command, which ends with what the server says.

    Raises:
        TallyroomError: the server does not answer.
    """
    try:
        yield
    except Exception as error:
        if not may_pass(error):
            raise
        raise TallyroomError(f"The metadata database does not answer: {error}") from error


def may_pass(error: BaseException) -> bool:
    """Return whether trying again later may work: nothing answers, or others hold what this needs."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        return may_pass(error.orig)
    if state := _state(error):
        return state.startswith(_MAY_PASS)
    if isinstance(error, asyncpg.InternalClientError):
        return _GOODBYE in str(error)
    if isinstance(error, asyncpg.InterfaceError):
        return "closed" in str(error) or "closing" in str(error)  # the connection or its pool; anything else is a bug
    return isinstance(error, OSError | TimeoutError)


def holds_no_text(error: BaseException) -> bool:
    """Return whether a value has what PostgreSQL takes for no text, such as a NUL, so that no row can have it."""
    return _state(error) == _NO_TEXT


def _state(error: BaseException) -> str | None:
    state: str | None = getattr(error, "sqlstate", None)
    return state
