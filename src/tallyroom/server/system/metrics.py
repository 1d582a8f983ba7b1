"""`GET /metrics` in Prometheus' text format."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

Number = Callable[[], float]
Described = tuple[str, str, Number]


class Metrics:
    """Counts answers as they are sent, and reads every other number on request.

    Args:
        counters: (name, help, value) of numbers that only grow; names without ``tallyroom_`` and ``_total``.
        gauges: (name, help, value) of numbers that go up and down.
        labels: those of every number; they tell several workers apart.
        worker: labels that say more about this worker, for ``tallyroom_worker_info``.
    """

    def __init__(
        self,
        counters: list[Described],
        gauges: list[Described],
        labels: Mapping[str, str] = {},
        worker: Mapping[str, str] = {},
    ) -> None:
        self._registry = CollectorRegistry()
        self._answers: Counter[tuple[str, int]] = Counter()
        self._registry.register(_Numbers(counters, gauges, self._answers, labels, worker))

    def count(self, entry: str, status: int) -> None:
        """Count one answer; only the event loop calls it."""
        self._answers[entry, status] += 1

    def text(self) -> bytes:
        """Return all metrics in the format of Prometheus."""
        return generate_latest(self._registry)


class _Numbers(Collector):
    def __init__(
        self,
        counters: list[Described],
        gauges: list[Described],
        answers: Counter[tuple[str, int]],
        labels: Mapping[str, str],
        worker: Mapping[str, str],
    ) -> None:
        self._counters = counters
        self._gauges = gauges
        self._answers = answers
        self._names, self._values = list(labels), list(labels.values())
        self._worker = worker

    def collect(self) -> Iterable[Metric]:
        yield InfoMetricFamily("tallyroom_worker", "The process that answers.", value=dict(self._worker))
        answers = CounterMetricFamily(
            "tallyroom_http_responses", "Answers by entry and status.", labels=["entry", "status", *self._names]
        )
        for (entry, status), count in self._answers.items():
            answers.add_metric([entry, str(status), *self._values], count)
        yield answers
        for family, numbers in ((CounterMetricFamily, self._counters), (GaugeMetricFamily, self._gauges)):
            for name, text, value in numbers:
                number = family(f"tallyroom_{name}", text, labels=self._names)
                number.add_metric(self._values, value())
                yield number
