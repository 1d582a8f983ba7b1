"""A web application with OpenTelemetry's own instrumentation, and what can be asked of its spans."""

import statistics
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask, request
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.flask import FlaskInstrumentor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Span

from harness.clients.workspace import Workspace, sign_up
from harness.servers.server import Server

VISITORS, BUYERS, PAYERS = 20, 12, 5
STEPS = ["GET /products/<int:number>", "POST /cart", "POST /checkout"]


@pytest.fixture
def workspace(server: Server) -> Workspace:
    return sign_up(server.url)


@pytest.fixture
def kept() -> InMemorySpanExporter:
    """The same spans as the application made them."""
    return InMemorySpanExporter()


@pytest.fixture
def provider(workspace: Workspace, kept: InMemorySpanExporter) -> Iterator[TracerProvider]:
    headers = {"authorization": f"Bearer {workspace.key}"}
    provider = TracerProvider(resource=Resource.create({"service.name": "shop"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(f"{workspace.url}/v1/traces", headers=headers)))
    provider.add_span_processor(SimpleSpanProcessor(kept))
    yield provider
    provider.shutdown()


def shop(provider: TracerProvider) -> Flask:
    app = Flask("shop")

    @app.get("/products/<int:number>")
    def product(number: int) -> str:
        return f"product {number}"

    @app.post("/cart")
    def cart() -> str:
        return "in the cart"

    @app.post("/checkout")
    def checkout() -> tuple[str, int]:
        return "paid", 201

    def who(span: Span, _environ: dict[str, Any]) -> None:
        span.set_attribute("user.id", request.headers["X-User"])

    FlaskInstrumentor().instrument_app(app, tracer_provider=provider, request_hook=who)  # type: ignore[no-untyped-call] # its library leaves out the types
    return app


def visit(app: Flask) -> None:
    client = app.test_client()
    for number in range(VISITORS):
        user = {"X-User": f"user-{number}"}
        client.get(f"/products/{number}", headers=user)
        if number < BUYERS:
            client.post("/cart", headers=user)
        if number < PAYERS:
            client.post("/checkout", headers=user)


def ask(workspace: Workspace, kind: str, config: dict[str, Any]) -> Any:
    with workspace.client() as client:
        body = {"environment": "production", "timeRange": "24h", "type": kind, "config": config}
        answer = client.post("/v1/query", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_funnel_and_a_percentile_over_time(
    workspace: Workspace, provider: TracerProvider, kept: InMemorySpanExporter
) -> None:
    visit(shop(provider))
    provider.force_flush()
    durations = [
        ((span.end_time or 0) - (span.start_time or 0)) / 1e6
        for span in kept.get_finished_spans()
        if span.name == STEPS[0]
    ]
    assert len(durations) == VISITORS

    funnel = ask(workspace, "funnel", {"steps": [{"event": step} for step in STEPS], "windowHours": 1})
    assert [step["count"] for step in funnel["steps"]] == [VISITORS, BUYERS, PAYERS]

    p95 = {"event": STEPS[0], "measure": "p95", "property": "otel.duration_ms"}
    expected = statistics.quantiles(durations, n=100, method="inclusive")[94]
    assert ask(workspace, "metric", p95)["value"] == pytest.approx(expected)
    points = ask(workspace, "metric", p95 | {"overTime": True})["points"]
    values = [point["value"] for point in points if point["value"] is not None]
    assert len(points) >= 24
    assert values
    assert min(durations) <= min(values) <= max(values) <= max(durations)

    paid = {"key": "http.status_code", "op": "eq", "value": 201}
    routes = {"event": STEPS[2], "measure": "count", "breakdown": "http.route", "filters": [paid]}
    assert ask(workspace, "metric", routes)["rows"] == [{"label": "/checkout", "value": PAYERS}]
