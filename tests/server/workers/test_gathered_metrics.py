"""The numbers of several workers are one text, whoever of them hangs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tallyroom.core.data_directory import CONTROL_SOCKET
from tallyroom.operations.control_socket.wire import ControlReply
from tallyroom.server.system.metrics import Metrics
from tallyroom.server.workers import gathered_metrics
from tallyroom.server.workers.gathered_metrics import GatheredMetrics, merge_metrics


class Child(NamedTuple):
    """Implements `Worker`."""

    name: str
    data_dir: Path
    restart_count: int = 0


def told(spool: int, *gauges: str) -> str:
    metrics = Metrics(
        [("events_acked", 'With a "quote", a \\ and\na line.', lambda: spool * 10.0)],
        [(name, "", lambda: spool / 3) for name in gauges],
        {"spool": str(spool)},
        {"spool": str(spool), "host": "h\\n"},
    )
    metrics.count_answer("/v1/events", 202)
    return metrics.render_text().decode()


def numbers(text: bytes) -> dict[str, dict[str, float]]:
    """Of each name, the number for each spool or worker."""
    found: dict[str, dict[str, float]] = {}
    for family in text_string_to_metric_families(text.decode()):
        for sample in family.samples:
            by = found.setdefault(sample.name.removeprefix("tallyroom_"), {})
            label = sample.labels.get("spool") or sample.labels["worker"]
            assert label not in by, "a series is there twice"
            by[label] = sample.value
    return found


def test_one_text_stays_as_it_is() -> None:
    assert merge_metrics([told(1, "a", "b")], []).decode().endswith(told(1, "a", "b"))


def test_each_number_is_described_once() -> None:
    text = merge_metrics([told(1, "a"), told(2, "a", "new")], [("0", True, 0), ("1", True, 3), ("2", False, 0)])
    assert numbers(text) == {
        "worker_up": {"0": 1, "1": 1, "2": 0},
        "worker_restarts_total": {"0": 0, "1": 3, "2": 0},
        "worker_info": {"1": 1, "2": 1},
        "http_responses_total": {"1": 1, "2": 1},
        "events_acked_total": {"1": 10, "2": 20},
        "a": {"1": 1 / 3, "2": 2 / 3},
        "new": {"2": 2 / 3},
    }
    lines = text.decode().splitlines()
    for sort in ("# HELP ", "# TYPE "):
        described = [line.split()[2] for line in lines if line.startswith(sort)]
        assert len(described) == len(set(described)) == 7


class Children:
    """Children that say what they are told to, and note how often they were asked."""

    def __init__(self, folder: Path) -> None:
        self.workers: list[Child] = []
        self.asked = 0
        self.may_tell = asyncio.Event()
        self.may_tell.set()
        self._folder = folder

    @asynccontextmanager
    async def one(self, text: str | None, restarts: int = 0) -> AsyncIterator[None]:
        """A child that tells a text, or hangs."""
        data = self._folder / str(len(self.workers))
        data.mkdir()
        self.workers.append(Child(data.name, data, restarts))

        async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.asked += 1
            await (reader.read() if text is None else self.may_tell.wait())
            writer.write(msgspec.json.encode(ControlReply(msgspec.Raw(msgspec.json.encode(text)))) + b"\n")
            writer.close()

        async with await asyncio.start_unix_server(tell, data / CONTROL_SOCKET):
            yield


@pytest.fixture
def children(tmp_path: Path) -> Children:
    return Children(tmp_path)


async def test_one_that_hangs_and_one_that_is_gone_are_left_out(
    children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathered_metrics, "ANSWER_SECONDS", 0.2)
    async with AsyncExitStack() as all_of_them:
        await all_of_them.enter_async_context(children.one(told(5)))
        await all_of_them.enter_async_context(children.one(None, restarts=2))
        children.workers.append(Child("gone", Path("gone"), 4))
        found = numbers(await GatheredMetrics(children.workers).render_text())
    assert found["worker_up"] == {"0": 1, "1": 0, "gone": 0}
    assert found["worker_restarts_total"] == {"0": 0, "1": 2, "gone": 4}
    assert found["events_acked_total"] == {"5": 50}


async def test_those_who_ask_at_the_same_time_get_one_answer(children: Children) -> None:
    gathered = GatheredMetrics(children.workers)
    async with children.one(told(5)):
        children.may_tell.clear()
        first, left, third = (asyncio.create_task(gathered.render_text()) for _ in range(3))
        await asyncio.sleep(0)
        left.cancel()
        children.may_tell.set()
        assert await first == await third
        assert left.cancelled()
        assert children.asked == 1
        assert numbers(await gathered.render_text())["events_acked_total"] == {"5": 50}
        assert children.asked == 2, "the next gets new numbers"
