"""Connects to PostgreSQL, and recognizes errors that are transient."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import asyncpg
from sqlalchemy.exc import DBAPIError

from tallyroom.core.errors import ServerAway, Unavailable
from tallyroom.storage import lost_connections

AWAY_MESSAGE = "The metadata database does not respond."

BUSY_MS = 5000  # how long a write waits for another process, a statement for a row, and anyone for a connection
ANSWER_SECONDS = 5.0  # how long the database may take to answer on the connection that announces changes
# How long a process waits for a statement by default, because a hanging server reports nothing. It is shorter than a
# worker trusts its caches, and longer than a statement waits for a row.
STATEMENT_SECONDS = 7.0

_STATEMENT_MS = 60_000  # then the server ends statements that this side has given up
_IDLE_TRANSACTION_MS = 60_000  # so that a stuck process releases its locks
# Both sides close a connection that no longer responds, so that a process that is cut off releases its locks much
# earlier.
_SETTINGS = {
    "application_name": "tallyroom",
    "idle_in_transaction_session_timeout": str(_IDLE_TRANSACTION_MS),
    "jit": "off",  # compiling a statement would take longer than running it
    "lock_timeout": str(BUSY_MS),
    "statement_timeout": str(_STATEMENT_MS),
    "tcp_keepalives_count": str(lost_connections.PROBE_COUNT),
    "tcp_keepalives_idle": str(lost_connections.SILENT_SECONDS),
    "tcp_keepalives_interval": str(lost_connections.PROBE_SECONDS),
    "tcp_user_timeout": str(lost_connections.LOST_MS),
}

# Classes of SQLSTATE: connections, resources, and what an operator or a limit has ended. Then single codes: a
# serialization conflict, a deadlock, a lock timeout, a transaction that was idle for too long.
_TRANSIENT_SQLSTATES = ("08", "53", "57", "40001", "40P01", "55P03", "25P03")
_INVALID_TEXT_SQLSTATE = "22021"
# The driver has read why the server closes the connection, but not yet that it is closed.
_CLOSING_MESSAGE = "another operation (2) is in progress"


class _Connection(asyncpg.Connection):  # type: ignore[misc] # the driver has no types
    """A connection that closes when the other side no longer responds."""

    def __init__(self, protocol: Any, transport: Any, *arguments: Any) -> None:
        super().__init__(protocol, transport, *arguments)
        set_socket_options(transport.get_extra_info("socket"))


def set_socket_options(client_socket: socket.socket) -> None:
    """Apply on this side the timeouts that the session settings apply on the server."""
    if client_socket.family == socket.AF_UNIX:
        return
    for option in lost_connections.SOCKET_OPTIONS:
        client_socket.setsockopt(*option)


async def connect(
    dsn: str, statement_timeout_seconds: float | None = STATEMENT_SECONDS, **settings: str
) -> asyncpg.Connection:
    """Open a connection; raise `OSError` or `TimeoutError` if that fails for any reason, such as an invalid `dsn`.

    A statement raises `TimeoutError` after `statement_timeout_seconds`; None means no limit.
    """
    try:
        return await asyncpg.connect(
            dsn,
            timeout=BUSY_MS / 1000,
            command_timeout=statement_timeout_seconds,
            server_settings=_SETTINGS | settings,
            connection_class=_Connection,
            target_session_attrs="primary",  # a standby that is not promoted yet accepts no changes
        )
    except (
        asyncpg.PostgresError,
        asyncpg.InterfaceError,
        asyncpg.TargetServerAttributeNotMatched,
        ValueError,
    ) as error:
        raise ConnectionRefusedError(str(error)) from error


@contextmanager
def translate_errors() -> Iterator[None]:
    """Replace the driver's transient errors with `Unavailable`: a retry may succeed."""
    try:
        yield
    except Exception as error:
        if not is_transient(error):
            raise
        raise Unavailable(AWAY_MESSAGE) from error


@contextmanager
def translate_start_errors() -> Iterator[None]:
    """Like `translate_errors`, but raise `ServerAway` with the server's message, for a start or a command."""
    try:
        yield
    except Exception as error:
        if not is_transient(error):
            raise
        raise ServerAway(f"The metadata database does not respond: {error}") from error


def is_transient(error: BaseException) -> bool:
    """Return whether a retry may succeed: nothing answers, or others hold what this needs."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        return is_transient(error.orig)
    if sqlstate := _get_sqlstate(error):
        return sqlstate.startswith(_TRANSIENT_SQLSTATES)
    if isinstance(error, asyncpg.InternalClientError):
        return _CLOSING_MESSAGE in str(error)
    if isinstance(error, asyncpg.InterfaceError):
        return "closed" in str(error) or "closing" in str(error)  # the connection or its pool; anything else is a bug
    return isinstance(error, OSError | TimeoutError)


def is_invalid_text(error: BaseException) -> bool:
    """Return whether PostgreSQL rejected a value as text, for example for a NUL, so that no row can have it."""
    return _get_sqlstate(error) == _INVALID_TEXT_SQLSTATE


def _get_sqlstate(error: BaseException) -> str | None:
    sqlstate: str | None = getattr(error, "sqlstate", None)
    return sqlstate
