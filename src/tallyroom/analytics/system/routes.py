"""Paths for operators: alive, ready, counted."""

import msgspec
from litestar import MediaType, Response, get
from litestar.datastructures import State
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from tallyroom.analytics.system.metrics import Metrics
from tallyroom.analytics.system.readiness import Readiness, readiness
from tallyroom.auth.guards import public
from tallyroom.core.directory_watch import DirectoryWatch
from tallyroom.db.connection import Database
from tallyroom.drain.thread import Drain
from tallyroom.ingest.disk import DiskWatch
from tallyroom.rest.injected import Injected
from tallyroom.spool.queue import Spool
from tallyroom.store.damage import Damages
from tallyroom.store.read import EventReader


class Alive(msgspec.Struct, frozen=True):
    """The event loop answers."""

    status: str = "ok"


@get("/healthz", guards=[public], sync_to_thread=False, tags=["system"])
def healthz() -> Alive:
    """The process is alive."""
    return Alive()


@get("/readyz", guards=[public], tags=["system"])
async def readyz(
    state: State,
    database: Injected[Database],
    spool: Injected[Spool],
    drain: Injected[Drain],
    disk: Injected[DiskWatch],
    directory: Injected[DirectoryWatch],
    damages: Injected[Damages],
    reader: Injected[EventReader],
) -> Response[Readiness]:
    """The server can take requests and has all of its data; 503 when not, with what is at fault."""
    found = await readiness(
        database=database,
        spool=spool,
        drain=drain,
        disk=disk,
        directory=directory,
        damages=damages,
        reader=reader,
        stopping=state.services.stopping,
    )
    return Response(found, status_code=200 if found.status == "ready" else 503)


@get("/metrics", guards=[public], sync_to_thread=False, media_type=MediaType.TEXT, tags=["system"])
def metrics(metrics_registry: Injected[Metrics]) -> Response[bytes]:
    """Counters and gauges in Prometheus' text format."""
    return Response(metrics_registry.text(), media_type=CONTENT_TYPE_PLAIN_0_0_4)


routes = [healthz, readyz, metrics]
