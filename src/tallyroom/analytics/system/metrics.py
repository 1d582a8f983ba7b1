"""`GET /metrics` in Prometheus' text format."""

from collections.abc import Callable, Iterable

from litestar.types import Message, Send
from prometheus_client import CollectorRegistry, Counter, disable_created_metrics, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

disable_created_metrics()  # a second series per counter that nobody asks for

Number = Callable[[], float]


class Metrics:
    """Counts answers as they leave and reads every other number when it is asked for.

    Args:
        counters: (name, help, value) of numbers that only grow; names without ``tallyroom_`` and ``_total``.
        gauges: (name, help, value) of numbers that go up and down.
    """

    def __init__(self, counters: list[tuple[str, str, Number]], gauges: list[tuple[str, str, Number]]) -> None:
        self._registry = CollectorRegistry()
        self._responses = Counter(
            "tallyroom_http_responses", "Answers by entry and status.", ["entry", "status"], registry=self._registry
        )
        self._children: dict[tuple[str, int], Counter] = {}
        self._registry.register(_Numbers(counters, gauges))

    def counting(self, send: Send, entry: str) -> Send:
        """`send`, with the status of its answer counted under `entry`."""

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._child(entry, message["status"]).inc()
            await send(message)

        return send_counted

    def text(self) -> bytes:
        """Every metric, as Prometheus reads it."""
        return generate_latest(self._registry)

    def _child(self, entry: str, status: int) -> Counter:
        child = self._children.get((entry, status))
        if child is None:
            child = self._children[entry, status] = self._responses.labels(entry, status)
        return child


class _Numbers(Collector):
    def __init__(self, counters: list[tuple[str, str, Number]], gauges: list[tuple[str, str, Number]]) -> None:
        self._counters = counters
        self._gauges = gauges

    def collect(self) -> Iterable[Metric]:
        for name, text, value in self._counters:
            yield CounterMetricFamily(f"tallyroom_{name}", text, value=value())
        for name, text, value in self._gauges:
            yield GaugeMetricFamily(f"tallyroom_{name}", text, value=value())
