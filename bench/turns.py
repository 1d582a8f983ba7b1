"""P15: how long A's events take until they can be queried while B sends history, and how long B's history takes.

``python -m bench.turns`` takes about three minutes; ``--quick`` sends a tenth of B's rows. A sends one event a second
and asks for it until it is in an answer. Beside it: the same without B, and the same rows of B sorted by time.
"""

import argparse
import http.client
import json
import random
import statistics
import tempfile
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
from rich.console import Console
from rich.table import Table

from bench import load
from bench.events import build_program_event
from bench.product import Product, make_paid

_BODY_EVENTS = 500
_CONNECTIONS = 4
_POLL_SECONDS = 0.02
_PROBE_INTERVAL_SECONDS = 1.0
_ALONE_SECONDS = 30
_MAX_SECONDS = 600.0

_encoder = msgspec.json.Encoder()


class _Workload(NamedTuple):
    event_count: int
    month_count: int

    @property
    def name(self) -> str:
        return f"{self.event_count:,} rows of {self.month_count} months"


class _Outcome(NamedTuple):
    latencies_s: list[float]  # of A's events, from the 202 until an answer has them
    total_s: float  # until the last row of B is stored


class _Prober(threading.Thread):
    """A: sends an event a second, one after the other, and asks for it."""

    def __init__(self, product: Product) -> None:
        super().__init__()
        self._account = product.account
        self._connection = http.client.HTTPConnection("127.0.0.1", product.port, timeout=_MAX_SECONDS)
        self._is_over = threading.Event()
        self.latencies_s: list[float] = []

    def run(self) -> None:
        number = 0
        while not self._is_over.is_set():
            started_s = time.perf_counter()
            self.latencies_s.append(self._probe(f"probe-{number}"))
            number += 1
            self._is_over.wait(_PROBE_INTERVAL_SECONDS - (time.perf_counter() - started_s))

    def stop(self) -> list[float]:
        """Wait for the current event, and return all latencies in seconds."""
        self._is_over.set()
        self.join()
        return self.latencies_s

    def _probe(self, name: str) -> float:
        self._request("POST", "/v1/events", self._account.key, json.dumps({"name": name}), 202)
        acknowledged_s = time.perf_counter()
        path = f"/v1/events?timeRange=24h&limit=1&name={name}"
        while not self._request("GET", path, self._account.token, None, 200)["events"]:
            time.sleep(_POLL_SECONDS)
        return time.perf_counter() - acknowledged_s

    def _request(self, method: str, path: str, bearer: str, body: str | None, status: int) -> dict[str, list[object]]:
        headers = {"authorization": f"Bearer {bearer}", "content-type": "application/json"}
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status != status:
            raise RuntimeError(f"{path}: {answer.status} {content.decode(errors='replace')}")
        parsed: dict[str, list[object]] = msgspec.json.decode(content)
        return parsed


def _build_bodies(workload: _Workload, *, is_sorted: bool) -> list[bytes]:
    """Return events spread over the months before this one, in random order or by time."""
    source = random.Random(15)
    now = datetime.now(UTC)
    months = [divmod(now.year * 12 + now.month - 1 - back, 12) for back in range(workload.month_count)]
    starts_s = [int(datetime(year, month + 1, 1, tzinfo=UTC).timestamp()) for year, month in months]
    times_s = [source.choice(starts_s) + source.randrange(27 * 86_400) for _ in range(workload.event_count)]
    times_s = [min(time_s, int(now.timestamp())) for time_s in times_s]
    if is_sorted:
        times_s.sort()
    events = [
        build_program_event(source) | {"_timestamp": datetime.fromtimestamp(time_s, UTC).isoformat()}
        for time_s in times_s
    ]
    return [
        _encoder.encode({"events": events[start : start + _BODY_EVENTS]})
        for start in range(0, len(events), _BODY_EVENTS)
    ]


def _open_product(folder: Path) -> Product:
    """Return a server whose workspace may have more events than the free plan allows."""
    product = Product(folder)
    product.stop()
    make_paid(folder, product.account)
    return Product(folder, product.account)


def _measure_alone(folder: Path) -> list[float]:
    product = _open_product(folder)
    prober = _Prober(product)
    prober.start()
    time.sleep(_ALONE_SECONDS)
    latencies_s = prober.stop()
    product.stop()
    return latencies_s


def _measure_beside(folder: Path, workload: _Workload, *, is_sorted: bool) -> _Outcome:
    bodies = _build_bodies(workload, is_sorted=is_sorted)
    product = _open_product(folder)
    key, _ = product.post("/v1/keys", {"name": "history", "environment": "development"})
    requests = [load.http_request(body, key["secret"], _BODY_EVENTS) for body in bodies]
    prober = _Prober(product)
    prober.start()
    started_s = time.perf_counter()
    report = load.run(product.port, requests, connections=_CONNECTIONS, seconds=_MAX_SECONDS, once=True)
    if report.accepted_count != len(requests):
        raise SystemExit(f"not all accepted: {report.statuses}")
    expected_count = workload.event_count
    while product.read_metric("tallyroom_events_stored_total") < expected_count:
        time.sleep(0.05)
        expected_count = workload.event_count + len(prober.latencies_s)
    total_s = time.perf_counter() - started_s
    latencies_s = prober.stop()
    product.stop()
    return _Outcome(latencies_s, total_s)


def _format_latencies(latencies_s: list[float]) -> str:
    p99_s = sorted(latencies_s)[int(len(latencies_s) * 0.99)]
    return f"{statistics.median(latencies_s):.2f}, {p99_s:.2f} s"


def main() -> None:
    """Run everything and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    share = 10 if parser.parse_args().quick else 1
    workloads = [_Workload(500_000 // share, 60), _Workload(5000, 680)]
    table = Table("B sends", "A p50, p99", "alone", "limit", "B's total", "sorted", "ratio", "limit", title="P15")
    with tempfile.TemporaryDirectory() as folder:
        alone = _format_latencies(_measure_alone(Path(folder) / "alone"))
        for number, workload in enumerate(workloads):
            by_time = _measure_beside(Path(folder) / f"{number}-sorted", workload, is_sorted=True)
            shuffled = _measure_beside(Path(folder) / f"{number}-shuffled", workload, is_sorted=False)
            table.add_row(
                workload.name,
                _format_latencies(shuffled.latencies_s),
                alone,
                "p99 ≤ 2 s",
                f"{shuffled.total_s:.1f} s",
                f"{by_time.total_s:.1f} s",
                f"{shuffled.total_s / by_time.total_s:.2f} ×",
                "≤ 2 ×",
            )
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
