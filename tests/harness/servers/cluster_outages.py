"""A server of a cluster is away, or stands still, until a block ends."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from harness.servers.cluster import Cluster
from harness.servers.events_server import FrontServer
from harness.servers.http_front import Fault, Kind
from harness.servers.redis import RedisServer

Outage = Callable[[Cluster], AbstractContextManager[None]]


def events_away(cluster: Cluster) -> AbstractContextManager[None]:
    """The server of the events refuses connections."""
    return _events_with(cluster, "refused")


def events_behind_a_proxy(cluster: Cluster) -> AbstractContextManager[None]:
    """A proxy before the server of the events says that it is away."""
    return _events_with(cluster, "unavailable")


def events_hang(cluster: Cluster) -> AbstractContextManager[None]:
    """The server of the events takes connections and answers nobody."""
    return _halted(cluster.front)


@contextmanager
def database_away(cluster: Cluster) -> Iterator[None]:
    """PostgreSQL is stopped."""
    cluster.postgres.stop()
    yield
    cluster.postgres.start()


def database_hangs(cluster: Cluster) -> AbstractContextManager[None]:
    """PostgreSQL takes connections and answers nobody."""
    return cluster.postgres.hanging()


@contextmanager
def limits_away(cluster: Cluster) -> Iterator[None]:
    """Redis is stopped."""
    cluster.redis.stop()
    yield
    cluster.redis.start()


def limits_hang(cluster: Cluster) -> AbstractContextManager[None]:
    """Redis takes connections and answers nobody."""
    return _halted(cluster.redis)


@contextmanager
def _events_with(cluster: Cluster, kind: Kind) -> Iterator[None]:
    cluster.front.let(Fault(kind=kind, times=10**9))
    yield
    cluster.front.let()


@contextmanager
def _halted(server: FrontServer | RedisServer) -> Iterator[None]:
    server.halt(halted=True)
    yield
    server.halt(halted=False)


OUTAGES: dict[str, list[Outage]] = {
    "events": [events_away, events_behind_a_proxy, events_hang],
    "database": [database_away, database_hangs],
    "limits": [limits_away, limits_hang],
}
"""All of them, by server."""
