"""P9: what it takes until spans of OpenTelemetry are durable, beside parsing them alone.

``python -m bench.otlp`` takes about a minute.
"""

import http.client
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from rich.console import Console
from rich.table import Table

from bench.product import Product
from tallyroom.ingest.drain.frame import Frame, map_frames
from tallyroom.ingest.otlp.body import read_protobuf
from tallyroom.ingest.otlp.signals import TRACES

SPANS = 8192
ROUNDS = 40
_PARSE_MS = 2.4  # where the bar of the mapping was set
REST_SECONDS = 0.5
"""Between two requests, long enough for the drain to have mapped and stored the one before."""


def request(seed: int) -> bytes:
    """A request of spans as an HTTP server makes them: eight attributes each, six of a resource."""
    chance = random.Random(seed)
    now = time.time_ns()
    made = ExportTraceServiceRequest()
    resource = {"service.name": "shop", "service.version": "1.2.3", "host.name": "node-17", "cloud.region": "eu"}
    resource |= {"telemetry.sdk.language": "python", "telemetry.sdk.name": "opentelemetry"}
    spans = made.resource_spans.add(resource={"attributes": _attributes(resource)}).scope_spans.add()
    for number in range(SPANS):
        start = now + number * 1000
        span = spans.spans.add(
            trace_id=chance.randbytes(16),
            span_id=chance.randbytes(8),
            parent_span_id=chance.randbytes(8),
            name=f"GET /items/{number % 20}",
            kind=2,
            start_time_unix_nano=start,
            end_time_unix_nano=start + chance.randrange(10**9),
        )
        texts = {"http.request.method": "GET", "http.route": f"/items/{number % 20}", "url.path": f"/items/{number}"}
        texts |= {"server.address": "example.com", "user.id": f"u{chance.randrange(5000)}"}
        span.attributes.extend(_attributes(texts))
        numbers = {"http.response.status_code": 200, "server.port": 443, "size": chance.randrange(9000)}
        for key, value in numbers.items():
            span.attributes.append(KeyValue(key=key, value=AnyValue(int_value=value)))
    return made.SerializeToString()


def _attributes(texts: dict[str, str]) -> list[KeyValue]:
    return [KeyValue(key=key, value=AnyValue(string_value=value)) for key, value in texts.items()]


def milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def frame_of(body: bytes) -> bytes:
    """The request as the spool keeps it."""
    taken = read_protobuf(TRACES, body)
    [(compressed, _, events)] = taken.pieces
    workspace_id = "00000000-0000-0000-0000-000000000001"
    frame = Frame(TRACES.name, workspace_id, "production", time.time_ns() // 10**6, 1, events, len(compressed))
    return frame.wrap(compressed)


class Exporter:
    """One connection that sends one request after the other."""

    def __init__(self, product: Product) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", product.port)
        self._headers = {"content-type": "application/x-protobuf", "authorization": f"Bearer {product.account.key}"}

    def send(self, body: bytes) -> None:
        """Send and wait for the acknowledgement."""
        self._connection.request("POST", "/v1/traces", body, self._headers)
        answer = self._connection.getresponse()
        if (answer.status, answer.read()) != (200, b""):
            raise SystemExit(f"answered {answer.status}")


def main() -> None:
    """Run everything and print one table."""
    bodies = [request(seed) for seed in range(8)]
    framed = [frame_of(body) for body in bodies]
    found: dict[str, list[float]] = {}

    def measure(name: str, work: Callable[[], object]) -> None:
        found.setdefault(name, []).append(milliseconds(work))

    with tempfile.TemporaryDirectory() as folder:
        running = Product(Path(folder) / "a")
        held = Product(Path(folder) / "b", TALLYROOM_FAILPOINTS="store.insert=block", TALLYROOM_STOP_SECONDS="0")
        to_running, to_held = Exporter(running), Exporter(held)
        for number in range(ROUNDS):
            body = bodies[number % len(bodies)]
            measure("parse", lambda body=body: ExportTraceServiceRequest.FromString(body))  # type: ignore[misc] # mypy infers no default
            measure("check", lambda body=body: read_protobuf(TRACES, body))  # type: ignore[misc] # mypy infers no default
            measure("held", lambda body=body: to_held.send(body))  # type: ignore[misc] # mypy infers no default
            measure("running", lambda body=body: to_running.send(body))  # type: ignore[misc] # mypy infers no default
            time.sleep(REST_SECONDS)
            measure("map", lambda at=number: map_frames(framed[at % len(framed)], 1))  # type: ignore[misc] # mypy infers no default
        running.stop()
        held.stop()
    print_table({name: statistics.median(runs) for name, runs in found.items()}, len(bodies[0]))


def print_table(median: dict[str, float], size: int) -> None:
    """Medians in ms, beside the parse."""
    table = Table("what", "figure", "beside the parse", "limit")
    parse = median["parse"]
    each = median["map"] / SPANS * 1000

    def add(what: str, figure: float, limit: str = "") -> None:
        table.add_row(what, f"{figure:.1f} ms", f"{figure / parse:.2f} ×", limit)

    add(f"parse {SPANS:,} spans, {size / 1e6:.1f} MB", parse)
    add("parse and check", median["check"])
    add("durable, the drain held", median["held"], "≤ 3 ×")
    add("durable, the drain running", median["running"], "≤ 3 ×")
    add("durable, were it mapped at accept", median["held"] + median["map"], "≤ 8 ×")
    beside = f"{each / parse * _PARSE_MS:.1f} µs where the parse takes {_PARSE_MS} ms"
    table.add_row("mapping, in the drain", f"{each:.1f} µs a span", beside, "≤ 6 µs")
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
