"""Moves the lines fed to listings from the metadata into the event store; one worker does so at a time.

A line stays the same row however often it is inserted, so a crash between insert and deletion does no harm.
"""

import asyncio
import logging
from contextlib import AbstractContextManager, suppress

from tallyroom.bots import repository
from tallyroom.core import failpoints
from tallyroom.storage.event_store.pause import MoverHold
from tallyroom.storage.event_store.tables import LISTING_COLUMNS
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.connection import Database

_MAX_BLOCK_BYTES = 8_000_000  # about 60,000 lines
_COLLECT_SECONDS = 0.2  # how long lines accumulate if no one waits for them
_POLL_SECONDS = 1.0  # how soon the lines of a dead worker are found
_YIELD_SECONDS = 0.05  # how long to wait while another worker moves lines
_BACKOFF_SECONDS = 2.0
_READ_WAIT_SECONDS = 2.0

_log = logging.getLogger(__name__)


class ListingOutbox:
    """The only task of this worker that inserts fed lines; `failure_reason` is "" while lines move."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self._hold = MoverHold(is_inserting=False)
        self._lines_added_event = asyncio.Event()
        self._urgent_event = asyncio.Event()
        self._lines_moved_event = asyncio.Event()
        self.failure_reason = ""

    def notify_added(self) -> None:
        """Signal that lines were added."""
        self._lines_added_event.set()

    async def wait_until_stored(self, timeout_seconds: float) -> bool:
        """Wait until all lines added so far are in the event store; return False after `timeout_seconds`."""
        _, last_id = await repository.find_outbox_id_range(self._database)
        if not last_id:
            return True
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_seconds):
                # Before the query, so that no move between the two is missed.
                lines_moved_event = self._lines_moved_event
                while await self._is_any_waiting_until(last_id):
                    self._urgent_event.set()
                    self._lines_added_event.set()
                    await lines_moved_event.wait()
                    lines_moved_event = self._lines_moved_event
        return not await self._is_any_waiting_until(last_id)

    async def wait_before_read(self) -> bool:
        """Call `wait_until_stored` with the time that a query may wait; do not wait while the store is failing."""
        return await self.wait_until_stored(0 if self.failure_reason else _READ_WAIT_SECONDS)

    def held(self, timeout_seconds: float) -> AbstractContextManager[None]:
        """Keep lines from moving during a block, in any thread; raises `Unavailable` after `timeout_seconds`."""
        return self._hold.held(timeout_seconds)

    async def run(self) -> None:
        """Move lines until cancelled, starting with lines from before a restart."""
        self._lines_added_event.set()
        try:
            while True:
                await _wait_for_event(self._lines_added_event, _POLL_SECONDS)
                await _wait_for_event(self._urgent_event, _COLLECT_SECONDS)
                self._lines_added_event.clear()
                self._urgent_event.clear()
                await self._move_all()
        finally:
            self._hold.give_up()

    async def _move_all(self) -> None:
        try:
            if any(await repository.find_outbox_id_range(self._database)):
                await self._move_under_lock()
            self._notify_waiters()
            self.failure_reason = ""
        except Exception as error:  # noqa: BLE001 # the lines stay where they are and are tried again
            self.failure_reason = str(error)[:500]
            _log.warning("fed data is waiting for the event store", extra={"reason": self.failure_reason})
            self._lines_added_event.set()
            await asyncio.sleep(_BACKOFF_SECONDS)

    async def _move_under_lock(self) -> None:
        async with self._database.hold_work_lock("outbox") as has_lock:
            if has_lock:
                for table_name in LISTING_COLUMNS:
                    while await self._move_block(table_name):
                        self._notify_waiters()
                return
        await asyncio.sleep(_YIELD_SECONDS)
        self._lines_added_event.set()  # the worker that holds the lock may die

    def _notify_waiters(self) -> None:
        """Wake all waiters to check again, because any worker may have moved their lines."""
        self._lines_moved_event.set()
        self._lines_moved_event = asyncio.Event()

    async def _move_block(self, table_name: str) -> bool:
        """Move one block of lines; return False if none waits for the table, or moving has been given up."""
        async with self._database.session(write=False) as db:
            waiting_lines = await repository.find_next_outbox_lines(db, table_name, _MAX_BLOCK_BYTES)
        if waiting_lines is None or not await asyncio.to_thread(self._hold.begin_insert):
            return False
        try:
            await asyncio.to_thread(self._insert, table_name, waiting_lines.body)
            async with self._database.session(write=True) as db:
                await repository.delete_outbox_lines(db, table_name, waiting_lines.last_id)
        finally:
            self._hold.end_insert()
        return True

    def _insert(self, table_name: str, body: bytes) -> None:
        failpoints.hit("feed.insert")
        self._writer.insert_listing_rows(table_name, body)
        failpoints.hit("feed.insert.after")

    async def _is_any_waiting_until(self, last_id: int) -> bool:
        oldest_id, _ = await repository.find_outbox_id_range(self._database)
        return 0 < oldest_id <= last_id


async def _wait_for_event(event: asyncio.Event, timeout_seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(timeout_seconds):
            await event.wait()
