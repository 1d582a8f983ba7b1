"""Reading events: compiled SELECTs only, inside one workspace and environment, through a sealed reader."""

import asyncio
import logging
import queue
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from tallyroom.core.errors import Internal
from tallyroom.store.connection import SealedReader
from tallyroom.store.errors import StoreError, StoreUnavailable
from tallyroom.store.tables import SCOPED_TABLES

Row = TypeVar("Row", bound=msgspec.Struct)

MAX_RESULT_ROWS = 10_000
_GRACE_SECONDS = 2  # how much longer than the query's own limit a caller waits for its connection

_SCOPE = "{scope}"
_SCOPE_SQL = "workspace_id = {workspace_id:UUID} AND environment = {environment:String}"
_SCOPED_READ = re.compile(rf"\b(?:FROM|JOIN)\s+(?:{'|'.join(SCOPED_TABLES)})\b", re.IGNORECASE)
# `readonly` does not stop INTO OUTFILE, and a table function could read files or other hosts.
_NEVER_IN_A_READ = re.compile(
    r";|\b(?:INTO|OUTFILE|INSERT|SETTINGS|SET|USE|FORMAT|SYSTEM)\b|\bFROM\s+\w+\s*\(|\bJOIN\s+\w+\s*\(", re.IGNORECASE
)

_log = logging.getLogger(__name__)


class Scope(msgspec.Struct, frozen=True):
    """Whose events a query may see; it comes from the principal alone (contract 1)."""

    workspace_id: str
    environment: str


class UnscopedQuery(Internal):
    """A query of this program that forgot its scope, or that is no plain SELECT; a fault of the program."""


class EventReader:
    """A pool of sealed readers, each used by one query at a time.

    Args:
        path: directory of the store; this process must hold it.
        connections: how many queries may run at once.
        seconds: most time that one query may take.
        memory_bytes: most memory that one query may take.
    """

    def __init__(self, path: Path, *, connections: int, seconds: int, memory_bytes: int) -> None:
        self._path = path
        self._seconds = seconds
        self._memory_bytes = memory_bytes
        self._idle: queue.LifoQueue[SealedReader] = queue.LifoQueue()
        self._threads = ThreadPoolExecutor(connections, thread_name_prefix="store-read")

    async def rows(self, sql: str, scope: Scope, parameters: Mapping[str, Any], row_type: type[Row]) -> list[Row]:
        """Run one SELECT and decode its rows.

        Args:
            sql: text with ``{scope}`` in the WHERE of every read of events; values only as ``{name:Type}`` parameters.
            scope: whose events.
            parameters: values by name.
            row_type: one struct a row; its fields are the columns.

        Raises:
            UnscopedQuery: the text reads events outside a scope, or is more than a SELECT.
            StoreUnavailable: the query took too long or too much, or the store does not answer.
        """
        bound = dict(parameters) | {"workspace_id": scope.workspace_id, "environment": scope.environment}
        job = asyncio.get_running_loop().run_in_executor(self._threads, self._run, scoped(sql), bound)
        try:
            answer = await asyncio.wait_for(job, self._seconds + _GRACE_SECONDS)
        except TimeoutError:
            raise StoreUnavailable("The event store does not answer.") from None
        except StoreError as error:
            raise _refusal(error) from error
        return msgspec.json.Decoder(row_type).decode_lines(answer)

    def close(self) -> None:
        """Wait for running queries and give every connection back."""
        self._threads.shutdown()
        while not self._idle.empty():
            self._idle.get_nowait().close()

    def _run(self, sql: str, parameters: dict[str, Any]) -> bytes:
        reader = self._take()
        try:
            answer = reader.query(sql, parameters)
        except BaseException:
            # What is left of a failed answer would be read as the beginning of the next one.
            reader.close()
            raise
        self._idle.put(reader)
        return answer

    def _take(self) -> SealedReader:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return SealedReader(
                self._path, seconds=self._seconds, memory_bytes=self._memory_bytes, rows=MAX_RESULT_ROWS
            )


def scoped(sql: str) -> str:
    """`sql` with its scope compiled in.

    Raises:
        UnscopedQuery: some read of events has no ``{scope}`` of its own, or the text is more than a SELECT.
    """
    reads = len(_SCOPED_READ.findall(sql))
    if _NEVER_IN_A_READ.search(sql) or reads == 0 or reads != sql.count(_SCOPE):
        raise UnscopedQuery("A query left its workspace or is no plain SELECT.")
    return sql.replace(_SCOPE, _SCOPE_SQL)


def _refusal(error: StoreError) -> Exception:
    if error.passes or error.code == 0:
        _log.warning("query refused by the store", extra={"code": error.code})
        return StoreUnavailable("The question takes more time or memory than it may; ask for a shorter range.")
    _log.error("query failed", extra={"code": error.code, "reason": str(error)[:500]})
    return Internal("The question could not be answered.")
