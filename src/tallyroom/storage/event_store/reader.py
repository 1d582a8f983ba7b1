"""Reads events: only compiled SELECTs, within one workspace and environment, through a sealed reader.

A question runs when its workspace has a free slot (question_slots.py), for as long as its limits allow, and only while
somebody waits for the answer: if the asking task is cancelled, the query is stopped. The engine checks between two
blocks of events whether a query must end, so queries with regular expressions run in blocks that are small enough
(programs.py).
"""

import asyncio
import itertools
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import msgspec

from tallyroom.core.daemon_threads import DaemonThreads
from tallyroom.core.errors import Internal
from tallyroom.core.ids import Ids
from tallyroom.core.notices import NOT_UP_TO_DATE, Notices, notices
from tallyroom.core.priority import step_back
from tallyroom.storage.event_store.backend.backend import Backend, Canceller, ReadLimits, SealedReader
from tallyroom.storage.event_store.damage import Damages
from tallyroom.storage.event_store.decoding import decoded
from tallyroom.storage.event_store.errors import QuestionTooCostly, StoreError, StoreUnavailable
from tallyroom.storage.event_store.idle_readers import IdleReaders
from tallyroom.storage.event_store.question_slots import question_slots
from tallyroom.storage.event_store.regex_cost import MAX_STEPS, Pattern, block_rows, steps_of
from tallyroom.storage.event_store.scope import Listing, Scope, scoped
from tallyroom.storage.file_identity import Astray

R = TypeVar("R", bound=msgspec.Struct)

_GRACE_SECONDS = 2  # how much longer than the query's own limit a caller waits for its connection
_KILL_AGAIN_SECONDS = 0.2
_KILLS_UNTIL_STUCK = 25  # five seconds, which the largest pattern takes in the worst case (programs.py)
_LAST_WAIT = 10.0
_NAME_LENGTH = 12
_NO_ANSWER = "The event store does not answer."
_TOO_COSTLY = "The question takes more time or memory than allowed. Ask for a shorter range, or use simpler patterns."

_log = logging.getLogger(__name__)


CaughtUp = Callable[[float], Awaitable[bool]]
"""Waits, for at most the given seconds, until the store has all acknowledged events; False if it has not by then."""


class EventReader:
    """A pool of sealed readers, each used by one query at a time.

    Args:
        backend: the store.
        limits: what one query may cost.
        connections: the number of queries that may run at once.
        slots_per_workspace: the number of these that may belong to one workspace.
        waiting: the number of further questions of one workspace that may wait.
        fresh_seconds: the longest that a question waits for events acknowledged before it.
        hides: tells whether a scope has hidden events, which its reads leave out.
        ids: names this pool, so that no other pool, in this process or another, stops its queries.

    Attributes:
        damages: what is gone from the store.
        on_failure: called with the error of each failed query.
        caught_up: waits for events that are on their way to the store.
        cancelled: the number of queries stopped since the start because nobody waited for them any more.
        stuck: the number of queries that were told to stop more than once and are still running.
        abandoned: whether a query was still running when the pool was closed.
    """

    def __init__(  # noqa: PLR0913 # mostly limits, each by its name
        self,
        backend: Backend,
        limits: ReadLimits,
        *,
        connections: int,
        slots_per_workspace: int,
        waiting: int,
        fresh_seconds: float,
        hides: Callable[[Scope], bool],
        ids: Ids,
    ) -> None:
        self.damages = Damages()
        self.on_failure: Callable[[StoreError], None] = lambda _: None
        self.caught_up: CaughtUp = _has_all
        self._backend = backend
        self._hides = hides
        self._limits = limits
        self._fresh_seconds = fresh_seconds
        self._name = ids.base62(_NAME_LENGTH)
        self._opened = itertools.count(1)
        self._idle = IdleReaders(connections)
        self._threads = DaemonThreads(connections, "store-read", step_back)
        self._stopping = DaemonThreads(1, "store-cancel")
        self._canceller: Canceller | None = None
        self._left: set[asyncio.Task[None]] = set()
        self.slots = question_slots(connections, slots_per_workspace, waiting)
        self._connections = connections
        self.cancelled = 0
        self.stuck = 0
        self.abandoned = False

    @property
    def blocked(self) -> bool:
        """Whether no question can be answered because every connection runs a query that does not stop."""
        return self.stuck >= self._connections

    async def fresh(self, seconds: float | None = None) -> bool:
        """Wait for events acknowledged before (rules/questions#fresh-answers); False if a read may miss some."""
        return await self.caught_up(self._fresh_seconds if seconds is None else seconds)

    async def rows(self, sql: str, scope: Scope | Listing, parameters: Mapping[str, Any], row_type: type[R]) -> list[R]:
        """Run one SELECT and decode its rows.

        Args:
            sql: text with ``{scope}`` in the WHERE of every read of events, or ``{listing}`` in that of a listing;
                values appear only as ``{name:Type}`` parameters.
            scope: the scope or listing to read.
            parameters: values by name.
            row_type: the struct of a row; its fields are the columns.

        Raises:
            UnscopedQuery: the text reads events outside a scope, or is more than a SELECT.
            StoreUnavailable: the query took too much time or memory, or the store does not answer.
            RateLimited, Unavailable: the workspace asks too many questions at once, or its turn did not come in time.
            Astray: the store was moved, deleted or replaced.
        """
        answer = await self.written(sql, scope, parameters, "JSONEachRow")
        return await decoded(answer, msgspec.json.Decoder(row_type))

    async def written(self, sql: str, scope: Scope | Listing, parameters: Mapping[str, Any], format_: str) -> bytes:
        """Run one SELECT and return its answer in one of the engine's formats.

        Takes the arguments and raises the errors of `rows`.
        """
        bound = dict(parameters) | msgspec.structs.asdict(scope)
        to_sql = partial(scoped, sql, hides=isinstance(scope, Scope) and self._hides(scope))
        running = _Running()
        if self._backend.is_astray():
            raise Astray
        await self.slots.take(scope.workspace_id)
        job = asyncio.wrap_future(self._threads.submit(self._run, to_sql, bound, format_, running))
        job.add_done_callback(lambda _: self.slots.give_back(scope.workspace_id))
        try:
            async with asyncio.timeout(self._limits.seconds + _GRACE_SECONDS):
                return await asyncio.shield(job)
        except TimeoutError:
            self._stop(job, running)
            raise (QuestionTooCostly(_TOO_COSTLY) if running.has_begun else StoreUnavailable(_NO_ANSWER)) from None
        except asyncio.CancelledError:
            self._stop(job, running)
            raise
        except StoreError as error:
            self.on_failure(error)
            raise _refusal(error) from error

    def notices(self, from_ms: int, until_ms: int, *, fresh: bool) -> Notices:
        """Return the notices for an answer about a span of time.

        Args:
            from_ms: the start of the span, inclusive.
            until_ms: its end, inclusive.
            fresh: what `fresh` returned before the read.
        """
        late = [] if fresh else [NOT_UP_TO_DATE]
        return notices([*self.damages.notices(from_ms, until_ms), *late])

    def close(self) -> None:
        """Wait a limited time for running queries, and close the connections that are no longer in use."""
        self.abandoned = not self._threads.close(_LAST_WAIT)
        if self._stopping.close(_LAST_WAIT) and self._canceller is not None:
            self._canceller.close()
        self._idle.close()

    def _stop(self, job: "asyncio.Future[bytes]", running: "_Running") -> None:
        """Stop a query whose answer nobody waits for; its slot becomes free when its thread does."""
        self.cancelled += 1
        task = asyncio.get_running_loop().create_task(self._stopped(job, running))
        self._left.add(task)
        task.add_done_callback(self._left.discard)

    async def _stopped(self, job: "asyncio.Future[bytes]", running: "_Running") -> None:
        running.is_unwanted = True
        for kills in itertools.count(1):
            with suppress(StoreError):
                await asyncio.wrap_future(self._stopping.submit(self._cancel, running))
            await asyncio.wait([job], timeout=_KILL_AGAIN_SECONDS)
            if job.done():
                break
            if kills == _KILLS_UNTIL_STUCK:
                self.stuck += 1
                job.add_done_callback(self._got_loose)
        if not job.cancelled():
            job.exception()  # marks the exception as retrieved

    def _got_loose(self, _job: "asyncio.Future[bytes]") -> None:
        self.stuck -= 1

    def _cancel(self, running: "_Running") -> None:
        with running.turn:  # so that the reader cannot be running another query by the time it is told to stop
            if running.reader is None:
                return
            if self._canceller is None:
                self._canceller = self._backend.canceller()
            try:
                self._canceller.cancel(running.reader.mark)
            except StoreError:
                self._canceller.close()
                self._canceller = None
                raise

    def _run(self, to_sql: Callable[[], str], parameters: dict[str, Any], format_: str, running: "_Running") -> bytes:
        if running.is_unwanted:
            return b""
        sql = to_sql()  # a question with many filters has 100 kB of text, which takes a while to check
        patterns = {value for value in parameters.values() if isinstance(value, Pattern)}
        if any(steps_of(pattern) > MAX_STEPS for pattern in patterns):  # a pattern saved under other limits
            raise QuestionTooCostly(_TOO_COSTLY)
        running.reader = reader = self._take(block_rows(patterns))
        running.has_begun = True
        try:
            answer = reader.query(sql, parameters, format_)
        except BaseException:
            # The rest of the failed answer would be read as the beginning of the next one.
            with running.turn:
                running.reader = None
            reader.close()
            raise
        with running.turn:
            running.reader = None
        self._idle.put(reader)
        return answer

    def _take(self, rows_of_block: int | None) -> SealedReader:
        limits = msgspec.structs.replace(self._limits, block_rows=rows_of_block)
        return self._idle.take(limits) or self._backend.sealed_reader(limits, f"{self._name}-{next(self._opened)}")


class _Running:
    """One query: the reader while it runs the query, and whether anybody still wants the answer."""

    def __init__(self) -> None:
        self.reader: SealedReader | None = None
        self.has_begun = False
        self.is_unwanted = False
        self.turn = threading.Lock()


def _refusal(error: StoreError) -> Exception:
    details = {"code": error.code, "reason": str(error)[:500]}
    if error.suspect is not None:
        _log.error("a part cannot be read", extra={"part": error.suspect.part, "code": error.code})
        return StoreUnavailable("A part of the event store is damaged and is being set aside. Try again.")
    if error.away or error.out_of_files or error.code == 0:  # an error without a code is the driver's own
        _log.warning("the store was not reached", extra=details)
        return StoreUnavailable(_NO_ANSWER)
    if error.passes or error.too_long:
        _log.warning("query refused by the store", extra={"code": error.code})
        return QuestionTooCostly(_TOO_COSTLY)
    _log.error("query failed", extra=details)
    return Internal("The question could not be answered.")


async def _has_all(_: float) -> bool:
    return True
