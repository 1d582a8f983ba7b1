"""Reads the ClickHouse server of the events, and its two users, from two settings."""

from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from tallyroom.core.host_names import bracket_ipv6

_TLS_BY_SCHEME = {"clickhouse": False, "clickhouses": True}
_DEFAULT_PORTS = {False: 8123, True: 8443}  # of ClickHouse's HTTP interface
_DSN_FORM = "clickhouse://user:password@host:8123/database, or clickhouses://… for TLS"


class Login(NamedTuple):
    """A user of a server."""

    user: str
    password: str


class EventServer(NamedTuple):
    """A ClickHouse server with an HTTP interface: the writer changes the tables, the reader only answers questions."""

    host: str
    port: int
    uses_tls: bool
    database: str
    writer: Login
    reader: Login

    @property
    def address(self) -> str:
        """The address of the server, without any password."""
        return f"{bracket_ipv6(self.host)}:{self.port}/{self.database}"


def read_event_server(dsn: str, reader_login: str) -> EventServer:
    """Parse ``clickhouse[s]://user:password@host:8123/database`` and ``user:password``, both percent-encoded.

    Raises `ValueError`, which does not repeat them: both contain a password.
    """
    try:
        url_parts = urlsplit(dsn)
        port = url_parts.port
    except ValueError:
        raise ValueError("TALLYROOM_EVENTS_DSN is not a URL") from None
    database, uses_tls = unquote(url_parts.path.removeprefix("/")), _TLS_BY_SCHEME.get(url_parts.scheme)
    has_extra_parts = url_parts.query or url_parts.fragment or "/" in url_parts.path.removeprefix("/")
    if uses_tls is None or has_extra_parts or not (url_parts.hostname and url_parts.username and database):
        raise ValueError(f"TALLYROOM_EVENTS_DSN must have the form {_DSN_FORM}")
    writer = Login(unquote(url_parts.username), unquote(url_parts.password or ""))
    user, _, password = reader_login.partition(":")
    if not user:
        raise ValueError("TALLYROOM_EVENTS_READER must have the form user:password")
    if unquote(user) == writer.user:
        raise ValueError("TALLYROOM_EVENTS_READER must name a different user than TALLYROOM_EVENTS_DSN")
    return EventServer(
        url_parts.hostname,
        port or _DEFAULT_PORTS[uses_tls],
        uses_tls,
        database,
        writer,
        Login(unquote(user), unquote(password)),
    )
