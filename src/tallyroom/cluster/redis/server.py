"""The connection to the limits server. Each request is answered within `ANSWER_SECONDS` or fails."""

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

ANSWER_SECONDS = 0.25  # how long a request may wait; a healthy server answers in less than a millisecond

_RECONNECT_SECONDS = 1.0  # between two attempts to reach a server that is away
_CONNECT_SECONDS = 2.0
_MAX_CONNECTIONS = 16

_log = logging.getLogger(__name__)


class LimitsServerAway(Exception):  # a state rather than a fault
    """The server does not answer, or answers with an error, which is in the log."""


def redis_url(dsn: str) -> str:
    """Return the address with Redis's schemes, which the client knows; Valkey's mean the same."""
    return dsn.replace("valkey", "redis", 1) if dsn.startswith("valkey") else dsn


class LimitsServer:
    """A Redis or Valkey server, accessed by atomic scripts; requests raise `LimitsServerAway` if there is no answer.

    After a failure, the server counts as away, and no request waits for it until a background task has reached it
    again. `dsn` is as in ``redis://:password@host:6379/0``; also ``rediss``, ``valkey``, ``valkeys`` and ``unix``. An
    invalid one raises `TallyroomError`.
    """

    def __init__(self, dsn: str) -> None:
        try:
            pool: Any = BlockingConnectionPool.from_url(
                redis_url(dsn),
                max_connections=_MAX_CONNECTIONS,
                timeout=ANSWER_SECONDS,
                socket_timeout=ANSWER_SECONDS,
                socket_connect_timeout=_CONNECT_SECONDS,
                retry=Retry(NoBackoff(), 0),  # a retried script could count twice
                client_name="tallyroom",
                decode_responses=False,
            )
        except ValueError as error:
            raise TallyroomError("TALLYROOM_LIMITS_DSN is not the address of a Redis or Valkey server.") from error
        self._client: Any = Redis.from_pool(pool)
        self._scripts: dict[str, Any] = {}
        self._reconnect_task: asyncio.Task[None] | None = None

    @property
    def is_away(self) -> bool:
        """Whether the server failed to answer the last request."""
        return self._reconnect_task is not None

    async def run_script(self, script_name: str, keys: Sequence[str], arguments: Sequence[ScriptArgument] = ()) -> Any:
        """Run the script of that name, and return its result; without an answer, it may have run all the same."""
        if script_name not in self._scripts:
            source = (files("tallyroom.cluster.redis") / f"{script_name}.lua").read_text(encoding="utf-8")
            self._scripts[script_name] = self._client.register_script(source)
        return await self._request(lambda: self._scripts[script_name](keys, arguments))

    async def read_list(self, key: str) -> list[bytes]:
        """Return a list; empty if no one has written it."""
        return list(await self._request(lambda: self._client.lrange(key, 0, -1)))

    async def read_value(self, key: str) -> bytes | None:
        """Return a value; None if no one has written it."""
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
            _log.warning(
                "the limits server is unreachable; each worker applies limits on its own", extra={"reason": repr(error)}
            )
            self._reconnect_task = asyncio.get_running_loop().create_task(self._reconnect())

    async def _reconnect(self) -> None:
        while True:
            await asyncio.sleep(_RECONNECT_SECONDS)
            with suppress(RedisError, OSError, TimeoutError):
                async with asyncio.timeout(_CONNECT_SECONDS):
                    await self._client.connection_pool.disconnect()  # useless if the server ended
                    await self._client.eval("return redis.call('TIME')", 0)  # more than a ping: scripts have to run
                break
        self._reconnect_task = None
        _log.warning("the limits server is back")
