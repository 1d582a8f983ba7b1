"""Reading events: compiled SELECTs only, inside one workspace and environment, through a sealed reader."""

import asyncio
import logging
import queue
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from tallyroom.core.errors import Internal
from tallyroom.store.connection import SealedReader
from tallyroom.store.errors import StoreError, StoreUnavailable
from tallyroom.store.scope import Scope, scoped

Row = TypeVar("Row", bound=msgspec.Struct)

MAX_RESULT_ROWS = 10_000
_GRACE_SECONDS = 2  # how much longer than the query's own limit a caller waits for its connection

_log = logging.getLogger(__name__)


class EventReader:
    """A pool of sealed readers, each used by one query at a time.

    Args:
        path: directory of the store; this process must hold it.
        connections: how many queries may run at once.
        seconds: most time that one query may take.
        memory_bytes: most memory that one query may take.
        hides: whether a scope has hidden events, which its reads leave out.
    """

    def __init__(
        self, path: Path, *, connections: int, seconds: int, memory_bytes: int, hides: Callable[[Scope], bool]
    ) -> None:
        self._path = path
        self._hides = hides
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
        answer = await self.written(sql, scope, parameters, "JSONEachRow")
        return msgspec.json.Decoder(row_type).decode_lines(answer)

    async def written(self, sql: str, scope: Scope, parameters: Mapping[str, Any], format_: str) -> bytes:
        """Run one SELECT and return its answer as the engine writes it in one of its formats.

        Arguments and errors are those of `rows`.
        """
        bound = dict(parameters) | {"workspace_id": scope.workspace_id, "environment": scope.environment}
        text = scoped(sql, hides=self._hides(scope))
        job = asyncio.get_running_loop().run_in_executor(self._threads, self._run, text, bound, format_)
        try:
            return await asyncio.wait_for(job, self._seconds + _GRACE_SECONDS)
        except TimeoutError:
            raise StoreUnavailable("The event store does not answer.") from None
        except StoreError as error:
            raise _refusal(error) from error

    def close(self) -> None:
        """Wait for running queries and give every connection back."""
        self._threads.shutdown()
        while not self._idle.empty():
            self._idle.get_nowait().close()

    def _run(self, sql: str, parameters: dict[str, Any], format_: str) -> bytes:
        reader = self._take()
        try:
            answer = reader.query(sql, parameters, format_)
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


def _refusal(error: StoreError) -> Exception:
    if error.passes or error.code == 0:
        _log.warning("query refused by the store", extra={"code": error.code})
        return StoreUnavailable("The question takes more time or memory than it may; ask for a shorter range.")
    _log.error("query failed", extra={"code": error.code, "reason": str(error)[:500]})
    return Internal("The question could not be answered.")
