"""Which properties get columns, and when these go (rules/questions#property-columns)."""

import threading
from collections.abc import Iterator

import pytest

from conftest import FakeClock
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, insert
from tallyroom.core.times import DAY_MS
from tallyroom.operations.property_columns.keeper import MAX_ADDED_PER_RUN, RETIREMENT_MS, PropertyColumnKeeper
from tallyroom.operations.property_columns.repository import DECAY_MS
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.property_columns.catalog import PropertyColumnCatalog
from tallyroom.storage.event_store.property_columns.changes import drop_column
from tallyroom.storage.event_store.property_columns.reads import PropertyReads
from tallyroom.storage.event_store.property_columns.slots import PropertyRead
from tallyroom.storage.metadata.connection import Database

MIN_BYTES = 1_000
PLAN, AMOUNT, PAID = PropertyRead("strings", "plan"), PropertyRead("numbers", "amount"), PropertyRead("texts", "paid")
MANY = [PropertyRead("strings", f"key {number}") for number in range(9)]


class Stage:
    """A keeper, and what questions are said to have read."""

    def __init__(self, event_store: EventStore, database: Database, clock: FakeClock) -> None:
        self.event_store, self.database, self.clock = event_store, database, clock
        self.catalog, self.reads, self.is_quiet = PropertyColumnCatalog(), PropertyReads(clock), True
        self.keeper = self.make_keeper(64)

    def make_keeper(self, max_columns: int) -> PropertyColumnKeeper:
        return PropertyColumnKeeper(
            self.event_store.writer,
            self.catalog,
            self.reads,
            self.database,
            self.clock,
            lambda: self.is_quiet,
            max_columns=max_columns,
            min_bytes=MIN_BYTES,
        )

    async def read(self, *property_reads: PropertyRead, byte_count: int = MIN_BYTES) -> None:
        self.reads.add([(property_read, byte_count) for property_read in property_reads])
        await self.keeper.refresh()

    async def run(self) -> set[PropertyRead]:
        """Let the job run, and return what has a column that is read."""
        await self.keeper.run(0, wait=threading.Event().wait)
        return {column.property_read for column in self.catalog.state.columns if column.retired_ms is None}

    @property
    def unfilled_months(self) -> set[int]:
        state = self.catalog.state
        return {month for column in state.columns for month in state.find_unfilled_months(column)}


@pytest.fixture
def stage(emptied_store: EventStore, database: Database, fake_clock: FakeClock) -> Iterator[Stage]:
    properties = {"plan": "pro", "amount": 4, "paid": True} | {key: "x" for _, key in MANY}
    times = (NOW_MS, NOW_MS - 31 * DAY_MS)
    insert(emptied_store, fresh_scope(), [Happened("e", at_ms, properties=properties) for at_ms in times])
    yield Stage(emptied_store, database, fake_clock)
    for column in PropertyColumnCatalog().refresh(emptied_store.writer).columns:
        drop_column(emptied_store.writer, column)


async def test_what_questions_read_most_gets_a_column_and_is_filled(stage: Stage) -> None:
    await stage.read(PLAN, AMOUNT, byte_count=MIN_BYTES // 2)
    assert await stage.run() == set()
    await stage.read(PLAN, byte_count=MIN_BYTES // 2)
    assert await stage.run() == {PLAN}
    assert stage.unfilled_months == set()
    assert stage.catalog.find_column(PLAN, None) is not None
    assert stage.catalog.find_column(AMOUNT, None) is None
    assert stage.keeper.column_count == 1
    await stage.read(AMOUNT, PAID)
    assert await stage.run() == {PLAN, AMOUNT, PAID}


async def test_older_reads_count_less(stage: Stage) -> None:
    await stage.read(PLAN)
    stage.clock.advance(DECAY_MS / 1000)
    assert await stage.run() == set()
    await stage.read(PLAN, byte_count=round(MIN_BYTES * 0.63))
    assert await stage.run() == set()
    await stage.read(PLAN, byte_count=round(MIN_BYTES * 0.01))
    assert await stage.run() == {PLAN}


async def test_nothing_is_changed_while_the_server_is_busy(stage: Stage) -> None:
    await stage.read(PLAN)
    stage.is_quiet = False
    assert await stage.run() == set()
    stage.is_quiet = True
    assert await stage.run() == {PLAN}


async def test_a_run_adds_a_few_those_with_the_most_bytes_first(stage: Stage) -> None:
    for number, property_read in enumerate(MANY):
        await stage.read(property_read, byte_count=MIN_BYTES * (number + 1))
    assert await stage.run() == set(MANY[-MAX_ADDED_PER_RUN:])
    stage.keeper = stage.make_keeper(6)
    assert await stage.run() == set(MANY[-6:])
    assert await stage.run() == set(MANY[-6:])


async def test_a_property_gets_no_column_of_a_map_that_never_has_it(stage: Stage) -> None:
    text = MANY[0]
    await stage.read(*(text._replace(map_name=name) for name in ("strings", "numbers", "texts", "lists")))
    assert await stage.run() == {text}
    await stage.read(text._replace(map_name="numbers"), byte_count=MIN_BYTES - 1)  # it begins again
    assert await stage.run() == {text}


async def test_a_column_that_no_question_reads_for_60_days_goes(stage: Stage) -> None:
    await stage.read(PLAN, AMOUNT)
    await stage.run()
    stage.clock.advance(59 * 86_400)
    await stage.read(AMOUNT, byte_count=1)
    assert await stage.run() == {PLAN, AMOUNT}
    stage.clock.advance(1.1 * 86_400)
    assert await stage.run() == {AMOUNT}
    assert stage.catalog.find_column(PLAN, None) is None
    assert stage.keeper.column_count == 2  # other workers may still read it
    stage.clock.advance(RETIREMENT_MS / 1000)
    await stage.run()
    assert stage.keeper.column_count == 1


@pytest.mark.parametrize("max_columns", [0, 1])
async def test_a_lower_limit_removes_those_with_the_fewest_bytes(stage: Stage, max_columns: int) -> None:
    await stage.read(PLAN, byte_count=3 * MIN_BYTES)
    await stage.read(AMOUNT, byte_count=2 * MIN_BYTES)
    await stage.run()
    stage.keeper = stage.make_keeper(max_columns)
    assert await stage.run() == {*[PLAN][:max_columns]}
    stage.clock.advance(RETIREMENT_MS / 1000)
    await stage.run()
    assert stage.keeper.column_count == max_columns


async def test_a_property_that_questions_read_twice_as_much_takes_the_place_of_another(stage: Stage) -> None:
    stage.keeper = stage.make_keeper(2)
    await stage.read(PLAN, byte_count=2 * MIN_BYTES)
    await stage.read(AMOUNT, byte_count=4 * MIN_BYTES)
    assert await stage.run() == {PLAN, AMOUNT}
    await stage.read(PropertyRead("strings", "no event has this"), byte_count=9 * MIN_BYTES)
    await stage.read(PAID, byte_count=4 * MIN_BYTES - 10)
    assert await stage.run() == {PLAN, AMOUNT}
    await stage.read(PAID, byte_count=10)
    await stage.read(MANY[0], byte_count=9 * MIN_BYTES)
    assert await stage.run() == {AMOUNT}
    assert await stage.run() == {AMOUNT}
    stage.clock.advance(RETIREMENT_MS / 1000)
    await stage.run()
    assert await stage.run() == {AMOUNT, MANY[0]}


async def test_without_columns_none_is_read_and_nothing_is_recorded(stage: Stage) -> None:
    await stage.read(PLAN)
    await stage.run()
    stage.keeper = stage.make_keeper(0)
    await stage.read(PLAN, AMOUNT, byte_count=9 * MIN_BYTES)
    assert stage.catalog.find_column(PLAN, None) is None
    stage.keeper = stage.make_keeper(64)
    assert await stage.run() == {PLAN}


async def test_a_column_that_goes_is_not_filled(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    await stage.read(PLAN, AMOUNT)
    with monkeypatch.context() as patch:
        patch.setattr("tallyroom.operations.property_columns.keeper.fill_month", lambda *_: True)
        await stage.run()
    months = stage.unfilled_months
    stage.keeper = stage.make_keeper(0)
    await stage.run()
    assert stage.unfilled_months == months != set()


async def test_a_column_goes_although_the_clock_was_set_back(stage: Stage) -> None:
    await stage.read(PLAN)
    await stage.run()
    stage.keeper = stage.make_keeper(0)
    await stage.run()
    stage.clock.set_back(days=400)
    await stage.run()
    assert stage.keeper.column_count == 1
    stage.clock.advance(RETIREMENT_MS / 1000)
    await stage.run()
    assert stage.keeper.column_count == 0


@pytest.mark.parametrize("days", [400, 20_000])
async def test_reads_of_a_clock_that_was_ahead_count_as_if_they_were_of_now(stage: Stage, days: int) -> None:
    stage.clock.set_back(days=-days)
    await stage.read(PLAN)
    await stage.read(AMOUNT, byte_count=MIN_BYTES // 2)
    stage.clock.set_back(days=days)
    assert await stage.run() == {PLAN}
    await stage.read(AMOUNT, byte_count=MIN_BYTES // 2 + 10)
    assert await stage.run() == {PLAN, AMOUNT}
    stage.clock.advance(61 * 86_400)
    assert await stage.run() == set()


async def test_a_column_stays_although_many_other_properties_are_read_more(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.read(PLAN)
    await stage.run()
    monkeypatch.setattr("tallyroom.operations.property_columns.repository.MAX_PROPERTIES", 2)
    await stage.read(*MANY[:3], byte_count=MIN_BYTES - 1)
    await stage.read(*MANY[:3], byte_count=MIN_BYTES // 2)
    assert await stage.run() == {PLAN, *MANY[:3]}


async def test_keys_that_no_event_can_have_disturb_nothing(stage: Stage) -> None:
    await stage.read(PropertyRead("strings", "a\0b"), PropertyRead("strings", "k" * 300), PLAN)
    assert await stage.run() == {PLAN}


async def test_a_user_without_the_right_is_reported_once_until_it_has_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> None:
        raise StoreError("Code: 497. DB::Exception: tally: Not enough privileges. (ACCESS_DENIED)")

    await stage.read(PLAN)
    with monkeypatch.context() as patch:
        patch.setattr(stage.catalog, "refresh", refuse)
        assert await stage.run() == await stage.run() == set()
        await stage.keeper.refresh()
    assert len([record for record in caplog.records if "lacks the right" in record.message]) == 1
    assert await stage.run() == {PLAN}


async def test_a_server_that_stops_waits_for_no_fill_and_begins_no_other(stage: Stage) -> None:
    writer = stage.event_store.writer
    await stage.read(PLAN)
    writer.command("SYSTEM STOP MERGES events")
    await stage.keeper.run(0, wait=lambda _: True)
    begun = writer.command("SELECT count() FROM system.mutations WHERE NOT is_done AND command LIKE '%MATERIALIZE%'")
    writer.command("SYSTEM START MERGES events")
    assert int(begun) == 1
    assert await stage.run() == {PLAN}
    assert await stage.run() == {PLAN}
    assert stage.unfilled_months == set()


@pytest.mark.parametrize("step", ["add_column", "fill_month"])
async def test_the_next_run_completes_what_one_began(stage: Stage, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def fail(*_: object) -> None:
        raise InterruptedError

    await stage.read(PLAN, AMOUNT)
    with monkeypatch.context() as patch:
        patch.setattr(f"tallyroom.operations.property_columns.keeper.{step}", fail)
        with pytest.raises(InterruptedError):
            await stage.run()
    assert await stage.run() == {PLAN, AMOUNT}
    assert stage.unfilled_months == set()
