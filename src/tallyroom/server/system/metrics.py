"""`GET /metrics` in Prometheus' text format."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from prometheus_client import generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

ReadNumber = Callable[[], float]
MetricSource = tuple[str, str, ReadNumber]


class Metrics(Collector):
    """Counts answers as they are sent, and reads every other value on request.

    `counters` and `gauges` are (name, help, value), with names without ``tallyroom_`` and ``_total``.
    """

    def __init__(
        self,
        counters: list[MetricSource],
        gauges: list[MetricSource],
        labels: Mapping[str, str] = {},
        worker_labels: Mapping[str, str] = {},
    ) -> None:
        self._counters = counters
        self._gauges = gauges
        self._answer_counts: Counter[tuple[str, int]] = Counter()  # by entry and status
        self._label_names, self._label_values = list(labels), list(labels.values())
        self._worker_labels = worker_labels

    def count_answer(self, entry: str, status: int) -> None:
        """Count one answer; called only on the event loop."""
        self._answer_counts[entry, status] += 1

    def render_text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self)

    def collect(self) -> Iterable[Metric]:
        """Yield each metric; called by `render_text`."""
        yield InfoMetricFamily("tallyroom_worker", "The process that answers.", value=dict(self._worker_labels))
        answers = CounterMetricFamily(
            "tallyroom_http_responses", "Answers by entry and status.", labels=["entry", "status", *self._label_names]
        )
        for (entry, status), answer_count in self._answer_counts.items():
            answers.add_metric([entry, str(status), *self._label_values], answer_count)
        yield answers
        for family_type, sources in ((CounterMetricFamily, self._counters), (GaugeMetricFamily, self._gauges)):
            for name, description, read_number in sources:
                family = family_type(f"tallyroom_{name}", description, labels=self._label_names)
                family.add_metric(self._label_values, read_number())
                yield family
