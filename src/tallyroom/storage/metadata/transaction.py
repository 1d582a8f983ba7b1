"""One transaction of the metadata database, as a block."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from types import TracebackType
from typing import Any

from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from tallyroom.core.errors import Unavailable
from tallyroom.storage.metadata.write_turns import current_turn_owner
from tallyroom.storage.slots import Slots

Session = AsyncSession  # so that layers that must not import SQLAlchemy have a name for it

_log = logging.getLogger(__name__)


class Transaction(ABC):
    """The block of one transaction. It is not a generator, so a block that is dropped half-way is simply closed."""

    def __init__(self, engine: AsyncEngine, write_slots: Slots | None) -> None:
        """Prepare the block; `write_slots` is None for a block that only reads."""
        self._session = AsyncSession(engine, expire_on_commit=False)
        self._write_slots = write_slots
        self._turn_owner: str | None = None  # whose turn it is

    @abstractmethod
    def _is_transient(self, error: Exception) -> bool:
        """Return whether a retry may work."""

    @abstractmethod
    def _refuse_lost(self) -> None:
        """Raise the error for callers if the database is no longer the one that was opened."""

    async def _commit(self) -> None:
        await self._session.commit()

    async def __aenter__(self) -> Session:
        self._refuse_lost()
        await self._acquire_slot()
        try:
            await self._session.connection()  # begins now, so that it holds the lock before it reads anything
        except BaseException as error:
            await self.close()
            if not isinstance(error, Exception):
                raise
            self._refuse_lost()
            if not isinstance(error, PoolTimeoutError) and not self._is_transient(error):
                raise
            raise Unavailable("The metadata database is busy.") from error
        return self._session

    async def __aexit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if error_type is None:
                await self._commit_or_refuse()
            elif isinstance(error, OperationalError):
                self._refuse_lost()
        finally:
            await self.close()

    async def close(self) -> None:
        """Roll back the transaction, if it is open, and let the next writer begin."""
        try:
            await _finish_uncancelled(self._session.close())
        finally:
            if self._write_slots is not None and self._turn_owner is not None:
                turn_owner, self._turn_owner = self._turn_owner, None
                self._write_slots.release(turn_owner)

    async def _acquire_slot(self) -> None:
        if self._write_slots is not None:
            turn_owner = current_turn_owner()
            await self._write_slots.acquire(turn_owner)
            self._turn_owner = turn_owner

    async def _commit_or_refuse(self) -> None:
        try:
            await _finish_uncancelled(self._commit())
            if self._write_slots is not None:
                self._refuse_lost()
        except OperationalError as error:
            self._refuse_lost()
            if not self._is_transient(error):
                raise
            _log.error("a transaction was not committed", exc_info=error)
            raise Unavailable("The metadata database does not accept changes at the moment.") from error


async def _finish_uncancelled(coroutine: Coroutine[Any, Any, None]) -> None:
    """Wait for `coroutine` even if cancelled: the pool discards connections returned half-way, with a traceback."""
    task = asyncio.create_task(coroutine)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # the caller is cancelled and cannot get the error
        raise
