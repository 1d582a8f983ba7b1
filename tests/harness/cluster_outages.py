"""A server of a cluster is away, or stands still, until a block ends."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from harness.cluster import Cluster
from harness.http_front import Fault, Kind

Outage = Callable[[Cluster], AbstractContextManager[None]]


@contextmanager
def events_away(cluster: Cluster) -> Iterator[None]:
    """The server of the events refuses connections."""
    with _events_with(cluster, "refused"):
        yield


@contextmanager
def events_behind_a_proxy(cluster: Cluster) -> Iterator[None]:
    """A proxy before the server of the events says that it is away."""
    with _events_with(cluster, "unavailable"):
        yield


@contextmanager
def events_hang(cluster: Cluster) -> Iterator[None]:
    """The server of the events takes connections and answers nobody."""
    cluster.front.halt(halted=True)
    yield
    cluster.front.halt(halted=False)


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


@contextmanager
def limits_hang(cluster: Cluster) -> Iterator[None]:
    """Redis takes connections and answers nobody."""
    cluster.redis.halt(halted=True)
    yield
    cluster.redis.halt(halted=False)


@contextmanager
def _events_with(cluster: Cluster, kind: Kind) -> Iterator[None]:
    cluster.front.let(Fault(kind=kind, times=10**9))
    yield
    cluster.front.let()


OUTAGES: dict[str, list[Outage]] = {
    "events": [events_away, events_behind_a_proxy, events_hang],
    "database": [database_away, database_hangs],
    "limits": [limits_away, limits_hang],
}
"""All of them, by server."""
