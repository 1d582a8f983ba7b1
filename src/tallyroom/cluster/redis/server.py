"""The connection to the server of the limits: each question to it is answered within a moment, or not at all."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from importlib.resources import files
from typing import Any, TypeVar

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from tallyroom.core.errors import TallyroomError

T = TypeVar("T")
ScriptArgument = str | bytes | int | float
"""What a script takes."""

ANSWER_SECONDS = 0.25
"""How long a request may wait for the server; a healthy one answers in less than a thousandth of a second."""

_RECONNECT_SECONDS = 1.0  # between two looks whether a server that was away is back
_CONNECT_SECONDS = 2.0
_MAX_CONNECTIONS = 16

_log = logging.getLogger(__name__)


class LimitsServerAway(Exception):  # a state rather than a fault
    """The server does not answer, or answers with an error; the log says why."""


def redis_url(dsn: str) -> str:
    """Return an address as the client knows it: Valkey's schemes mean the same as Redis'."""
    return dsn.replace("valkey", "redis", 1) if dsn.startswith("valkey") else dsn


class LimitsServer:
    """A Redis or Valkey server, asked by scripts that are one step each.

    Whenever it fails to answer, it counts as away, and nobody waits for it until a look in the background has found it
    again.

    Args:
        dsn: as in ``redis://:password@host:6379/0``; also ``rediss``, ``valkey``, ``valkeys`` and ``unix``.

    Raises:
        TallyroomError: `dsn` names no such server.
    """

    def __init__(self, dsn: str) -> None:
        try:
            pool: Any = BlockingConnectionPool.from_url(
                redis_url(dsn),
                max_connections=_MAX_CONNECTIONS,
                timeout=ANSWER_SECONDS,
                socket_timeout=ANSWER_SECONDS,
                socket_connect_timeout=_CONNECT_SECONDS,
                retry=Retry(NoBackoff(), 0),  # whoever counts must not count twice
                client_name="tallyroom",
                decode_responses=False,
            )
        except ValueError as error:
            raise TallyroomError("TALLYROOM_LIMITS_DSN names no Redis or Valkey server.") from error
        self._client: Any = Redis.from_pool(pool)
        self._scripts: dict[str, Any] = {}
        self._reconnect_task: asyncio.Task[None] | None = None

    @property
    def is_away(self) -> bool:
        """Whether the server did not answer when it was asked last."""
        return self._reconnect_task is not None

    async def run_script(self, script_name: str, keys: Sequence[str], arguments: Sequence[ScriptArgument] = ()) -> Any:
        """Run the script of that name, and return its answer.

        Raises:
            LimitsServerAway: there is no answer; the script may have run all the same.
        """
        if script_name not in self._scripts:
            source = (files("tallyroom.cluster.redis") / f"{script_name}.lua").read_text(encoding="utf-8")
            self._scripts[script_name] = self._client.register_script(source)
        return await self._request(lambda: self._scripts[script_name](keys, arguments))

    async def read_list(self, key: str) -> list[bytes]:
        """Return a list, which is empty if nobody has written it.

        Raises:
            LimitsServerAway: there is no answer.
        """
        return list(await self._request(lambda: self._client.lrange(key, 0, -1)))

    async def read_value(self, key: str) -> bytes | None:
        """Return a value; None if nobody has written it.

        Raises:
            LimitsServerAway: there is no answer.
        """
        value: bytes | None = await self._request(lambda: self._client.get(key))
        return value

    async def close(self) -> None:
        """Close all connections."""
        if self._reconnect_task is not None:
            self._reconnect_task.cancel()
            with suppress(asyncio.CancelledError):
                await self._reconnect_task
        await self._client.aclose(close_connection_pool=True)

    async def _request(self, send_request: Callable[[], Awaitable[T]]) -> T:
        if self.is_away:
            raise LimitsServerAway
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await send_request()
        except (RedisError, OSError, TimeoutError) as error:
            self._note_failure(error)
            raise LimitsServerAway from error

    def _note_failure(self, error: Exception) -> None:
        if self._reconnect_task is None:
            _log.warning("the limits server is away, so each worker judges alone", extra={"reason": repr(error)})
            self._reconnect_task = asyncio.get_running_loop().create_task(self._reconnect())

    async def _reconnect(self) -> None:
        """Look for the server until it is back."""
        while True:
            await asyncio.sleep(_RECONNECT_SECONDS)
            with suppress(RedisError, OSError, TimeoutError):
                async with asyncio.timeout(_CONNECT_SECONDS):
                    await self._client.connection_pool.disconnect()  # of a server that has ended, all are useless
                    await self._client.eval("return redis.call('TIME')", 0)  # more than a ping: scripts have to run
                break
        self._reconnect_task = None
        _log.warning("the limits server is back")
