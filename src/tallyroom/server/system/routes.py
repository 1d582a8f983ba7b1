"""Paths for operators: alive, ready, counted."""

import msgspec
from litestar import MediaType, Response, get
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from tallyroom.auth.guards import public, require_scraper
from tallyroom.rest.injected import Injected
from tallyroom.server.system.metrics import Metrics
from tallyroom.server.system.readiness import Readiness, ReadinessCheck


class Alive(msgspec.Struct, frozen=True):
    """The event loop answers."""

    status: str = "ok"


@get("/healthz", guards=[public], sync_to_thread=False, tags=["system"])
def healthz() -> Alive:
    """The process is alive."""
    return Alive()


@get("/readyz", guards=[public], tags=["system"])
async def readyz(readiness: Injected[ReadinessCheck]) -> Response[Readiness]:
    """The server accepts requests and has all of its data. Otherwise 503, with the reason."""
    report = await readiness.build_report()
    return Response(report, status_code=200 if report.status == "ready" else 503)


@get(
    "/metrics",
    guards=[require_scraper],
    sync_to_thread=False,
    media_type=MediaType.TEXT,
    operation_id="MetricsMetrics",
    tags=["system"],
)
def show_metrics(metrics: Injected[Metrics]) -> Response[bytes]:
    """Counters and gauges in Prometheus' text format."""
    return Response(metrics.render_text(), media_type=CONTENT_TYPE_PLAIN_0_0_4)


routes = [healthz, readyz, show_metrics]
