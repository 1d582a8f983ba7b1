"""Keeps one connection open on which the database announces changes that others commit."""

import asyncio
import logging
from contextlib import suppress
from typing import Any

import asyncpg

from tallyroom.cluster.postgresql.change_numbers import (
    AWAITED_KINDS,
    CHANGE_CHANNEL,
    READ_CHANGE_NUMBERS,
    ChangeNumbers,
)
from tallyroom.cluster.postgresql.server import ANSWER_SECONDS, connect
from tallyroom.cluster.postgresql.worker_registry import MESSAGE_CHANNEL, WorkerRegistry

_POLL_SECONDS = 1.0  # a lost message delays a change by no more than this
_RETRY_SECONDS = 1.0

_log = logging.getLogger(__name__)


class ChangeListener:
    """Updates the change numbers of this process; `registry` is None if the process is not a worker."""

    def __init__(self, dsn: str, change_numbers: ChangeNumbers, registry: WorkerRegistry | None = None) -> None:
        self._dsn = dsn
        self._change_numbers = change_numbers
        self._registry = registry
        self._change_event = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start listening, unless already started."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Close the connection."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            try:
                await self._listen()
            except Exception as error:  # noqa: BLE001 # after any error, another attempt may succeed
                _log.warning("cannot listen for changes in the metadata database", extra={"reason": str(error)})
            finally:
                self._change_numbers.distrust()
            await asyncio.sleep(_RETRY_SECONDS)

    async def _listen(self) -> None:
        connection = await connect(self._dsn)
        try:
            connection.add_termination_listener(lambda _: self._change_numbers.distrust())
            # First, so that no change is missed between the two.
            await connection.add_listener(CHANGE_CHANNEL, self._receive_change)
            if self._registry is not None:
                await connection.add_listener(MESSAGE_CHANNEL, self._registry.receive_message)
            update_numbers = self._change_numbers.begin_listening  # another connection may lead to another database
            while True:
                self._change_event.clear()
                number_by_kind = dict(await connection.fetch(READ_CHANGE_NUMBERS, timeout=ANSWER_SECONDS))
                update_numbers(number_by_kind)
                update_numbers = self._change_numbers.update
                if self._registry is not None:
                    await self._registry.renew_lease(connection, number_by_kind)
                with suppress(TimeoutError):
                    async with asyncio.timeout(_POLL_SECONDS):  # not `wait_for`, which may lose a cancellation
                        await self._change_event.wait()
        except asyncio.CancelledError:
            await self._leave(connection)
            raise
        finally:
            connection.terminate()

    async def _leave(self, connection: asyncpg.Connection) -> None:
        if self._registry is not None:
            with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError):
                await self._registry.leave(connection)

    def _receive_change(self, _connection: Any, _process: int, _channel: str, message: object) -> None:
        kind, number = str(message).split()
        self._change_numbers.advance({kind: int(number)})
        if kind in AWAITED_KINDS:
            self._change_event.set()  # others may be waiting for this process to see the change
