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
from tallyroom.ingest.drain.frame import FrameHeader, map_frames
from tallyroom.ingest.otlp.body import read_protobuf
from tallyroom.ingest.otlp.signals import TRACES

SPAN_COUNT = 8192
ROUNDS = 40
_PARSE_MS = 2.4  # where the bar of the mapping was set
REST_SECONDS = 0.5
"""Between two requests, long enough for the drain to have mapped and stored the one before."""


def build_request(seed: int) -> bytes:
    """A request of spans as an HTTP server makes them: eight attributes each, six of a resource."""
    random_source = random.Random(seed)
    now_ns = time.time_ns()
    trace_request = ExportTraceServiceRequest()
    resource = {"service.name": "shop", "service.version": "1.2.3", "host.name": "node-17", "cloud.region": "eu"}
    resource |= {"telemetry.sdk.language": "python", "telemetry.sdk.name": "opentelemetry"}
    spans = trace_request.resource_spans.add(resource={"attributes": _attributes(resource)}).scope_spans.add()
    for number in range(SPAN_COUNT):
        start_ns = now_ns + number * 1000
        span = spans.spans.add(
            trace_id=random_source.randbytes(16),
            span_id=random_source.randbytes(8),
            parent_span_id=random_source.randbytes(8),
            name=f"GET /items/{number % 20}",
            kind=2,
            start_time_unix_nano=start_ns,
            end_time_unix_nano=start_ns + random_source.randrange(10**9),
        )
        text_attributes = {
            "http.request.method": "GET",
            "http.route": f"/items/{number % 20}",
            "url.path": f"/items/{number}",
        }
        text_attributes |= {"server.address": "example.com", "user.id": f"u{random_source.randrange(5000)}"}
        span.attributes.extend(_attributes(text_attributes))
        number_attributes = {
            "http.response.status_code": 200,
            "server.port": 443,
            "size": random_source.randrange(9000),
        }
        for key, value in number_attributes.items():
            span.attributes.append(KeyValue(key=key, value=AnyValue(int_value=value)))
    return trace_request.SerializeToString()


def _attributes(texts: dict[str, str]) -> list[KeyValue]:
    return [KeyValue(key=key, value=AnyValue(string_value=value)) for key, value in texts.items()]


def measure_ms(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def frame_of(body: bytes) -> bytes:
    """The request as the spool keeps it."""
    taken = read_protobuf(TRACES, body)
    [(compressed, _, events)] = taken.pieces
    workspace_id = "00000000-0000-0000-0000-000000000001"
    frame = FrameHeader(TRACES.name, workspace_id, "production", time.time_ns() // 10**6, 1, events, len(compressed))
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
    bodies = [build_request(seed) for seed in range(8)]
    frames = [frame_of(body) for body in bodies]
    ms_by_name: dict[str, list[float]] = {}

    def measure(name: str, work: Callable[[], object]) -> None:
        ms_by_name.setdefault(name, []).append(measure_ms(work))

    with tempfile.TemporaryDirectory() as folder:
        running_product = Product(Path(folder) / "a")
        held_product = Product(
            Path(folder) / "b", TALLYROOM_FAILPOINTS="store.insert=block", TALLYROOM_STOP_SECONDS="0"
        )
        running_exporter, held_exporter = Exporter(running_product), Exporter(held_product)
        for number in range(ROUNDS):
            body = bodies[number % len(bodies)]
            measure("parse", lambda body=body: ExportTraceServiceRequest.FromString(body))  # type: ignore[misc] # mypy infers no default
            measure("check", lambda body=body: read_protobuf(TRACES, body))  # type: ignore[misc] # mypy infers no default
            measure("held", lambda body=body: held_exporter.send(body))  # type: ignore[misc] # mypy infers no default
            measure("running", lambda body=body: running_exporter.send(body))  # type: ignore[misc] # mypy infers no default
            time.sleep(REST_SECONDS)
            measure("map", lambda at=number: map_frames(frames[at % len(frames)], 1))  # type: ignore[misc] # mypy infers no default
        running_product.stop()
        held_product.stop()
    print_table({name: statistics.median(ms_list) for name, ms_list in ms_by_name.items()}, len(bodies[0]))


def print_table(median_by_name: dict[str, float], byte_count: int) -> None:
    """Medians in ms, beside the parse."""
    table = Table("what", "figure", "beside the parse", "limit")
    parse_ms = median_by_name["parse"]
    us_per_span = median_by_name["map"] / SPAN_COUNT * 1000

    def add(name: str, figure_ms: float, limit: str = "") -> None:
        table.add_row(name, f"{figure_ms:.1f} ms", f"{figure_ms / parse_ms:.2f} ×", limit)

    add(f"parse {SPAN_COUNT:,} spans, {byte_count / 1e6:.1f} MB", parse_ms)
    add("parse and check", median_by_name["check"])
    add("durable, the drain held", median_by_name["held"], "≤ 3 ×")
    add("durable, the drain running", median_by_name["running"], "≤ 3 ×")
    add("durable, were it mapped at accept", median_by_name["held"] + median_by_name["map"], "≤ 8 ×")
    beside_parse = f"{us_per_span / parse_ms * _PARSE_MS:.1f} µs where the parse takes {_PARSE_MS} ms"
    table.add_row("mapping, in the drain", f"{us_per_span:.1f} µs a span", beside_parse, "≤ 6 µs")
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
