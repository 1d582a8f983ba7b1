"""Keeps one connection on which the database tells of the changes that others commit."""

import asyncio
import logging
from contextlib import suppress
from typing import Any

import asyncpg

from tallyroom.cluster.postgresql.change_numbers import AWAITED_KINDS, CHANNEL, READ, ChangeNumbers
from tallyroom.cluster.postgresql.server import ANSWER_SECONDS, connect
from tallyroom.cluster.postgresql.worker_registry import MESSAGES, WorkerRegistry

_LOOK_SECONDS = 1.0  # so that a lost message costs no more than this
_RETRY_SECONDS = 1.0

_log = logging.getLogger(__name__)


class ChangeListener:
    """Moves the change numbers of this process.

    Args:
        dsn: the database.
        numbers: what this process knows.
        registry: the workers, of which this process is one; None if it serves nobody.
    """

    def __init__(self, dsn: str, numbers: ChangeNumbers, registry: WorkerRegistry | None = None) -> None:
        self._dsn = dsn
        self._numbers = numbers
        self._registry = registry
        self._heard = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to listen, unless that has begun already."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """End the connection."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            try:
                await self._listen()
            except Exception as error:  # noqa: BLE001 # whatever it was, another attempt may succeed
                _log.warning("the metadata database tells of no change", extra={"reason": str(error)})
            finally:
                self._numbers.doubt()
            await asyncio.sleep(_RETRY_SECONDS)

    async def _listen(self) -> None:
        connection = await connect(self._dsn)
        try:
            connection.add_termination_listener(lambda _: self._numbers.doubt())
            await connection.add_listener(CHANNEL, self._hear)  # first, so that no change falls between the two
            if self._registry is not None:
                await connection.add_listener(MESSAGES, self._registry.deliver)
            learn = self._numbers.begin  # another connection may lead to another database
            while True:
                self._heard.clear()
                numbers = dict(await connection.fetch(READ, timeout=ANSWER_SECONDS))
                learn(numbers)
                learn = self._numbers.learn
                if self._registry is not None:
                    await self._registry.renew(connection, numbers)
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_SECONDS):  # not `wait_for`, which may lose a stop
                        await self._heard.wait()
        except asyncio.CancelledError:
            await self._leave(connection)
            raise
        finally:
            connection.terminate()

    async def _leave(self, connection: asyncpg.Connection) -> None:
        if self._registry is not None:
            with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError):
                await self._registry.leave(connection)

    def _hear(self, _connection: Any, _process: int, _channel: str, message: object) -> None:
        kind, number = str(message).split()
        self._numbers.move({kind: int(number)})
        if kind in AWAITED_KINDS:
            self._heard.set()  # others may wait until this process knows
