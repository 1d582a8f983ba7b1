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

EVENTS_PER_SECOND = 5000
_BATCH = 50
_SENDER_COUNT = 4
_BROWSER_CONNECTIONS = 6
_ROUNDS = 2


class AloneAndTogether(NamedTuple):
    """What was measured with one of the two alone, and with both; in ms."""

    alone: float
    together: float


class Browser:
    """Opens a dashboard over and over: all its widgets at once, over as many connections as a browser has."""

    def __init__(self, product: Product, widget_ids: Sequence[str]) -> None:
        self._product = product
        self._widget_ids = widget_ids
        self._thread_local = local()
        self._threads = ThreadPoolExecutor(_BROWSER_CONNECTIONS)

    def open(self) -> list[float]:
        """For each widget the milliseconds until its answer was there."""
        opened_s = time.perf_counter()
        return list(self._threads.map(lambda widget_id: self._ask_widget_ms(widget_id, opened_s), self._widget_ids))

    def open_until(self, is_over: Callable[[], bool]) -> list[float]:
        """The same for all that was opened until `is_over`."""
        ms_list: list[float] = []
        while not is_over():
            ms_list += self.open()
        return ms_list

    def _ask_widget_ms(self, widget_id: str, opened_s: float) -> float:
        if not hasattr(self._thread_local, "connection"):
            self._thread_local.connection = http.client.HTTPConnection("127.0.0.1", self._product.port)
        headers = {"authorization": f"Bearer {self._product.account.token}", "content-type": "application/json"}
        self._thread_local.connection.request("POST", f"/v1/widgets/{widget_id}/data", b"{}", headers)
        response = self._thread_local.connection.getresponse()
        text = response.read()
        if response.status != 200:
            raise SystemExit(f"widget: {text.decode()}")
        return (time.perf_counter() - opened_s) * 1000


def measure_busy(
    folder: Path, account: Account, widgets: Sequence[Question], seconds: float
) -> tuple[AloneAndTogether, AloneAndTogether]:
    """The 95th percentile of a widget's answer, and the 99th of an acknowledgement."""
    product = Product(folder, account, TALLYROOM_KEPT_ANSWERS_MB="0")  # so that each look costs the same
    browser = Browser(product, make_dashboard(product, widgets))
    browser.open()
    answer_p95_pairs: list[tuple[float, float]] = []
    ack_p99_pairs: list[tuple[float, float]] = []
    for _ in range(_ROUNDS):
        end = time.perf_counter() + seconds
        idle_ms = browser.open_until(partial(_is_over, end))
        report_alone = load.finish(start_ingest(product, seconds))
        product.wait_until_drained()
        generator = start_ingest(product, seconds)
        loaded_ms = browser.open_until(partial(_has_ended, generator))
        report_together = load.finish(generator)
        product.wait_until_drained()
        answer_p95_pairs.append((_p95(idle_ms), _p95(loaded_ms)))
        ack_p99_pairs.append((report_alone.p99_ms, report_together.p99_ms))
    product.stop()
    return _median(answer_p95_pairs), _median(ack_p99_pairs)


def _is_over(end: float) -> bool:
    return time.perf_counter() > end


def _has_ended(generator: load.Generator) -> bool:
    return generator.poll() is not None


def start_ingest(
    product: Product, seconds: float, make_event: events.MakeEvent = events.build_program_event
) -> load.Generator:
    """Send events to the product at `EVENTS_PER_SECOND`."""
    requests = product.build_requests(events.build_batch_bodies(400, _BATCH, make_event=make_event), _BATCH)
    return load.start(product.port, requests, connections=_SENDER_COUNT, seconds=seconds, rate=EVENTS_PER_SECOND)


def make_dashboard(
    product: Product, widgets: Sequence[Question], time_range: str = "90d", environment: str = "production"
) -> list[str]:
    """Save the widgets as a dashboard and return their ids."""
    body = {"name": "Bench", "timeRange": time_range, "environment": environment}
    dashboard, _ = product.post("/v1/dashboards", body)
    path = f"/v1/dashboards/{dashboard['id']}/widgets"
    answers = [product.post(path, {"type": question.type, "config": question.config}) for question in widgets]
    return [widget["id"] for widget, _ in answers]


def _p95(ms: list[float]) -> float:
    return sorted(ms)[int(len(ms) * 0.95)]


def _median(pairs: list[tuple[float, float]]) -> AloneAndTogether:
    return AloneAndTogether(*(statistics.median(side) for side in zip(*pairs, strict=True)))
