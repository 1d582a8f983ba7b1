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
from tallyroom.storage.event_store.backend.sql_text import quoted
from tallyroom.storage.event_store.errors import StoreError

OLDEST = (26, 9)
"""The oldest release that may be used: that of the engine that the tests run on."""

# A server asks for a right to most of its own tables; those that a statement of another kind reads are among them.
WRITER_NEEDS = (
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
READER_NEEDS = (
    "SELECT ON {database}.*",
    "CHECK ON {database}.*",
    "SELECT ON system.parts",
    "SELECT ON system.processes",  # to stop queries of its own
)
_READER_LACKS = (
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
_OF_A_PROXY = re.compile(r"HTTP status 50[234]\b")  # in front of a server that does not answer
_SECONDS = 10
_LONG = "x" * 10_000  # so long that the text of the query needs a setting of its own


class EventServerUnusable(TallyroomError):
    """The ClickHouse server is too old, or its users have too few rights or too many."""


class EventServerAway(EventServerUnusable, ServerAway):
    """The ClickHouse server does not answer."""


def check_requirements(server: EventServer, limits: ReadLimits) -> None:
    """Ask the server, as both users, with every setting that they send.

    Args:
        server: the server.
        limits: those of questions.

    Raises:
        EventServerUnusable: what is missing, in words for the operator; it may only be the server's answer.
    """
    try:
        _check_version(server)
        with closing(ServerConnection(server)) as writer:
            _check_writer(server, writer)
        with closing(ServerReader(server, msgspec.structs.replace(limits, block_rows=1), "")) as reader:
            _check_reader(server, reader)
    except StoreError as error:
        root = _root(error)
        of = f"The ClickHouse server {server.address}"
        if isinstance(root, OSError) or error.passes or _OF_A_PROXY.search(str(error)):
            raise EventServerAway(f"{of} does not answer: {_first_line(root)}") from error
        raise EventServerUnusable(f"{of} cannot be used: {_first_line(error)}") from error


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [""])[0][:500]


def _root(error: BaseException) -> BaseException:
    """Return what caused `error` first; what libraries say about it in between is about themselves."""
    cause = error.__cause__ or error.__context__
    return _root(cause) if cause else error


def _check_version(server: EventServer) -> None:
    """Ask without settings, because an older server refuses those that it does not know."""
    with closing(open_client(server, server.writer, {}, _SECONDS)) as client:
        version = client.server_version or "unknown"
    release = re.match(r"(\d+)\.(\d+)", version)
    if not release or (int(release[1]), int(release[2])) < OLDEST:
        minimum = ".".join(map(str, OLDEST))
        raise EventServerUnusable(
            f"The ClickHouse server {server.address} has version {version}: {minimum} or newer is needed."
        )


def _check_writer(server: EventServer, writer: ServerConnection) -> None:
    writer.query("SELECT length({text:String})", {"text": _LONG})
    _check_rights(server, server.writer, WRITER_NEEDS, lambda sql: writer.query(sql, {}))


def _check_reader(server: EventServer, reader: ServerReader) -> None:
    def answer(sql: str) -> str:
        return reader.query(sql, {}, "TabSeparated").decode()

    reader.query("SELECT length({text:String})", {"text": _LONG})
    _check_rights(server, server.reader, READER_NEEDS, answer)
    excess = [right for right in _on(server, _READER_LACKS) if _is_granted(answer(f"CHECK GRANT {right}"))]
    if excess:
        raise EventServerUnusable(f"{_who(server, server.reader)} must only read: REVOKE {', '.join(excess)}.")


def _check_rights(server: EventServer, login: Login, needs: Iterable[str], answer: Callable[[str], str]) -> None:
    rights = _on(server, needs)
    if _is_granted(answer(f"CHECK GRANT {', '.join(rights)}")):
        return
    lacking = [right for right in rights if not _is_granted(answer(f"CHECK GRANT {right}"))]
    if lacking:
        raise EventServerUnusable(f"{_who(server, login)} lacks rights: GRANT {', '.join(lacking)}.")


def _on(server: EventServer, rights: Iterable[str]) -> list[str]:
    return [right.format(database=quoted(server.database)) for right in rights]


def _who(server: EventServer, login: Login) -> str:
    return f"The user {login.user} of the ClickHouse server {server.address}"


def _is_granted(answer: str) -> bool:
    return answer.strip() == "1"
