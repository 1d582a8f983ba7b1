"""Moves the lines fed to listings from the metadata into the event store.

A line remains the same row no matter how often it is inserted, so a crash between insert and deletion does no harm, and
neither does a worker that hangs while another goes on. Of several workers, one moves at a time.
"""

import asyncio
import logging
from contextlib import AbstractContextManager, suppress

from tallyroom.bots import repository
from tallyroom.core import failpoints
from tallyroom.storage.event_store.pause import Hold
from tallyroom.storage.event_store.tables import FED_COLUMNS
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.connection import Database

_MAX_BYTES = 8_000_000  # of one block, about 60,000 lines
_REST_SECONDS = 0.2  # how long lines accumulate while nobody waits for them
_LOOK_SECONDS = 1.0  # how soon what a worker left that died is found
_YIELD_SECONDS = 0.05  # how long another worker is left alone that moves just now
_BACKOFF_SECONDS = 2.0
_PATIENCE_SECONDS = 2.0

_log = logging.getLogger(__name__)


class Outbox:
    """The only task of this worker that inserts fed lines.

    Args:
        database: where the lines wait.
        writer: the event store's writing connection.

    Attributes:
        failing: the reason why lines do not move at the moment; "" if they do.
    """

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self._hold = Hold(is_inserting=False)
        self._filled = asyncio.Event()
        self._hurried = asyncio.Event()
        self._moved = asyncio.Event()
        self.failing = ""

    def fill(self) -> None:
        """Signal that lines were added."""
        self._filled.set()

    async def caught_up(self, seconds: float) -> bool:
        """Wait until all lines added so far are in the event store; False if that takes longer than `seconds`."""
        _, target = await repository.oldest_and_newest_line(self._database)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                event = self._moved  # before the look, so that no move between the two is missed
                while await self._waits_for(target):
                    self._hurried.set()
                    self._filled.set()
                    await event.wait()
                    event = self._moved
        return not await self._waits_for(target)

    async def settled(self) -> bool:
        """Call `caught_up` with the time that a question may wait, or without waiting while the store is failing."""
        return await self.caught_up(0 if self.failing else _PATIENCE_SECONDS)

    def held(self, seconds: float) -> AbstractContextManager[None]:
        """Keep lines from moving while a block runs, in any thread, so that metadata and store agree.

        Raises:
            Unavailable: the insert under way did not finish within `seconds`.
        """
        return self._hold.held(seconds)

    async def run(self) -> None:
        """Move lines until cancelled, starting with those that an earlier run of the server left."""
        self._filled.set()
        try:
            while True:
                await _wait(self._filled, _LOOK_SECONDS)
                await _wait(self._hurried, _REST_SECONDS)
                self._filled.clear()
                self._hurried.clear()
                await self._move_all()
        finally:
            self._hold.give_up()

    async def _move_all(self) -> None:
        try:
            if any(await repository.oldest_and_newest_line(self._database)):
                await self._move_alone()
            self._tell()
            self.failing = ""
        except Exception as error:  # noqa: BLE001 # the lines stay where they are and are tried again
            self.failing = str(error)[:500]
            _log.warning("what was fed waits for the event store", extra={"reason": self.failing})
            self._filled.set()
            await asyncio.sleep(_BACKOFF_SECONDS)

    async def _move_alone(self) -> None:
        async with self._database.alone("outbox") as is_ours:
            if is_ours:
                for table in FED_COLUMNS:
                    while await self._move(table):
                        self._tell()
                return
        await asyncio.sleep(_YIELD_SECONDS)
        self._filled.set()  # whoever has it may die

    def _tell(self) -> None:
        """Let those look again who wait, whoever has moved what they wait for."""
        self._moved.set()
        self._moved = asyncio.Event()

    async def _move(self, table: str) -> bool:
        """Move one block of lines; return False if none waits for the table, or moving has been given up."""
        async with self._database.session(write=False) as db:
            lines = await repository.next_lines(db, table, _MAX_BYTES)
        if lines is None or not await asyncio.to_thread(self._hold.begin):
            return False
        try:
            await asyncio.to_thread(self._insert, table, lines.body)
            async with self._database.session(write=True) as db:
                await repository.delete_lines(db, table, lines.last_id)
        finally:
            self._hold.end()
        return True

    def _insert(self, table: str, body: bytes) -> None:
        failpoints.hit("feed.insert")
        self._writer.insert_fed(table, body)
        failpoints.hit("feed.insert.after")

    async def _waits_for(self, target: int) -> bool:
        oldest, _ = await repository.oldest_and_newest_line(self._database)
        return 0 < oldest <= target


async def _wait(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
