"""Opens the rate limits, in memory or on a server that several processes share, as the settings say."""

from importlib.util import find_spec

from tallyroom.core.clock import Clock
from tallyroom.core.errors import TallyroomError
from tallyroom.core.peers import Peers
from tallyroom.storage.limits.limits import Limits, LimitsServerInfo
from tallyroom.storage.limits.local import LocalLimits


def open_limits(dsn: str, clock: Clock, peers: Peers) -> Limits:
    """Open the limits at `dsn`, even if the server is away; "" means in memory. Raises `TallyroomError`."""
    if not dsn:
        return LocalLimits(clock)
    _require_client()
    from tallyroom.cluster.redis.shared_limits import SharedLimits  # noqa: PLC0415 # needs the client

    return SharedLimits(dsn, clock, peers)


def probe_limits(dsn: str) -> LimitsServerInfo:
    """Check whether a Redis or Valkey server answers, and return its details; raise `TallyroomError` if it does not."""
    _require_client()
    from tallyroom.cluster.redis.probe import probe_server  # noqa: PLC0415 # needs the client

    return probe_server(dsn)


def _require_client() -> None:
    if find_spec("redis") is None:
        raise TallyroomError("Limits in Redis need redis-py. Install Tallyroom with the `cluster` extra.")
