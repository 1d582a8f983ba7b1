"""What a ClickHouse server and its two users need, checked before anything is read or written."""

import re
from collections.abc import Callable, Iterable
from contextlib import closing

import msgspec

from tallyroom.core.errors import ServerAway, TallyroomError
from tallyroom.core.event_server import EventServer, Login
from tallyroom.storage.event_store.backend.backend import ReadLimits
from tallyroom.storage.event_store.backend.server.client import open_client
from tallyroom.storage.event_store.backend.server.connection import ServerConnection
from tallyroom.storage.event_store.backend.server.sealed_reader import ServerReader
from tallyroom.storage.event_store.backend.sql_text import quote_identifier
from tallyroom.storage.event_store.errors import StoreError

MIN_VERSION = (26, 9)  # the oldest release that may be used: the one of the engine in the tests

# The server requires a right for most of its own tables, including those read by other kinds of statements.
WRITER_RIGHTS = (
    "SELECT ON {database}.*",
    "INSERT ON {database}.*",
    "ALTER ON {database}.*",
    "CREATE TABLE ON {database}.*",
    "CREATE VIEW ON {database}.*",
    "DROP TABLE ON {database}.*",
    "OPTIMIZE ON {database}.*",
    "SELECT ON system.mutations",
    "SELECT ON system.parts",
)
# A start does not ask for these: without them, properties have no columns of their own, and questions take longer.
COLUMN_RIGHTS = ("SELECT ON system.parts_columns",)
READER_RIGHTS = (
    "SELECT ON {database}.*",
    "CHECK ON {database}.*",
    "SELECT ON system.parts",
    "SELECT ON system.processes",  # to stop its own queries
)
_FORBIDDEN_READER_RIGHTS = (
    "INSERT ON {database}.*",
    "ALTER ON {database}.*",
    "DROP ON {database}.*",
    "CREATE TABLE ON {database}.*",
    "CREATE FUNCTION ON *.*",
    "SYSTEM ON *.*",
    "FILE ON *.*",
    "URL ON *.*",
    "REMOTE ON *.*",
    "S3 ON *.*",
)
_PROXY_ERROR_PATTERN = re.compile(r"HTTP status 50[234]\b")  # from a proxy in front of a server that does not answer
_TIMEOUT_SECONDS = 10
_INLINED_TEXT = "x" * 10_000  # long enough that the query needs a separate setting


class EventServerUnusable(TallyroomError):
    """The ClickHouse server is too old, or its users have too few rights or too many."""


class EventServerAway(EventServerUnusable, ServerAway):
    """The ClickHouse server does not answer."""


def check_requirements(server: EventServer, limits: ReadLimits, connect: Callable[[], ServerConnection]) -> None:
    """Ask the server, as both users, with every setting that they send; raises `EventServerUnusable`.

    `connect` opens a connection of the user that may change the store.
    """
    try:
        _check_version(server)
        with closing(connect()) as writer:
            _check_writer(server, writer)
        with closing(ServerReader(server, msgspec.structs.replace(limits, max_block_rows=1), "")) as reader:
            _check_reader(server, reader)
    except StoreError as error:
        root_cause = _root_cause(error)
        server_name = f"The ClickHouse server {server.address}"
        if isinstance(root_cause, OSError) or error.is_transient or _PROXY_ERROR_PATTERN.search(str(error)):
            raise EventServerAway(f"{server_name} does not respond: {_first_line(root_cause)}") from error
        raise EventServerUnusable(f"{server_name} cannot be used: {_first_line(error)}") from error


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [""])[0][:500]


def _root_cause(error: BaseException) -> BaseException:
    """Return the first cause of `error`; the errors that libraries raise in between are about themselves."""
    cause = error.__cause__ or error.__context__
    return _root_cause(cause) if cause else error


def _check_version(server: EventServer) -> None:
    """Ask without settings, because an older server refuses settings that it does not know."""
    with closing(open_client(server, server.writer, {}, _TIMEOUT_SECONDS)) as client:
        version = client.server_version or "unknown"
    version_match = re.match(r"(\d+)\.(\d+)", version)
    if not version_match or (int(version_match[1]), int(version_match[2])) < MIN_VERSION:
        min_version = ".".join(map(str, MIN_VERSION))
        server_text = f"The ClickHouse server {server.address} has version {version}."
        raise EventServerUnusable(f"{server_text} Upgrade it to {min_version} or newer.")


def _check_writer(server: EventServer, writer: ServerConnection) -> None:
    writer.query("SELECT length({text:String})", {"text": _INLINED_TEXT})
    _check_rights(server, server.writer, WRITER_RIGHTS, lambda sql: writer.query(sql, {}))


def _check_reader(server: EventServer, reader: ServerReader) -> None:
    def run_query(sql: str) -> str:
        return reader.query(sql, {}, "TabSeparated").decode()

    reader.query("SELECT length({text:String})", {"text": _INLINED_TEXT})
    _check_rights(server, server.reader, READER_RIGHTS, run_query)
    rights = _fill_in_database(server, _FORBIDDEN_READER_RIGHTS)
    if excess_rights := [right for right in rights if _is_granted(run_query(f"CHECK GRANT {right}"))]:
        user = _describe_user(server, server.reader)
        raise EventServerUnusable(f"{user} must be read-only: REVOKE {', '.join(excess_rights)}.")


def _check_rights(server: EventServer, login: Login, rights: Iterable[str], run_query: Callable[[str], str]) -> None:
    required_rights = _fill_in_database(server, rights)
    if _is_granted(run_query(f"CHECK GRANT {', '.join(required_rights)}")):
        return
    missing_rights = [right for right in required_rights if not _is_granted(run_query(f"CHECK GRANT {right}"))]
    if missing_rights:
        raise EventServerUnusable(f"{_describe_user(server, login)} lacks rights: GRANT {', '.join(missing_rights)}.")


def _fill_in_database(server: EventServer, rights: Iterable[str]) -> list[str]:
    return [right.format(database=quote_identifier(server.database)) for right in rights]


def _describe_user(server: EventServer, login: Login) -> str:
    return f"The user {login.user} of the ClickHouse server {server.address}"


def _is_granted(answer: str) -> bool:
    return answer.strip() == "1"
