"""Each item is handled by one worker at a time, and ends as its handler says (rules/safety#queue)."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import select

from conftest import FakeClock
from harness.suite.patience import until
from tallyroom.core.errors import Unavailable
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import DAY_MS
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import WorkItem
from tallyroom.storage.queue.item import (
    ClaimedItem,
    Deferred,
    Done,
    Dropped,
    HandlingLimits,
    ItemType,
    NewItem,
    Outcome,
    Postponed,
    Refused,
)
from tallyroom.storage.queue.pauses import RETRY_PAUSES_MS
from tallyroom.storage.queue.repository import count_by_lane, count_items, delete_unleased_items, enqueue
from tallyroom.storage.queue.worker import LEASE_MS, QueueWorker

Run = Callable[[ClaimedItem], Awaitable[Outcome]]


class Handler:
    """Handles items as the test says, and notes what happens."""

    item_ids = None

    def __init__(self, max_concurrent: int = 4) -> None:
        self.type: ItemType = "delivery"
        self.limits = HandlingLimits(max_concurrent, RETRY_PAUSES_MS[-1], DAY_MS, stop_seconds=0.0)
        self.attempted: list[str] = []
        self.recorded: list[tuple[str, Outcome]] = []
        self.answer: Run | None = None

    async def run(self, item: ClaimedItem) -> Outcome:
        self.attempted.append(item.id)
        return Done() if self.answer is None else await self.answer(item)

    async def record(self, _db: Session, item: ClaimedItem, outcome: Outcome) -> None:
        self.recorded.append((item.id, outcome))


class Stage:
    """Workers on one metadata database and one clock."""

    def __init__(self, database: Database, clock: FakeClock) -> None:
        self.database, self.clock = database, clock

    def worker(self, handler: Handler, holder_id: str | None = None) -> QueueWorker:
        middling = IdGenerator(self.clock, lambda count: (0x7FFF).to_bytes(count, "big"))  # no jitter
        worker = QueueWorker(self.database, self.clock, middling, holder_id or IdGenerator(self.clock).new())
        worker.set_handlers([handler])
        return worker

    async def add(self, *ids: str, lane: str | None = None, workspace_id: str = "w") -> None:
        now_ms = self.clock.now_ms()
        async with self.database.session(write=True) as db:
            for item_id in ids:
                new_item = NewItem(item_id, "delivery", lane or item_id, now_ms, workspace_id, payload=f"p{item_id}")
                await enqueue(db, new_item, now_ms)

    async def go(self, worker: QueueWorker, seconds: float = 0) -> None:
        self.clock.advance(seconds)
        await worker.start_due()
        await worker.wait_until_idle()

    async def items(self) -> list[WorkItem]:
        async with self.database.session(write=False) as db:
            return list(await db.scalars(select(WorkItem).order_by(WorkItem.id)))


@pytest.fixture
def stage(database: Database, fake_clock: FakeClock) -> Stage:
    return Stage(database, fake_clock)


async def test_an_item_is_handled_once_and_then_gone(stage: Stage) -> None:
    handler = Handler()
    worker = stage.worker(handler)
    await stage.add("a")
    await stage.go(worker)
    await stage.go(worker, seconds=100)
    assert (handler.attempted, handler.recorded) == (["a"], [("a", Done())])
    assert await stage.items() == []


async def test_an_item_that_recurs_is_due_again_at_its_time(stage: Stage) -> None:
    async def recur(_: ClaimedItem) -> Outcome:
        return Done(stage.clock.now_ms() + 10_000)

    handler = Handler()
    handler.answer = recur
    worker = stage.worker(handler)
    await stage.add("a")
    for _ in range(21):
        await stage.go(worker, seconds=1)
    assert handler.attempted == ["a", "a", "a"]


@pytest.mark.parametrize("outcome", [Dropped(), Refused("no")])
async def test_what_is_not_needed_or_refused_ends(stage: Stage, outcome: Outcome) -> None:
    async def answer(_: ClaimedItem) -> Outcome:
        return outcome

    handler = Handler()
    handler.answer = answer
    await stage.add("a")
    await stage.go(stage.worker(handler))
    assert await stage.items() == []
    assert handler.recorded == ([] if outcome == Dropped() else [("a", outcome)])


async def test_pauses_grow_until_the_item_is_too_old(stage: Stage) -> None:
    async def fail(_: ClaimedItem) -> Outcome:
        return Deferred("busy")

    handler = Handler()
    handler.answer = fail
    worker = stage.worker(handler)
    await stage.add("a")
    pauses = []
    while items := await stage.items():
        pauses.append(items[0].due_ms - stage.clock.now_ms())
        await stage.go(worker, seconds=pauses[-1] / 1000)
    assert pauses[:7] == pytest.approx([0, *RETRY_PAUSES_MS, RETRY_PAUSES_MS[-1]], abs=20)
    assert handler.recorded[-1] == ("a", Refused("busy"))
    assert {outcome for _, outcome in handler.recorded[:-1]} == {Deferred("busy")}


@pytest.mark.parametrize("error", [ZeroDivisionError(), Unavailable("The event store is away.")])
async def test_an_error_defers_an_item(stage: Stage, error: Exception) -> None:
    async def fail(_: ClaimedItem) -> Outcome:
        raise error

    handler = Handler()
    handler.answer = fail
    await stage.add("a")
    await stage.go(stage.worker(handler))
    reason = "The event store is away." if isinstance(error, Unavailable) else "an internal error; see the log"
    assert handler.recorded == [("a", Deferred(reason))]
    assert [item.attempts for item in await stage.items()] == [1]


async def test_a_lane_is_handled_in_order_and_one_at_a_time(stage: Stage) -> None:
    turn = asyncio.Event()

    async def wait(_: ClaimedItem) -> Outcome:
        await turn.wait()
        return Done()

    handler = Handler()
    handler.answer = wait
    first, second = stage.worker(handler), stage.worker(handler)
    await stage.add("1", "2", "3", lane="x")
    await first.start_due()
    await second.start_due()
    await first.start_due()
    await asyncio.sleep(0)
    assert handler.attempted == ["1"]
    turn.set()
    await first.wait_until_idle()
    await stage.go(second)
    await stage.go(first)
    assert handler.attempted == ["1", "2", "3"]


async def test_what_is_postponed_keeps_its_place_in_its_lane(stage: Stage) -> None:
    handler, other = Handler(), Handler()
    reason = "not yet"

    async def postpone(_item: ClaimedItem) -> Outcome:
        return Postponed(reason, 15_000)

    handler.answer = other.answer = postpone
    worker, second_worker = stage.worker(handler), stage.worker(other)
    await stage.add("a", "b", lane="l")
    await stage.go(worker)
    await stage.go(worker, 10)
    await stage.go(second_worker, 4)
    assert (handler.attempted, other.attempted) == (["a"], [])
    assert handler.recorded == [("a", Postponed(reason, 15_000))]
    handler.answer = other.answer = None
    await stage.go(second_worker, 2)
    await stage.go(worker)
    assert (other.attempted, handler.attempted) == (["a"], ["a", "b"])
    assert await stage.items() == []


async def test_postponing_counts_no_attempt(stage: Stage) -> None:
    handler = Handler()
    outcomes: list[Outcome] = [Deferred("busy"), Postponed("not yet", 15_000), Postponed("not yet", 15_000)]

    async def answer(_item: ClaimedItem) -> Outcome:
        return outcomes.pop(0)

    handler.answer = answer
    worker = stage.worker(handler)
    await stage.add("a")
    for _ in range(3):
        await stage.go(worker, 16)
    [item] = await stage.items()
    assert item.attempts == 1


async def test_workspaces_take_turns(stage: Stage) -> None:
    handler = Handler(max_concurrent=2)
    worker = stage.worker(handler)
    await stage.add(*"abcdef", workspace_id="busy")
    stage.clock.advance(1)
    await stage.add("z", workspace_id="calm")
    await stage.go(worker)
    assert handler.attempted == ["a", "z"]


async def test_a_worker_that_restarts_has_its_items_at_once_and_others_wait_for_the_lease(stage: Stage) -> None:
    async def die(_: ClaimedItem) -> Outcome:
        raise asyncio.CancelledError

    handler = Handler()
    handler.answer = die
    await stage.add("a")
    await stage.go(stage.worker(handler, "spool 1"))
    handler.answer = None
    await stage.go(stage.worker(handler, "spool 2"), seconds=1)
    assert handler.attempted == ["a"]
    restarted = asyncio.create_task(stage.worker(handler, "spool 1").run([handler]))
    await until(lambda: bool(handler.recorded))
    restarted.cancel()
    await asyncio.gather(restarted, return_exceptions=True)
    assert handler.attempted == ["a", "a"]
    assert await stage.items() == []


async def test_an_attempt_that_another_worker_may_make_is_cancelled_and_not_recorded(stage: Stage) -> None:
    hung = asyncio.Event()

    async def hang(_: ClaimedItem) -> Outcome:
        await hung.wait()
        return Refused("late")

    slow, quick = Handler(), Handler()
    slow.answer = hang
    worker = stage.worker(slow)
    await stage.add("a")
    await worker.start_due()
    await asyncio.sleep(0)
    await stage.go(stage.worker(quick), seconds=LEASE_MS / 1000 + 1)
    assert quick.recorded == [("a", Done())]
    await worker.renew_leases()
    await worker.wait_until_idle()
    assert (slow.attempted, slow.recorded) == (["a"], [])


async def test_a_renewed_lease_lasts(stage: Stage) -> None:
    end = asyncio.Event()

    async def wait(_: ClaimedItem) -> Outcome:
        await end.wait()
        return Done()

    handler, other = Handler(), Handler()
    handler.answer = wait
    worker = stage.worker(handler)
    await stage.add("a")
    await worker.start_due()
    for _ in range(5):
        await stage.go(stage.worker(other), seconds=LEASE_MS / 3000)
        await worker.renew_leases()
    end.set()
    await worker.wait_until_idle()
    assert (handler.recorded, other.attempted) == ([("a", Done())], [])


async def test_an_item_queued_again_is_due_at_the_new_time_and_keeps_its_payload(stage: Stage) -> None:
    async with stage.database.session(write=True) as db:
        await enqueue(db, NewItem("a", "delivery", "x", stage.clock.now_ms(), payload="first"), 5)
        await enqueue(db, NewItem("a", "delivery", "x", stage.clock.now_ms(), payload="second"), 7)
    [item] = await stage.items()
    assert (item.payload, item.due_ms) == ("first", 7)


async def test_deleting_a_lane_leaves_what_is_in_progress(stage: Stage) -> None:
    end = asyncio.Event()

    async def wait(_: ClaimedItem) -> Outcome:
        await end.wait()
        return Done()

    handler = Handler()
    handler.answer = wait
    worker = stage.worker(handler)
    await stage.add("1", "2", lane="x")
    await stage.add("3", lane="y")
    await worker.start_due()
    async with stage.database.session(write=True) as db:
        await delete_unleased_items(db, "delivery", "x", stage.clock.now_ms())
        assert (await count_by_lane(db, ["delivery"], ["x", "y"]), await count_items(db, "delivery")) == (
            {"x": 1, "y": 1},
            2,
        )
    end.set()
    await worker.wait_until_idle()


async def test_a_handler_with_item_ids_gets_no_others(stage: Stage) -> None:
    handler = Handler()
    handler.type, handler.item_ids = "job", ("mine",)  # type: ignore[assignment] # as scheduled jobs have them
    worker = stage.worker(handler)
    async with stage.database.session(write=True) as db:
        for item_id in ("mine", "another worker's"):
            await enqueue(db, NewItem(item_id, "job", item_id, 0), 0)
    await stage.go(worker)
    assert handler.attempted == ["mine"]
    assert await worker.start_due() == 0


async def test_nothing_is_claimed_while_no_slot_and_no_lane_is_free(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = asyncio.Event()

    async def wait(_: ClaimedItem) -> Outcome:
        await end.wait()
        return Done()

    handler = Handler(max_concurrent=2)
    handler.answer = wait
    worker = stage.worker(handler)
    await stage.add("1", "2", lane="x")
    await worker.start_due()
    session, writes = stage.database.session, []

    def noted(*, write: bool) -> object:
        writes.append(write)
        return session(write=write)

    monkeypatch.setattr(stage.database, "session", noted)
    assert await worker.start_due() == 0, "the lane is busy"
    assert writes == []
    monkeypatch.undo()
    await stage.add("3", "4")
    assert await worker.start_due() == 1
    monkeypatch.setattr(stage.database, "session", noted)
    assert await worker.start_due() == 0, "no slot is free"
    assert writes == []
    end.set()
    await worker.wait_until_idle()


async def test_an_outcome_is_recorded_as_soon_as_the_database_is_back(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallyroom.storage.queue.worker._POLL_SECONDS", 0.01)
    session, refusals = stage.database.session, []

    async def go_away(_: ClaimedItem) -> Outcome:
        def refuse(*, write: bool) -> object:
            refusals.append(write)
            if len(refusals) < 4:
                raise Unavailable("The database is away.")
            return session(write=write)

        monkeypatch.setattr(stage.database, "session", refuse)
        return Done()

    handler = Handler()
    handler.answer = go_away
    await stage.add("a")
    await stage.go(stage.worker(handler))
    assert (handler.attempted, handler.recorded) == (["a"], [("a", Done())])


@pytest.mark.parametrize(("attempt_seconds", "cancelled"), [(None, True), (45.0, False)])
async def test_an_outage_cancels_only_what_may_outlast_its_lease(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, attempt_seconds: float | None, cancelled: bool
) -> None:
    handler, end = Handler(), asyncio.Event()

    async def wait(_: ClaimedItem) -> Outcome:
        await end.wait()
        return Done()

    handler.answer = wait
    handler.limits = handler.limits._replace(attempt_seconds=attempt_seconds)
    worker = stage.worker(handler)
    await stage.add("a")
    await worker.start_due()
    await asyncio.sleep(0)
    session = stage.database.session

    def refuse(*, write: bool) -> object:
        raise Unavailable("The database is away.")

    monkeypatch.setattr(stage.database, "session", refuse)
    stage.clock.advance(LEASE_MS / 3000)
    await worker.renew_leases()
    stage.clock.advance(LEASE_MS / 3000)
    await worker.renew_leases()
    monkeypatch.setattr(stage.database, "session", session)
    end.set()
    await worker.wait_until_idle()
    assert handler.recorded == ([] if cancelled else [("a", Done())])


async def test_a_handler_that_cannot_record_does_not_repeat_the_attempt(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    handler = Handler()

    async def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(handler, "record", fail)
    worker = stage.worker(handler)
    await stage.add("a")
    for _ in range(3):
        await stage.go(worker, seconds=LEASE_MS / 1000 + 1)
    assert handler.attempted == ["a"]
    assert await stage.items() == []
    assert caplog.messages == ["the result of an attempt could not be recorded"]


async def test_a_timeout_of_the_handler_itself_is_an_error_like_others(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(_: ClaimedItem) -> Outcome:
        raise TimeoutError

    handler = Handler()
    handler.answer = fail
    await stage.add("a")
    await stage.go(stage.worker(handler))
    assert handler.recorded == [("a", Deferred("an internal error; see the log"))]
    assert caplog.messages == ["an attempt failed"]
