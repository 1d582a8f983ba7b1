"""P5: a dashboard of twelve widgets and 5,000 events/s, each alone and both at once, on one server."""

import http.client
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import local
from typing import NamedTuple

from bench import events, load
from bench.product import Account, Product
from bench.questions import Question

_EVENTS_PER_SECOND = 5000
_BATCH = 50
_SENDERS = 4
_BROWSER_CONNECTIONS = 6
_ROUNDS = 2


class Busy(NamedTuple):
    """What was measured with one of the two alone, and with both; in ms."""

    alone: float
    together: float


class Browser:
    """Opens a dashboard over and over: all its widgets at once, over as many connections as a browser has."""

    def __init__(self, product: Product, widget_ids: Sequence[str]) -> None:
        self._product = product
        self._widget_ids = widget_ids
        self._own = local()
        self._threads = ThreadPoolExecutor(_BROWSER_CONNECTIONS)

    def open(self) -> list[float]:
        """For each widget the milliseconds until its answer was there."""
        opened = time.perf_counter()
        return list(self._threads.map(lambda widget_id: self._answered(widget_id, opened), self._widget_ids))

    def open_until(self, over: Callable[[], bool]) -> list[float]:
        """The same for all that was opened until `over`."""
        found: list[float] = []
        while not over():
            found += self.open()
        return found

    def _answered(self, widget_id: str, opened: float) -> float:
        if not hasattr(self._own, "connection"):
            self._own.connection = http.client.HTTPConnection("127.0.0.1", self._product.port)
        headers = {"authorization": f"Bearer {self._product.account.token}", "content-type": "application/json"}
        self._own.connection.request("POST", f"/v1/widgets/{widget_id}/data", b"{}", headers)
        response = self._own.connection.getresponse()
        text = response.read()
        if response.status != 200:
            raise SystemExit(f"widget: {text.decode()}")
        return (time.perf_counter() - opened) * 1000


def measure_busy(folder: Path, account: Account, widgets: Sequence[Question], seconds: float) -> tuple[Busy, Busy]:
    """The 95th percentile of a widget's answer, and the 99th of an acknowledgement."""
    product = Product(folder, account)
    browser = Browser(product, _make_dashboard(product, widgets))
    requests = product.requests(events.batches(400, _BATCH), _BATCH)
    browser.open()
    answers: list[tuple[float, float]] = []
    acks: list[tuple[float, float]] = []
    for _ in range(_ROUNDS):
        end = time.perf_counter() + seconds
        idle = browser.open_until(partial(_is_over, end))
        acked = load.finish(_ingest(product, requests, seconds))
        product.drained()
        generator = _ingest(product, requests, seconds)
        loaded = browser.open_until(partial(_has_ended, generator))
        acked_meanwhile = load.finish(generator)
        product.drained()
        answers.append((_p95(idle), _p95(loaded)))
        acks.append((acked.p99_ms, acked_meanwhile.p99_ms))
    product.stop()
    return _median(answers), _median(acks)


def _is_over(end: float) -> bool:
    return time.perf_counter() > end


def _has_ended(generator: load.Generator) -> bool:
    return generator.poll() is not None


def _ingest(product: Product, requests: list[load.Request], seconds: float) -> load.Generator:
    return load.start(product.port, requests, connections=_SENDERS, seconds=seconds, rate=_EVENTS_PER_SECOND)


def _make_dashboard(product: Product, widgets: Sequence[Question]) -> list[str]:
    dashboard, _ = product.post("/v1/dashboards", {"name": "Bench", "timeRange": "90d"})
    path = f"/v1/dashboards/{dashboard['id']}/widgets"
    made = [product.post(path, {"type": each.type, "config": each.config}) for each in widgets]
    return [widget["id"] for widget, _ in made]


def _p95(ms: list[float]) -> float:
    return sorted(ms)[int(len(ms) * 0.95)]


def _median(pairs: list[tuple[float, float]]) -> Busy:
    return Busy(*(statistics.median(side) for side in zip(*pairs, strict=True)))
