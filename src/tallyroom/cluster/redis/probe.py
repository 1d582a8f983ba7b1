"""Checks that a server is suitable for the limits."""

from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from tallyroom.cluster.redis.server import redis_url
from tallyroom.core.errors import TallyroomError, Unavailable
from tallyroom.storage.limits.limits import LimitsServerInfo

_TIMEOUT_SECONDS = 3.0


def probe_server(dsn: str) -> LimitsServerInfo:
    """Ask the server for its details and run a script on it, as workers do; raise `Unavailable` if that fails."""
    try:
        client: Any = Redis.from_url(
            redis_url(dsn), socket_timeout=_TIMEOUT_SECONDS, socket_connect_timeout=_TIMEOUT_SECONDS
        )
    except ValueError as error:
        raise TallyroomError("TALLYROOM_LIMITS_DSN is not the address of a Redis or Valkey server.") from error
    try:
        with client:
            client.eval("return redis.call('TIME')", 0)
            info = client.info("server") | client.info("memory")
    except (RedisError, OSError) as error:
        raise Unavailable(f"The limits server does not respond: {error}") from error
    name = str(info.get("server_name", "redis")).capitalize()
    version = info.get("valkey_version") or info.get("redis_version", "")
    is_bounded = int(info.get("maxmemory", 0)) > 0
    return LimitsServerInfo(f"{name} {version}".strip(), str(info.get("maxmemory_policy", "")) if is_bounded else "")
