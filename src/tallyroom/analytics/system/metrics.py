"""`GET /metrics` in Prometheus' text format."""

from collections import Counter
from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

Number = Callable[[], float]
Described = tuple[str, str, Number]


class Metrics:
    """Counts answers as they are sent, and reads every other number on request.

    Args:
        counters: (name, help, value) of numbers that only grow; names without ``tallyroom_`` and ``_total``.
        gauges: (name, help, value) of numbers that go up and down.
    """

    def __init__(self, counters: list[Described], gauges: list[Described]) -> None:
        self._registry = CollectorRegistry()
        self._answers: Counter[tuple[str, int]] = Counter()
        self._registry.register(_Numbers(counters, gauges, self._answers))

    def count(self, entry: str, status: int) -> None:
        """Count one answer; only the event loop calls it."""
        self._answers[entry, status] += 1

    def text(self) -> bytes:
        """Return all metrics in the format of Prometheus."""
        return generate_latest(self._registry)


class _Numbers(Collector):
    def __init__(self, counters: list[Described], gauges: list[Described], answers: Counter[tuple[str, int]]) -> None:
        self._counters = counters
        self._gauges = gauges
        self._answers = answers

    def collect(self) -> Iterable[Metric]:
        answers = CounterMetricFamily(
            "tallyroom_http_responses", "Answers by entry and status.", labels=["entry", "status"]
        )
        for (entry, status), count in self._answers.items():
            answers.add_metric([entry, str(status)], count)
        yield answers
        for name, text, value in self._counters:
            yield CounterMetricFamily(f"tallyroom_{name}", text, value=value())
        for name, text, value in self._gauges:
            yield GaugeMetricFamily(f"tallyroom_{name}", text, value=value())
