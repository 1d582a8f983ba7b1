"""Reads events: only compiled SELECTs, within one workspace and environment, through a sealed reader.

Workspaces take turns with the slots for questions (rules/questions#query-costs). A cancelled query stops only between
blocks of events, so queries with regular expressions run in small blocks (regex_cost.py).
"""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import msgspec

from tallyroom.core.daemon_threads import DaemonThreads
from tallyroom.core.ids import IdGenerator
from tallyroom.core.notices import NOT_UP_TO_DATE, Notices, notices_or_unset
from tallyroom.core.priority import lower_priority
from tallyroom.storage.event_store.backend.backend import MAY_SPILL, Backend, ReadLimits, SealedReader
from tallyroom.storage.event_store.cancellation import QueryCancellations, RunningQuery
from tallyroom.storage.event_store.client_errors import NO_ANSWER, TOO_COSTLY, build_client_error
from tallyroom.storage.event_store.damage import DamageList
from tallyroom.storage.event_store.decoding import decode_rows
from tallyroom.storage.event_store.errors import QuestionTooCostly, StoreError, StoreUnavailable
from tallyroom.storage.event_store.event_parts import READ_PARTS, EventPart, decode_parts
from tallyroom.storage.event_store.idle_readers import IdleReaders
from tallyroom.storage.event_store.number_texts import NUMBER_FLAG, NUMBER_TEXTS
from tallyroom.storage.event_store.property_columns.catalog import PropertyColumnCatalog, Span
from tallyroom.storage.event_store.property_columns.slots import CompiledQuery, PropertyRead, compile_slots
from tallyroom.storage.event_store.regex_cost import MAX_STEPS, RegexText, choose_max_block_rows, count_steps
from tallyroom.storage.event_store.scope import AnyScope, Scope, compile_scope
from tallyroom.storage.file_identity import Astray
from tallyroom.storage.slots import SlotLimits, Slots

R = TypeVar("R", bound=msgspec.Struct)

_GRACE_SECONDS = 2  # how long a caller waits after the query's own limit
_CLOSE_SECONDS = 10.0
_NAME_LENGTH = 12
_PATIENCE_SECONDS = 30  # how long a question waits for its turn
_BUSY_MESSAGE = "The event store is busy with other queries. Try again shortly."
_CROWD_MESSAGE = "Too many queries from this workspace are queued. Try again shortly."

_log = logging.getLogger(__name__)

# Waits up to the given number of seconds until the store has all acknowledged events; False if it has not in time. With
# a time in ms, events of earlier UTC months may be missing; with a scope, events of other environments.
CatchUp = Callable[[float, int | None, Scope | None], Awaitable[bool]]


class EventReader:
    """A pool of sealed readers, each used by one query at a time.

    Of `connection_count` queries at once, `slots_per_workspace` may belong to one workspace, and
    `max_waiting_per_workspace` more may wait. A question waits up to `catch_up_seconds` for events acknowledged before
    it. The name from `id_generator` keeps other pools, in this process or another, from stopping its queries.
    """

    def __init__(  # noqa: PLR0913 # mostly limits, each by its name
        self,
        backend: Backend,
        limits: ReadLimits,
        *,
        connection_count: int,
        slots_per_workspace: int,
        max_waiting_per_workspace: int,
        catch_up_seconds: float,
        has_hidden_events: Callable[[Scope], bool],
        id_generator: IdGenerator,
    ) -> None:
        self.damages = DamageList()
        self.on_failure: Callable[[StoreError], None] = lambda _: None  # called with the error of each failed query
        self.property_columns = PropertyColumnCatalog()
        self.on_property_reads: Callable[[list[tuple[PropertyRead, int]]], None] = lambda _: None  # in bytes
        self.wait_caught_up: CatchUp = _report_caught_up  # waits for events that are on their way to the store
        # The same for the workers of all hosts; takes seconds.
        self.wait_peers_caught_up: CatchUp = _report_caught_up
        self.is_filled_from: Callable[[int], bool] = lambda _: True  # if number_texts is filled since a time in ms
        self._backend = backend
        self._has_hidden = has_hidden_events
        self._limits = limits
        self._catch_up_seconds = catch_up_seconds
        self._pool_name = id_generator.base62(_NAME_LENGTH)
        self._numbers = itertools.count(1)
        self._idle = IdleReaders(connection_count)
        self._threads = DaemonThreads(connection_count, "store-read", lower_priority)
        self.cancellations = QueryCancellations(backend)
        slot_limits = SlotLimits(
            connection_count,
            _PATIENCE_SECONDS,
            _BUSY_MESSAGE,
            slots_per_key=slots_per_workspace,
            max_waiting_per_key=max_waiting_per_workspace,
            crowd_message=_CROWD_MESSAGE,
        )
        self.slots = Slots(slot_limits)
        self._connection_count = connection_count
        self.is_abandoned = False  # whether a query was still running when the pool was closed

    @property
    def is_blocked(self) -> bool:
        """Whether no question can be answered because every connection runs a query that does not stop."""
        return self.cancellations.stuck_count >= self._connection_count

    async def catch_up(
        self, timeout_seconds: float | None = None, *, from_ms: int | None = None, scope: Scope | None = None
    ) -> bool:
        """Wait for events acknowledged before (rules/questions#fresh-answers); False if a read may miss some.

        A read from `from_ms` on, or within `scope`, does not have to wait for what only other reads would miss.
        """
        seconds = self._catch_up_seconds if timeout_seconds is None else timeout_seconds
        return await self.wait_caught_up(seconds, from_ms, scope)

    async def catch_up_with_all_hosts(
        self, timeout_seconds: float, *, from_ms: int | None = None, scope: Scope | None = None
    ) -> bool:
        """Like `catch_up`, but also wait for the workers of other hosts, for work that no one watches."""
        own_wait = self.catch_up(timeout_seconds, from_ms=from_ms, scope=scope)
        return all(await asyncio.gather(own_wait, self.wait_peers_caught_up(timeout_seconds, from_ms, scope)))

    async def fetch_rows(
        self,
        sql: str,
        scope: AnyScope,
        parameters: Mapping[str, Any],
        row_type: type[R],
        span: Span | None = None,
    ) -> list[R]:
        """Run one SELECT and decode its rows into structs whose fields are the columns.

        `sql` has ``{scope}`` in the WHERE of every read of events, or ``{listing}`` in the WHERE of a listing. Values
        appear only as ``{name:Type}`` parameters, and properties only in slots (property_columns/slots.py), which are
        filled with property columns if these are ready for the months of `span`; None means all months.

        Raises:
            UnscopedQuery: the text reads events outside a scope, or is more than a SELECT.
            StoreUnavailable, Astray: the query took too much time or memory, or the store does not answer or was moved.
            RateLimited, Unavailable: the workspace asks too many questions at once, or its turn did not come in time.
        """
        answer = await self.fetch_bytes(sql, scope, parameters, "JSONEachRow", span)
        return await decode_rows(answer, msgspec.json.Decoder(row_type))

    async def fetch_bytes(
        self, sql: str, scope: AnyScope, parameters: Mapping[str, Any], format_: str, span: Span | None = None
    ) -> bytes:
        """Run one SELECT and return its answer in one of the engine's formats; raises the errors of `fetch_rows`."""
        all_parameters = {**self.bind_number_flag(sql, span), **parameters, **msgspec.structs.asdict(scope)}
        compile_sql = partial(compile_scope, sql, hides_events=isinstance(scope, Scope) and self._has_hidden(scope))
        return await self._run_in_turn(scope.workspace_id, compile_sql, all_parameters, format_, span)

    def bind_number_flag(self, sql: str, span: Span | None) -> dict[str, Any]:
        """Return the parameter that `fetch_rows` adds for numbers, unless the caller gives one: `NUMBER_FLAG`."""
        return {NUMBER_FLAG: self.is_filled_from(span[0] if span else 0)} if NUMBER_TEXTS in sql else {}

    async def fetch_parts(self) -> frozenset[EventPart]:
        """Return the parts of all events; raises the errors of `fetch_rows`."""
        return decode_parts(await self._run_in_turn("", lambda: READ_PARTS, {}, "JSONEachRow", None))

    async def _run_in_turn(
        self, key: str, compile_sql: Callable[[], str], parameters: dict[str, Any], format_: str, span: Span | None
    ) -> bytes:
        query = RunningQuery(span)
        if self._backend.is_astray():
            raise Astray
        await self.slots.acquire(key)
        future = asyncio.wrap_future(self._threads.submit(self._run_query, compile_sql, parameters, format_, query))
        future.add_done_callback(lambda _: self.slots.release(key))
        try:
            async with asyncio.timeout(self._limits.seconds + _GRACE_SECONDS):
                return await asyncio.shield(future)
        except TimeoutError:
            self.cancellations.begin(future, query)
            raise (QuestionTooCostly(TOO_COSTLY) if query.has_begun else StoreUnavailable(NO_ANSWER)) from None
        except asyncio.CancelledError:
            self.cancellations.begin(future, query)
            raise
        except StoreError as error:
            self.on_failure(error)
            raise build_client_error(error) from error

    def notices(self, from_ms: int, until_ms: int, *, is_fresh: bool) -> Notices:
        """Return the notices for an answer about a span, both ends inclusive; `is_fresh` is from `catch_up`."""
        return notices_or_unset([*self.damages.notices(from_ms, until_ms), *([] if is_fresh else [NOT_UP_TO_DATE])])

    def close(self) -> None:
        """Wait a limited time for running queries, and close the connections that are no longer in use."""
        self.is_abandoned = not self._threads.close(_CLOSE_SECONDS)
        self.cancellations.close(_CLOSE_SECONDS)
        self._idle.close()

    def _run_query(
        self, compile_sql: Callable[[], str], parameters: dict[str, Any], format_: str, query: RunningQuery
    ) -> bytes:
        if query.is_unwanted:
            return b""
        sql = compile_sql()  # a question with many filters has 100 kB of text, which takes a while to check
        patterns = {value for value in parameters.values() if isinstance(value, RegexText)}
        if any(count_steps(pattern) > MAX_STEPS for pattern in patterns):  # a pattern saved under other limits
            raise QuestionTooCostly(TOO_COSTLY)
        limits = msgspec.structs.replace(
            self._limits,
            max_block_rows=choose_max_block_rows(patterns),
            spill_bytes=self._limits.memory_bytes // 2 if parameters.pop(MAY_SPILL, False) else 0,
        )
        find_column = partial(self.property_columns.find_column, span=query.span)
        has_number_texts = bool(parameters.pop(NUMBER_FLAG, False))
        compiled_query = compile_slots(sql, parameters, find_column, has_number_texts=has_number_texts)
        try:
            return self._run_compiled(compiled_query, parameters, format_, query, limits)
        except StoreError as error:
            if not (compiled_query.uses_columns and error.is_column_missing):
                raise
            self.property_columns.forget()  # another worker has dropped one; the next refresh shows the others again
            compiled_query = compile_slots(sql, parameters, lambda _: None, has_number_texts=has_number_texts)
            return self._run_compiled(compiled_query, parameters, format_, query, limits)

    def _run_compiled(
        self,
        compiled_query: CompiledQuery,
        parameters: dict[str, Any],
        format_: str,
        query: RunningQuery,
        limits: ReadLimits,
    ) -> bytes:
        query.reader = reader = self._take_reader(limits)
        query.has_begun = True
        try:
            answer = reader.query(compiled_query.sql, parameters, format_)
        except BaseException:
            # The rest of the failed answer would be read as the beginning of the next one.
            with query.lock:
                query.reader = None
            reader.close()
            raise
        with query.lock:
            query.reader = None
        row_count = reader.read_row_count
        self._idle.put(reader)
        estimate_bytes = self.property_columns.estimate_bytes
        self.on_property_reads([(read, estimate_bytes(read, row_count)) for read in compiled_query.property_reads])
        return answer

    def _take_reader(self, limits: ReadLimits) -> SealedReader:
        return self._idle.take(limits) or self._backend.open_reader(limits, f"{self._pool_name}-{next(self._numbers)}")


async def _report_caught_up(*_: float | Scope | None) -> bool:
    return True
