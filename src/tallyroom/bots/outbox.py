"""Moves what was fed to listings from the metadata into the event store.

Each line is the same row however often it is inserted, so a crash between insert and deletion costs nothing.
"""

import asyncio
import logging
from contextlib import AbstractContextManager, suppress

from tallyroom.bots import repository
from tallyroom.core import failpoints
from tallyroom.core.hold import Hold
from tallyroom.db.connection import Database
from tallyroom.store.connection import Writer
from tallyroom.store.tables import FED_COLUMNS

_MOST_BYTES = 8_000_000  # of one block, about 60,000 lines
_REST_SECONDS = 0.2  # how long lines gather while nobody waits for them
_BACKOFF_SECONDS = 2.0
_PATIENCE_SECONDS = 2.0

_log = logging.getLogger(__name__)


class Outbox:
    """The one task that inserts what was fed.

    Args:
        database: where lines wait.
        writer: the event store's writing connection.

    Attributes:
        failing: why nothing moves at the moment, "" when it does.
    """

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self._hold = Hold(begun=False)
        self._filled = asyncio.Event()
        self._hurried = asyncio.Event()
        self._moved = asyncio.Event()
        self.failing = ""

    def fill(self) -> None:
        """Lines were added."""
        self._filled.set()

    async def caught_up(self, seconds: float) -> bool:
        """Wait until all lines of this moment are in the event store; False when `seconds` were not enough."""
        _, target = repository.oldest_and_newest_line(self._database)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._waits_for(target):
                    moved = self._moved
                    self._hurried.set()
                    self._filled.set()
                    await moved.wait()
        return not self._waits_for(target)

    async def settled(self) -> bool:
        """As `caught_up`, for as long as a question may wait; while the store takes nothing, that is not at all."""
        return await self.caught_up(0 if self.failing else _PATIENCE_SECONDS)

    def held(self, seconds: float) -> AbstractContextManager[None]:
        """Keep lines from moving while a block runs, in any thread, so that metadata and store agree.

        Raises:
            Unavailable: the store did not take the lines under way within `seconds`.
        """
        return self._hold.held(seconds)

    async def run(self) -> None:
        """Move lines until cancelled; those first that an earlier run of the server has left."""
        self._filled.set()
        try:
            while True:
                await self._filled.wait()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._hurried.wait(), _REST_SECONDS)
                self._filled.clear()
                self._hurried.clear()
                await self._move_all()
        finally:
            self._hold.give_up()

    async def _move_all(self) -> None:
        try:
            for table in FED_COLUMNS:
                while await self._move(table):
                    self._moved.set()
                    self._moved = asyncio.Event()
            self.failing = ""
        except Exception as error:  # noqa: BLE001 # the lines stay where they are and are tried again
            self.failing = str(error)[:500]
            _log.warning("what was fed waits for the event store", extra={"reason": self.failing})
            self._filled.set()
            await asyncio.sleep(_BACKOFF_SECONDS)

    async def _move(self, table: str) -> bool:
        """Move one block; False when nothing waits for the table."""
        async with self._database.session(write=False) as db:
            lines = await repository.next_lines(db, table, _MOST_BYTES)
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

    def _waits_for(self, target: int) -> bool:
        oldest, _ = repository.oldest_and_newest_line(self._database)
        return 0 < oldest <= target
