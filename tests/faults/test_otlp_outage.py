"""Exporters beside a store that hangs and a server that dies: all acknowledged is there (rules/safety#store-outage)."""

import threading
import time
from collections.abc import Sequence

import pytest
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from harness.clients.telemetry import post, status_of, traces
from harness.servers.site import MakeSite, Site

_SPANS_A_BURST = 40


class Ledger(SpanExporter):
    """The real exporter, and which spans it was told are taken."""

    def __init__(self, site: Site) -> None:
        headers = {"authorization": f"Bearer {site.workspace.key}"}
        self._exporter = OTLPSpanExporter(endpoint=f"{site.server.url}/v1/traces", headers=headers, timeout=60)
        self.taken: list[str] = []
        self.failed: list[str] = []

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = self._exporter.export(spans)
        kept = self.taken if result is SpanExportResult.SUCCESS else self.failed
        kept += [span.name for span in spans]
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()  # type: ignore[no-untyped-call] # its library leaves out the type


@pytest.mark.long
def test_nothing_that_was_acknowledged_is_lost(make_site: MakeSite) -> None:
    site = make_site().begin("store.insert=block")
    ledger = Ledger(site)
    provider = TracerProvider()
    provider.add_span_processor(
        BatchSpanProcessor(ledger, max_queue_size=10**6, schedule_delay_millis=50, max_export_batch_size=_SPANS_A_BURST)
    )
    tracer = provider.get_tracer("tests")
    enough = threading.Event()
    sent = 0

    def work() -> None:
        nonlocal sent
        while not enough.wait(0.05):
            for _ in range(_SPANS_A_BURST):
                tracer.start_span(f"span-{sent}").end()
                sent += 1

    worker = threading.Thread(target=work)
    worker.start()
    try:
        reached(ledger, 200)
        assert site.metric("events_stored_total") == 0, "nothing was blocked"
        site.server.kill()
        time.sleep(0.3)  # long enough for the exporter to be refused
        site.start()
        reached(ledger, 600)
        site.server.kill()
        site.start()
        reached(ledger, 1000)
    finally:
        enough.set()
        worker.join()
        provider.shutdown()
    site.drained()
    assert ledger.failed == []
    assert len(ledger.taken) == sent
    names = names_of(site)
    assert set(ledger.taken) <= names
    assert site.metric("events_acked_total") >= sent


def reached(ledger: Ledger, spans: int) -> None:
    deadline = time.monotonic() + 60
    goal = len(ledger.taken) + spans
    while len(ledger.taken) < goal:
        assert time.monotonic() < deadline, f"{len(ledger.taken)} of {goal} spans were taken"
        time.sleep(0.02)


def names_of(site: Site) -> set[str]:
    """The name of every event that the server has."""
    with site.workspace.client() as client:
        found = client.get("/v1/export", params={"format": "ndjson"}, timeout=60)
    assert found.status_code == 200, found.text
    return {line.split('"name":"', 1)[1].split('"', 1)[0] for line in found.text.splitlines()}


@pytest.mark.long
def test_a_full_spool_is_a_503_that_exporters_wait_for(make_site: MakeSite) -> None:
    site = make_site(spool_max_bytes="1000000").begin("store.insert=block")
    request = traces(*[{"name": f"span-{number}"} for number in range(40)], resource={"shared": "x" * 30_000})
    answers = [post(site.workspace, "traces", request) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 503, 503]
    code, message = status_of(answers[-1])
    assert (code, "queued for the event store" in message) == (14, True)
    assert int(answers[-1].headers["retry-after"]) > 0
    site.server.stop()  # lets the block go
    site.start()
    site.drained()
    assert post(site.workspace, "traces", request).status_code == 200
    assert len(names_of(site)) == 40
