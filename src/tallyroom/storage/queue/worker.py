"""The worker that leases due items of the queue and gives them to their handlers (rules/safety#queue)."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.queue import previous_tables, repository
from tallyroom.storage.queue.item import (
    ClaimedItem,
    Deferred,
    Dropped,
    Handler,
    ItemType,
    Outcome,
    Postponed,
    Refused,
)
from tallyroom.storage.queue.pauses import find_next_due_ms

LEASE_MS: Final = 60_000
"""After this time without a renewal, another worker may handle an item."""

_POLL_SECONDS: Final = 1.0
_RENEWALS_PER_LEASE: Final = 3

_log = logging.getLogger(__name__)


class _Attempt(NamedTuple):
    """An attempt in progress, and when its lease ends by the monotonic clock, in seconds."""

    task: asyncio.Task[None]
    lease_ends_at: float


class QueueWorker:
    """Handles what is due, next to any number of other workers; it belongs to one event loop.

    `worker_name` stays the same when a worker restarts, so that it releases at once what it had leased when it died.
    `id_generator` provides the jitter that spreads attempts.
    """

    def __init__(self, database: Database, clock: Clock, id_generator: IdGenerator, worker_name: str) -> None:
        self._database = database
        self._clock = clock
        self._id_generator = id_generator
        self._worker_name = worker_name
        self._holder_id = f"{worker_name} {id_generator.new()}"
        self._handler_by_type: dict[ItemType, Handler] = {}
        self._attempt_by_item: dict[ClaimedItem, _Attempt] = {}
        self._wake_up = asyncio.Event()
        self._previous_work = previous_tables.PreviousWork(database, clock, LEASE_MS)
        self.is_stopping = False

    def set_handlers(self, handlers: Sequence[Handler]) -> None:
        """Adopt these handlers, one for each type."""
        self._handler_by_type = {handler.type: handler for handler in handlers}

    def wake(self) -> None:
        """Look for due items now, without waiting for the next poll."""
        self._wake_up.set()

    async def run(self, handlers: Sequence[Handler]) -> None:
        """Handle items until cancelled, and then finish or release those in progress."""
        self.set_handlers(handlers)
        renewal = asyncio.create_task(self._keep_leases())
        is_predecessor_released = False
        try:
            while True:
                self._wake_up.clear()
                try:
                    if not is_predecessor_released:
                        await self._release_leases(f"{self._worker_name} ")
                        is_predecessor_released = True
                    await self.start_due()
                except Unavailable as error:
                    _log.warning("the queue could not be read", extra={"reason": error.message})
                except Exception:  # noqa: BLE001 # one failure must not end all work
                    _log.exception("the queue worker failed")
                with suppress(TimeoutError):
                    async with asyncio.timeout(_POLL_SECONDS):  # unlike wait_for, it never swallows a cancellation
                        await self._wake_up.wait()
        finally:
            await self._stop(renewal)

    async def start_due(self) -> int:
        """Lease the due items, start to handle them, and return how many there are."""
        await self._previous_work.move()
        free_handlers = [
            handler
            for handler in self._handler_by_type.values()
            if len(self._list_running(handler)) < handler.limits.max_concurrent
        ]
        running_lanes = {item.lane for item in self._attempt_by_item}
        now_ms = self._clock.now_ms()
        if not await repository.is_any_due(self._database, now_ms, LEASE_MS, free_handlers, running_lanes):
            return 0
        items: list[ClaimedItem] = []
        lease_ends_at = self._clock.monotonic() + LEASE_MS / 1000
        async with self._database.session(write=True) as db:
            for handler in free_handlers:
                running_items = self._list_running(handler)
                items += await repository.claim_items(
                    db, handler, self._holder_id, self._clock.now_ms(), LEASE_MS, running_items
                )
        failpoints.hit("queue.claimed")
        for item in items:
            task = asyncio.create_task(self._handle(self._handler_by_type[item.type], item))
            self._attempt_by_item[item] = _Attempt(task, lease_ends_at)
            task.add_done_callback(lambda _, item=item: self._end(item))  # type: ignore[misc] # bound at once
        return len(items)

    def _list_running(self, handler: Handler) -> list[ClaimedItem]:
        return [item for item in self._attempt_by_item if item.type == handler.type]

    async def wait_until_idle(self) -> None:
        """Wait until no item is in progress."""
        tasks = [attempt.task for attempt in self._attempt_by_item.values()]
        await asyncio.gather(*tasks, return_exceptions=True)

    def _end(self, item: ClaimedItem) -> None:
        self._attempt_by_item.pop(item)
        self._wake_up.set()

    async def _handle(self, handler: Handler, item: ClaimedItem) -> None:
        outcome = await self._run_attempt(handler, item)
        failpoints.hit("queue.attempted")
        if self.is_stopping and isinstance(outcome, Deferred):  # a stop may have cut it short
            return
        try:
            await self._record_while_leased(handler, item, outcome)
            failpoints.hit("queue.recorded")
        except Unavailable as error:  # the item is handled again when the lease has ended
            _log.warning("the result of an attempt could not be recorded", extra=_log_fields(item, error.message))
        except Exception:  # noqa: BLE001 # the item must not be repeated for ever
            _log.exception("the result of an attempt could not be recorded", extra=_log_fields(item, repr(outcome)))
            with suppress(Unavailable):
                await self._record(handler, item, outcome, is_reported=False)

    async def _run_attempt(self, handler: Handler, item: ClaimedItem) -> Outcome:
        attempt_timeout = asyncio.timeout(handler.limits.attempt_seconds)
        try:
            async with attempt_timeout:
                return await handler.run(item)
        except (Unavailable, RateLimited) as error:
            _log.warning("an attempt failed", extra=_log_fields(item, error.message))
            return Deferred(error.message)
        except Exception:  # noqa: BLE001 # tried again
            if attempt_timeout.expired():
                return Deferred(f"no response within {handler.limits.attempt_seconds or 0:.0f} seconds")
            _log.exception("an attempt failed", extra={"type": item.type, "item": item.id})
            return Deferred("an internal error; see the log")

    async def _record_while_leased(self, handler: Handler, item: ClaimedItem, outcome: Outcome) -> None:
        """Record an outcome, and try again while the database is away: what was sent must not be sent again."""
        while True:
            try:
                return await self._record(handler, item, outcome)
            except Unavailable:
                attempt = self._attempt_by_item.get(item)
                if attempt is None or self._clock.monotonic() + _POLL_SECONDS >= attempt.lease_ends_at:
                    raise
            await asyncio.sleep(_POLL_SECONDS)

    async def _record(self, handler: Handler, item: ClaimedItem, outcome: Outcome, *, is_reported: bool = True) -> None:
        """Record an outcome, unless another worker has the item; the handler learns of it if `is_reported`."""
        now_ms = self._clock.now_ms()
        due_ms = find_next_due_ms(item, outcome, handler.limits, now_ms, self._id_generator)
        if isinstance(outcome, Deferred) and due_ms is None:
            outcome = Refused(outcome.reason)
        async with self._database.session(write=True) as db:
            if isinstance(outcome, Postponed):
                is_held = await repository.postpone_item(db, self._holder_id, item.id, now_ms + outcome.pause_ms)
            elif due_ms is None:
                is_held = await repository.delete_item(db, self._holder_id, item.id)
            else:
                attempts = item.attempts + 1 if isinstance(outcome, Deferred) else 0
                is_held = await repository.reschedule_item(db, self._holder_id, item.id, due_ms, attempts)
            if is_held and is_reported and not isinstance(outcome, Dropped):
                await handler.record(db, item, outcome)

    async def _keep_leases(self) -> None:
        while True:
            await asyncio.sleep(LEASE_MS / 1000 / _RENEWALS_PER_LEASE)
            try:
                await self.renew_leases()
            except Exception:  # noqa: BLE001 # without renewals, other workers would repeat what takes long
                _log.exception("the leases of the queue could not be renewed")

    async def renew_leases(self) -> None:
        """Extend the leases of the items in progress; cancel an attempt whose item another worker may have soon."""
        items = list(self._attempt_by_item)
        if not items:
            return
        lease_ends_at = self._clock.monotonic() + LEASE_MS / 1000
        try:
            async with self._database.session(write=True) as db:
                until_ms = self._clock.now_ms() + LEASE_MS
                held_ids = await repository.extend_leases(db, self._holder_id, {item.id for item in items}, until_ms)
        except Unavailable:
            self._cancel([item for item in items if self._is_ending(item)])
            return
        for item in items:
            if item.id in held_ids and item in self._attempt_by_item:
                self._attempt_by_item[item] = self._attempt_by_item[item]._replace(lease_ends_at=lease_ends_at)
        self._cancel([item for item in items if item.id not in held_ids])

    def _is_ending(self, item: ClaimedItem) -> bool:
        """Return True if the lease of an attempt without a time limit ends before the next renewal."""
        attempt = self._attempt_by_item.get(item)
        next_renewal_at = self._clock.monotonic() + LEASE_MS / 1000 / _RENEWALS_PER_LEASE
        has_limit = self._handler_by_type[item.type].limits.attempt_seconds is not None
        return attempt is not None and not has_limit and attempt.lease_ends_at <= next_renewal_at

    def _cancel(self, items: Sequence[ClaimedItem]) -> None:
        for item in items:
            if attempt := self._attempt_by_item.get(item):
                _log.warning("an attempt took so long that another worker may repeat it", extra={"item": item.id})
                attempt.task.cancel()

    async def _stop(self, renewal: asyncio.Task[None]) -> None:
        self.is_stopping = True
        tasks_by_stop_seconds: dict[float, list[asyncio.Task[None]]] = {}
        for item, attempt in self._attempt_by_item.items():
            stop_seconds = self._handler_by_type[item.type].limits.stop_seconds
            tasks_by_stop_seconds.setdefault(stop_seconds, []).append(attempt.task)
        for stop_seconds, tasks in sorted(tasks_by_stop_seconds.items()):
            _, unfinished_tasks = await asyncio.wait(tasks, timeout=stop_seconds)
            for task in unfinished_tasks:
                task.cancel()
        await self.wait_until_idle()
        renewal.cancel()
        with suppress(Unavailable):  # the leases end by themselves
            await self._release_leases(self._holder_id)

    async def _release_leases(self, holder_prefix: str) -> None:
        async with self._database.session(write=True) as db:
            await repository.release_leases(db, holder_prefix)


def _log_fields(item: ClaimedItem, reason: str) -> dict[str, str]:
    return {"type": item.type, "item": item.id, "reason": reason}
