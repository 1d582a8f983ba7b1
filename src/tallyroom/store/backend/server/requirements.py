"""What a ClickHouse server and its two users need, checked before anything is read or written."""

import re
from contextlib import closing

import msgspec

from tallyroom.core.errors import TallyroomError
from tallyroom.core.event_server import EventServer, Login
from tallyroom.store.backend.backend import ReadLimits
from tallyroom.store.backend.server.connection import ServerConnection
from tallyroom.store.backend.server.sealed_reader import ServerReader
from tallyroom.store.backend.sql_text import quoted
from tallyroom.store.errors import StoreError

OLDEST = (26, 9)
"""The oldest release that may be used: that of the engine that the tests run on."""

_WRITER_NEEDS = ("SELECT", "INSERT", "ALTER", "CREATE TABLE", "CREATE VIEW", "DROP TABLE", "OPTIMIZE")
_READER_NEEDS = ("SELECT", "CHECK")
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
_LONG = "x" * 10_000  # so long that the text of the query needs a setting of its own


class EventServerUnusable(TallyroomError):
    """The ClickHouse server does not answer, is too old, or its users have too few rights or too many."""


def check_requirements(server: EventServer, limits: ReadLimits) -> None:
    """Ask the server, as both users, with every setting that they send.

    Args:
        server: the server.
        limits: those of questions.

    Raises:
        EventServerUnusable: what is missing, in words for the operator.
    """
    try:
        with closing(ServerConnection(server)) as writer:
            _check_version(server, writer.query("SELECT version()", {}))
            _check_writer(server, writer)
        with closing(ServerReader(server, msgspec.structs.replace(limits, block_rows=1), "")) as reader:
            _check_reader(server, reader)
    except StoreError as error:
        raise EventServerUnusable(
            f"The ClickHouse server {server.address} cannot be used: {str(error).splitlines()[0][:500]}"
        ) from error


def _check_version(server: EventServer, version: str) -> None:
    found = re.match(r"(\d+)\.(\d+)", version)
    if not found or (int(found[1]), int(found[2])) < OLDEST:
        raise EventServerUnusable(
            f"The ClickHouse server {server.address} has version {version.strip()}, which is older than "
            f"{'.'.join(map(str, OLDEST))}."
        )


def _check_writer(server: EventServer, writer: ServerConnection) -> None:
    writer.query("SELECT length({text:String})", {"text": _LONG})
    needed = [f"{right} ON {quoted(server.database)}.*" for right in _WRITER_NEEDS]
    if _is_granted(writer.query(f"CHECK GRANT {', '.join(needed)}", {})):
        return
    lacking = [right for right in needed if not _is_granted(writer.query(f"CHECK GRANT {right}", {}))]
    if lacking:
        raise EventServerUnusable(f"{_who(server, server.writer)} lacks rights: GRANT {', '.join(lacking)}.")


def _check_reader(server: EventServer, reader: ServerReader) -> None:
    def has(right: str) -> bool:
        return _is_granted(reader.query(f"CHECK GRANT {right}", {}, "TabSeparated").decode())

    reader.query("SELECT length({text:String})", {"text": _LONG})
    database = quoted(server.database)
    who = _who(server, server.reader)
    if not all(has(f"{right} ON {database}.*") for right in _READER_NEEDS):
        raise EventServerUnusable(f"{who} cannot read: GRANT {', '.join(_READER_NEEDS)} ON {database}.*.")
    excess = [right for each in _READER_LACKS if has(right := each.format(database=database))]
    if excess:
        raise EventServerUnusable(f"{who} must only read: REVOKE {', '.join(excess)}.")


def _who(server: EventServer, login: Login) -> str:
    return f"The user {login.user} of the ClickHouse server {server.address}"


def _is_granted(answer: str) -> bool:
    return answer.strip() == "1"
