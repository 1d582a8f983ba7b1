"""Opens the limits where the settings say that they are: in memory, or on a server that several processes share."""

from importlib.util import find_spec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import TallyroomError
from tallyroom.core.peers import Peers
from tallyroom.storage.limits.limits import Limits, LimitsServerInfo
from tallyroom.storage.limits.local import LocalLimits


def open_limits(dsn: str, clock: Clock, peers: Peers) -> Limits:
    """Open the limits; a server that does not answer now is no obstacle.

    Args:
        dsn: the Redis or Valkey server; "" for the memory of this process.
        clock: provides the monotonic time.
        peers: the workers that share the limits.

    Raises:
        TallyroomError: `dsn` names no such server, or its client is not installed.
    """
    if not dsn:
        return LocalLimits(clock)
    _require_client()
    from tallyroom.cluster.redis.shared_limits import SharedLimits  # noqa: PLC0415 # needs the client

    return SharedLimits(dsn, clock, peers)


def probe_limits(dsn: str) -> LimitsServerInfo:
    """Look whether a Redis or Valkey server answers, and what it is.

    Raises:
        TallyroomError: `dsn` names no such server, or it does not answer, or its client is not installed.
    """
    _require_client()
    from tallyroom.cluster.redis.probe import probe_server  # noqa: PLC0415 # needs the client

    return probe_server(dsn)


def _require_client() -> None:
    if find_spec("redis") is None:
        raise TallyroomError("Limits in Redis need the extra `cluster` of this package, which has redis.")
