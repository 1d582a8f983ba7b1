"""All of a request is durable and counted, or none of it."""

from pathlib import Path

import msgspec
import pytest

from harness.stores.acceptance import Accepting
from harness.stores.event_store import NOW_MS
from harness.stores.spool_batches import look
from tallyroom.core import failpoints
from tallyroom.core.errors import PlanLimit, Unavailable
from tallyroom.ingest.validation.event import Event
from tallyroom.storage.file_identity import Astray
from tallyroom.storage.spool.commit_group import IdempotentRequest
from tallyroom.storage.spool.queue import Spool, SpoolUnavailable
from tallyroom.storage.spool.row import SpoolRow

LIMIT = 1000


class Scene(Accepting):
    def __init__(self, spool: Spool, path: Path) -> None:
        super().__init__(spool, path, LIMIT)
        self.spool = spool

    async def send(
        self,
        count: int = 1,
        plan: str = "free",
        idempotent_request: IdempotentRequest | None = None,
        now_ms: int = NOW_MS,
    ) -> int:
        events = [Event(f"e{n}", "ann", "Ann", "web", NOW_MS - n, b'{"k": 1.0}') for n in range(count)]
        return await self.acceptor.accept(self.scope, plan, events, now_ms, idempotent_request)

    @property
    def kept(self) -> list[SpoolRow]:
        rows = look(self.path, "SELECT body FROM chunk ORDER BY id")
        return [msgspec.json.decode(line, type=SpoolRow) for (body,) in rows for line in body.splitlines()]


@pytest.fixture
def scene(spool: Spool, spool_path: Path) -> Scene:
    return Scene(spool, spool_path)


async def test_an_accepted_event_is_durable_as_it_was_sent(scene: Scene, spool: Spool) -> None:
    assert await scene.send() == 1
    whose = (scene.scope.workspace_id, "production")
    [row] = scene.kept
    assert bytes(row.properties) == b'{"k": 1.0}'
    assert msgspec.structs.astuple(row)[:-2] == (*whose, NOW_MS, NOW_MS, spool.identity, 1, "e0", "ann", "Ann", "web")


async def test_events_are_numbered_in_the_order_sent(scene: Scene) -> None:
    await scene.send(3)
    await scene.send(2)
    assert [(row.seq, row.name) for row in scene.kept] == [(1, "e0"), (2, "e1"), (3, "e2"), (4, "e0"), (5, "e1")]


async def test_a_clock_that_is_set_back_does_not_turn_the_order_of_arrival(scene: Scene) -> None:
    for now_ms in (NOW_MS, NOW_MS - 5000, NOW_MS + 1):
        await scene.send(now_ms=now_ms)
    assert [row.received_ms for row in scene.kept] == [NOW_MS, NOW_MS, NOW_MS + 1]


async def test_past_the_cap_nothing_is_kept(scene: Scene) -> None:
    await scene.send(3)
    with pytest.raises(PlanLimit):
        await scene.send(3)
    assert (len(scene.kept), scene.used) == (3, (3, 3))
    await scene.send(2)
    assert await scene.send(9, plan="paid") == 9


async def test_a_worker_whose_place_is_taken_keeps_nothing(scene: Scene) -> None:
    scene.peers.objection = "Another process has replaced this worker."
    with pytest.raises(Unavailable, match="has replaced"):
        await scene.send()
    assert (scene.kept, scene.used) == ([], (0, 0))
    scene.peers.objection = ""
    assert await scene.send() == 1


async def test_a_full_spool_refuses_until_there_is_room(scene: Scene) -> None:
    while scene.spool.waiting_bytes <= LIMIT:
        await scene.send(1, plan="paid")
    kept, used = scene.kept, scene.used
    with pytest.raises(Unavailable) as refused:
        await scene.send(1, plan="paid")
    assert refused.value.headers["retry-after"] == "30"
    assert (scene.kept, scene.used) == (kept, used)
    waiting = scene.spool.waiting_chunks
    [group] = waiting.list_groups()
    candidate = waiting.find_candidate(group.lane_month)
    assert candidate is not None
    waiting.begin_claim(candidate)
    waiting.end_claim()
    assert await scene.send(1, plan="paid") == 1


async def test_a_low_disk_refuses_and_counts_nothing(scene: Scene) -> None:
    scene.disk.low = True
    with pytest.raises(Unavailable):
        await scene.send()
    assert (scene.kept, scene.used) == ([], (0, 0))


async def test_a_server_that_stops_refuses_and_counts_nothing(scene: Scene) -> None:
    scene.spool.close()
    with pytest.raises(SpoolUnavailable):
        await scene.send()
    assert scene.used == (0, 0)


async def test_a_failed_commit_counts_nothing(scene: Scene) -> None:
    failpoints.configure("spool.commit.before=error")
    for _ in range(3):
        with pytest.raises(SpoolUnavailable):
            await scene.send(5, idempotent_request=IdempotentRequest("production", "k", "f", NOW_MS))
    failpoints.configure("")
    assert (scene.kept, scene.used) == ([], (0, 0))
    assert look(scene.path, "SELECT * FROM idempotency") == []
    assert await scene.send(5) == 5


async def test_the_month_that_counts_is_that_of_receipt(scene: Scene) -> None:
    old = Event("old", "", "", "", 0, b"{}")
    await scene.acceptor.accept(scene.scope, "free", [old], NOW_MS, None)
    assert scene.used == (1, 1)
    assert look(scene.path, "SELECT month FROM chunk") == [(197001,)]


async def test_a_directory_that_was_moved_refuses_and_counts_nothing(scene: Scene) -> None:
    scene.directory.missing_name = "the data directory"
    with pytest.raises(Astray):
        await scene.send()
    assert (scene.kept, scene.used) == ([], (0, 0))
    scene.directory.missing_name = ""
    assert await scene.send() == 1
