"""Reads the ClickHouse server of the events, and the two users that use it, from two settings."""

from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from tallyroom.core.host_names import bracketed

_SECURE = {"clickhouse": False, "clickhouses": True}
_PORTS = {False: 8123, True: 8443}  # of ClickHouse's HTTP interface
_FORM = "clickhouse://user:password@host:8123/database, or clickhouses://… for TLS"


class Login(NamedTuple):
    """A user of a server."""

    user: str
    password: str


class EventServer(NamedTuple):
    """A ClickHouse server, reached through its HTTP interface.

    The writer makes the tables and changes what they hold; the reader only answers questions.
    """

    host: str
    port: int
    secure: bool
    database: str
    writer: Login
    reader: Login

    @property
    def address(self) -> str:
        """Where the server is, without any password."""
        return f"{bracketed(self.host)}:{self.port}/{self.database}"


def read_event_server(dsn: str, reader: str) -> EventServer:
    """Parse both settings, in which special characters are percent-encoded.

    Args:
        dsn: as in ``clickhouse://user:password@host:8123/database``; with ``clickhouses`` the connection is encrypted.
        reader: the user that only reads, as in ``user:password``.

    Raises:
        ValueError: one of them cannot be read; the message repeats neither, because both contain a password.
    """
    try:
        parts = urlsplit(dsn)
        port = parts.port
    except ValueError:
        raise ValueError("TALLYROOM_EVENTS_DSN is not a URL") from None
    database = unquote(parts.path.removeprefix("/"))
    secure = _SECURE.get(parts.scheme)
    if secure is None or not (parts.hostname and parts.username and database) or _has_more(parts):
        raise ValueError(f"TALLYROOM_EVENTS_DSN must have the form {_FORM}")
    writer = Login(unquote(parts.username), unquote(parts.password or ""))
    user, _, password = reader.partition(":")
    if not user:
        raise ValueError("TALLYROOM_EVENTS_READER must have the form user:password")
    if unquote(user) == writer.user:
        raise ValueError("TALLYROOM_EVENTS_READER must be another user than that of TALLYROOM_EVENTS_DSN")
    return EventServer(
        parts.hostname, port or _PORTS[secure], secure, database, writer, Login(unquote(user), unquote(password))
    )


def _has_more(parts: SplitResult) -> bool:
    return bool(parts.query or parts.fragment or "/" in parts.path.removeprefix("/"))
