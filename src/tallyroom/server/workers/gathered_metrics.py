"""The metrics of all workers of a parent, in Prometheus' format, without those that do not answer."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from prometheus_client import generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from tallyroom.operations.control_socket.ask_numbers import fetch_metrics

ANSWER_SECONDS = 2.0


class Worker(Protocol):
    """A worker, as its parent sees it."""

    @property
    def name(self) -> str:
        """Its name in logs."""

    @property
    def data_dir(self) -> Path:
        """Its data directory."""

    @property
    def restart_count(self) -> int:
        """How often it was restarted after an unexpected end."""


class GatheredMetrics:
    """Asks the workers; concurrent callers share the same answer."""

    def __init__(self, workers: Sequence[Worker]) -> None:
        self._workers = workers
        self._gather_task: asyncio.Task[bytes] | None = None

    async def render_text(self) -> bytes:
        """Return the metrics of all workers, and metrics about the workers."""
        if self._gather_task is None or self._gather_task.done():
            self._gather_task = asyncio.create_task(self._gather())
        return await asyncio.shield(self._gather_task)

    async def _gather(self) -> bytes:
        texts = await asyncio.gather(*(fetch_metrics(worker.data_dir, ANSWER_SECONDS) for worker in self._workers))
        worker_states = [
            (worker.name, text is not None, worker.restart_count)
            for worker, text in zip(self._workers, texts, strict=True)
        ]
        return merge_metrics([text for text in texts if text is not None], worker_states)


def merge_metrics(texts: Iterable[str], worker_states: Iterable[tuple[str, bool, int]]) -> bytes:
    """Return several texts as one; `worker_states` has name, whether it has answered, and restarts."""
    up = GaugeMetricFamily("tallyroom_worker_up", "1 if the worker answers its parent.", labels=["worker"])
    restarts = CounterMetricFamily(
        "tallyroom_worker_restarts",
        "Times that a worker was restarted after it exited unexpectedly.",
        labels=["worker"],
    )
    for name, is_answering, restart_count in worker_states:
        up.add_metric([name], float(is_answering))
        restarts.add_metric([name], restart_count)
    family_by_name: dict[str, Metric] = {}
    for text in texts:
        for family in text_string_to_metric_families(text):
            if family.name in family_by_name:
                family_by_name[family.name].samples.extend(family.samples)
            else:
                family_by_name[family.name] = family
    return generate_latest(_FixedCollector([up, restarts, *family_by_name.values()]))


class _FixedCollector(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families
