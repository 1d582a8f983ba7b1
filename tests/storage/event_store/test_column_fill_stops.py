"""Fills of property columns hold up no deletion, whether they work or not (rules/questions#property-columns)."""

import threading
from collections.abc import Iterator

import pytest

from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, insert
from tallyroom.core.times import DAY_MS
from tallyroom.storage.event_store.column_fill import ColumnFillFailed, fill_month, fill_months, stop_fills
from tallyroom.storage.event_store.erase import OutdatedEvents, erase_actor, expire_events
from tallyroom.storage.event_store.part_check import count_unfinished_deletions
from tallyroom.storage.event_store.property_columns.catalog import PropertyColumnCatalog
from tallyroom.storage.event_store.property_columns.changes import add_column, drop_column
from tallyroom.storage.event_store.property_columns.column import PropertyColumn
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.spool.row import month_of

MONTH = month_of(NOW_MS)
PLAN, AMOUNT = PropertyColumn("strings", "plan"), PropertyColumn("numbers", "amount")
NAMES = [PLAN.name, AMOUNT.name]
never = threading.Event().wait
FILL = f"MATERIALIZE COLUMN {PLAN.name} IN PARTITION ID '{MONTH}'"
FAILURE = f"UPDATE source = toString(throwIf(1)) IN PARTITION ID '{MONTH}' WHERE 1"
COUNT_FILLS = "SELECT count() FROM system.mutations WHERE NOT is_done AND command LIKE '%MATERIALIZE COLUMN%'"


@pytest.fixture
def scope(emptied_store: EventStore) -> Scope:
    scope = fresh_scope()
    times = (NOW_MS, NOW_MS - 5 * DAY_MS)
    events = [Happened("e", at_ms, actor=actor, properties={"plan": "pro"}) for actor in "ab" for at_ms in times]
    insert(emptied_store, scope, events)
    return scope


@pytest.fixture
def failing_fill(event_store: EventStore, scope: Scope) -> Iterator[None]:
    """A fill that has begun, and fails again and again."""
    writer = event_store.writer
    add_column(writer, PLAN, distinct_count=1)
    writer.command(f"ALTER TABLE events {FILL}, {FAILURE} SETTINGS mutations_sync = 0")
    yield
    drop_column(writer, PLAN)


@pytest.mark.usefixtures("failing_fill")
def test_an_actor_is_erased_although_a_fill_fails(event_store: EventStore, scope: Scope) -> None:
    assert erase_actor(event_store.writer, scope, "a") == 2
    assert event_store.count(scope) == 2
    assert event_store.writer.command(COUNT_FILLS).strip() == "0"


@pytest.mark.usefixtures("failing_fill")
def test_old_events_go_although_a_fill_fails(event_store: EventStore, scope: Scope) -> None:
    assert expire_events(event_store.writer, OutdatedEvents(scope, NOW_MS - DAY_MS, 0, 0)) == 2
    assert event_store.count(scope) == 2


@pytest.mark.usefixtures("failing_fill")
def test_a_fill_that_fails_is_reported_and_stopped(event_store: EventStore) -> None:
    with pytest.raises(ColumnFillFailed, match="throwIf"):
        fill_month(event_store.writer.command, [PLAN.name], MONTH, never)
    assert event_store.writer.command(COUNT_FILLS).strip() == "0"


@pytest.mark.usefixtures("failing_fill")
def test_a_column_is_dropped_although_its_fill_fails(event_store: EventStore) -> None:
    drop_column(event_store.writer, PLAN)
    assert PLAN.name not in event_store.writer.command("DESCRIBE TABLE events")


def test_a_fill_that_is_stopped_ends_and_can_begin_again(event_store: EventStore, scope: Scope) -> None:
    writer, catalog = event_store.writer, PropertyColumnCatalog()
    for column in (PLAN, AMOUNT):
        add_column(writer, column, distinct_count=1)
    writer.command("SYSTEM STOP MERGES events")  # fills wait for it, too
    filling = threading.Thread(target=fill_month, args=(writer.command, NAMES, MONTH, never))
    filling.start()
    while writer.command(COUNT_FILLS).strip() == "0":
        pass
    assert count_unfinished_deletions(writer) == 0
    stop_fills(writer.command)
    filling.join()
    writer.command("SYSTEM START MERGES events")
    assert MONTH in catalog.refresh(writer).find_unfilled_months(PLAN)
    assert fill_month(writer.command, NAMES, MONTH, never)
    state = catalog.refresh(writer)
    assert [MONTH in state.find_unfilled_months(column) for column in (PLAN, AMOUNT)] == [False, False]
    for column in (PLAN, AMOUNT):
        drop_column(writer, column)
    assert event_store.count(scope) == 4


def test_a_stop_ends_the_wait_and_no_further_month_is_begun(event_store: EventStore, scope: Scope) -> None:
    writer = event_store.writer
    insert(event_store, scope, [Happened("e", NOW_MS - 60 * DAY_MS, properties={"plan": "pro"})])
    add_column(writer, PLAN, distinct_count=1)
    writer.command("SYSTEM STOP MERGES events")
    fill_months(writer.command, PLAN.name, lambda _: True)
    assert writer.command(COUNT_FILLS).strip() == "1"
    writer.command("SYSTEM START MERGES events")
    stop_fills(writer.command)
    drop_column(writer, PLAN)


@pytest.mark.parametrize("name", ["MATERIALIZE COLUMN ", "(MATERIALIZE COLUMN ", "x' OR MATERIALIZE INDEX "])
def test_an_erasure_of_an_actor_with_the_name_of_a_fill_is_not_stopped(
    event_store: EventStore, scope: Scope, name: str
) -> None:
    writer = event_store.writer
    writer.command("SYSTEM STOP MERGES events")
    parameters = {"workspace_id": scope.workspace_id, "actor": name}
    writer.command(
        "ALTER TABLE events DELETE WHERE workspace_id = {workspace_id:UUID} AND actor = {actor:String}"
        " SETTINGS mutations_sync = 0",
        parameters,
    )
    stop_fills(writer.command)
    assert count_unfinished_deletions(writer) == 1
    writer.command("SYSTEM START MERGES events")
    while count_unfinished_deletions(writer):
        pass
