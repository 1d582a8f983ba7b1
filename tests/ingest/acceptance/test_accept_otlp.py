"""As much as the plan has room for is durable, and nothing else is counted."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.clients.telemetry import traces
from harness.stores.acceptance import Accepting
from harness.stores.event_store import NOW_MS, EventStore
from harness.stores.faulty_store import FaultyStore, stopped
from harness.stores.spool_batches import look
from tallyroom.core.errors import Unavailable
from tallyroom.ingest.acceptance import accept
from tallyroom.ingest.acceptance.accept import OtlpAcceptor
from tallyroom.ingest.drain.drain import Drain
from tallyroom.ingest.otlp.body import read_protobuf
from tallyroom.ingest.otlp.pack import LeftOutCounts
from tallyroom.ingest.otlp.signals import TRACES
from tallyroom.storage.spool.queue import Spool
from tallyroom.storage.spool.row import UNMAPPED_MONTH


class Scene(Accepting):
    def __init__(self, spool: Spool, path: Path) -> None:
        super().__init__(spool, path, 10**9)
        self.otlp = OtlpAcceptor(self.acceptor, self.cap)

    async def send(self, *spans: dict[str, Any], plan: str = "free") -> LeftOutCounts:
        taken = read_protobuf(TRACES, traces(*spans).SerializeToString())
        left = await self.otlp.accept(self.scope, plan, TRACES, taken, NOW_MS)
        assert left is not None
        return left


@pytest.fixture
def scene(spool: Spool, spool_path: Path) -> Scene:
    return Scene(spool, spool_path)


async def test_requests_of_one_commit_reach_the_store_in_their_order(
    scene: Scene, drain: Drain, event_store: EventStore, spool_path: Path
) -> None:
    await asyncio.gather(*(scene.send({"name": f"{number}"}, plan="paid") for number in range(5)))
    [(months, events)] = look(spool_path, "SELECT group_concat(DISTINCT month), sum(events) FROM chunk")
    assert (months, events) == (str(UNMAPPED_MONTH), 5)
    drain.start()
    assert await drain.wait_caught_up(5)
    assert event_store.names(scene.scope) == ["0", "1", "2", "3", "4"]
    await stopped(drain)


async def test_what_waits_is_measured_in_rows_and_not_only_in_bytes_of_the_request(scene: Scene, spool: Spool) -> None:
    """A span may take two bytes; the limits of the spool and of a range are there for what is made of it."""
    await scene.send(*[{"name": "", "start_time_unix_nano": 0}] * 1000, plan="paid")
    assert spool.waiting_bytes > 100_000


async def test_up_to_the_cap(scene: Scene) -> None:
    two = {"events": [{"name": "e"}]}
    assert (await scene.send(two)).record_count == 0
    assert (await scene.send(two, {}, {})).past_cap == 1
    assert scene.used == (5, 5)
    assert (await scene.send({})).past_cap == 1
    assert (await scene.send({}, plan="paid")).past_cap == 0


async def test_nothing_is_counted_that_is_not_kept(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.disk.low = True
    with pytest.raises(Unavailable):
        await scene.send({}, {})
    assert scene.used == (0, 0)

    def fails(*_: object) -> Callable[..., Any]:
        raise RuntimeError

    monkeypatch.setattr(accept, "keep_first_events", fails)
    with pytest.raises(RuntimeError):
        await scene.send(*[{}] * 6)
    assert scene.used == (0, 0)


async def test_a_fault_of_the_mapping_puts_its_events_aside(
    scene: Scene,
    drain: Drain,
    store: FaultyStore,
    event_store: EventStore,
    monkeypatch: pytest.MonkeyPatch,
    spool: Spool,
) -> None:
    await scene.send({"name": "bad"}, {"name": "bad"}, plan="paid")
    with monkeypatch.context() as patched:
        patched.setattr("tallyroom.ingest.otlp.spans._SPAN_KIND_BY_NUMBER", None)
        drain.start()
        assert await drain.wait_caught_up(5)
    await scene.send({"name": "good"}, plan="paid")
    assert await drain.wait_caught_up(5)
    assert event_store.names(scene.scope) == ["good"]
    await stopped(drain)
    letters = look(scene.path, "SELECT workspace_id, environment FROM dead_letter")
    assert letters == [(scene.scope.workspace_id, "production")] * 2
    assert (drain.dead_letter_count, spool.waiting_bytes) == (2, 0)
