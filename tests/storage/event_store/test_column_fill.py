"""A column that older parts lack is filled by month, and the store alone knows what is left."""

import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest

from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope, lines
from tallyroom.storage.event_store.column_fill import FillProgress, fill_month, fill_months, list_unfilled_months
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.number_texts import NUMBER_TEXTS
from tallyroom.storage.event_store.part_check import count_unfinished_deletions
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.tables import EVENT_COLUMNS

FEBRUARY_2001_MS, MARCH_2001_MS = 981_000_000_000, 984_000_000_000
COLUMN = "colour"


def never(_seconds: float) -> bool:
    return False


@pytest.fixture
def scope(emptied_store: EventStore) -> Iterator[Scope]:
    """Events of February and March 2001 from before there was the column."""
    scope = fresh_scope()
    add = emptied_store.writer.command
    for month_ms in (FEBRUARY_2001_MS, MARCH_2001_MS):
        rows = [event(scope, timestamp_ms=month_ms, properties=b'{"c":"red"}') for _ in range(3)]
        emptied_store.insert(rows)
    add(f"ALTER TABLE events ADD COLUMN {COLUMN} String MATERIALIZED strings['c']")
    yield scope
    add(f"ALTER TABLE events DROP COLUMN {COLUMN}")


def unfilled(store: EventStore) -> list[int]:
    return [month for month in list_unfilled_months(store.writer.command, COLUMN) or () if month in {200102, 200103}]


def test_a_month_is_filled_and_the_next_is_left(event_store: EventStore, scope: Scope) -> None:
    assert unfilled(event_store) == [200102, 200103]
    assert fill_month(event_store.writer.command, [COLUMN], 200103, never)
    assert unfilled(event_store) == [200102]
    assert event_store.select(f"SELECT DISTINCT {COLUMN} FROM events WHERE {{scope}}", scope) == [["red"]]
    assert count_unfinished_deletions(event_store.writer) == 0


def test_new_events_have_the_column(event_store: EventStore, scope: Scope) -> None:
    event_store.writer.command("ALTER TABLE events DROP PARTITION 200103")
    event_store.insert([event(scope, timestamp_ms=MARCH_2001_MS)])
    assert unfilled(event_store) == [200102]


def test_all_months_are_filled_the_newest_first(event_store: EventStore, scope: Scope) -> None:
    statements: list[str] = []

    def command(sql: str, parameters: dict[str, object]) -> str:
        statements.append(sql)
        return event_store.writer.command(sql, parameters)

    fill_months(command, COLUMN, never)
    assert list_unfilled_months(command, COLUMN) == []
    months = [sql.split("PARTITION ID '")[1][:6] for sql in statements if sql.startswith("ALTER")]
    assert months == sorted(months, reverse=True)
    assert {"200102", "200103"} <= set(months)


def test_a_rewrite_that_has_begun_is_not_begun_again(event_store: EventStore, scope: Scope) -> None:
    """As after a crash: the store still has it."""
    writer = event_store.writer
    with writer.hold_lock():
        writer.command("SYSTEM STOP MERGES events")
        assert not fill_month(writer.command, [COLUMN], 200103, lambda _: True)
        assert not fill_month(writer.command, [COLUMN], 200103, lambda _: True)
        begun = writer.command("SELECT count() FROM system.mutations WHERE NOT is_done AND command LIKE '%200103%'")
        writer.command("SYSTEM START MERGES events")
    assert int(begun) == 1
    assert fill_month(writer.command, [COLUMN], 200103, never)
    assert unfilled(event_store) == [200102]


def test_progress_is_the_end_of_the_newest_month_that_is_left(event_store: EventStore, scope: Scope) -> None:
    progress = FillProgress(COLUMN)
    assert not progress.is_filled_from(NOW_MS)
    progress.refresh(lambda *_: f"{COLUMN}\t200112\n{COLUMN}\t200102\n")
    assert not progress.is_filled_from(1_009_843_199_999)
    assert progress.is_filled_from(1_009_843_200_000)
    assert not progress.is_complete
    progress.refresh(lambda *_: "")
    assert progress.is_filled_from(0)
    progress.refresh(lambda *_: pytest.fail("it never becomes incomplete again"))
    assert progress.is_complete


def test_exact_numbers_of_old_parts_are_those_of_new_ones(event_store: EventStore) -> None:
    """A block of a worker of the previous version, and a month that was stored before the column existed."""
    scope = fresh_scope()
    number = "9007199254740993"
    rows = [event(scope, timestamp_ms=FEBRUARY_2001_MS, properties=f'{{"n":{number}}}'.encode())]
    event_store.writer.insert_rows("events", EVENT_COLUMNS, lines(rows), uuid.uuid4().hex)
    query = f"SELECT {NUMBER_TEXTS} FROM events WHERE {{scope}}"
    assert event_store.select(query, scope) == [[{"n": number}]]
    event_store.writer.command(f"ALTER TABLE events CLEAR COLUMN {NUMBER_TEXTS} IN PARTITION 200102")
    assert event_store.select(query, scope) == [[{"n": number}]]


@pytest.mark.parametrize("code", [497, 60])
def test_without_the_right_to_look_nothing_is_filled_and_nothing_fails(code: int) -> None:
    def refuse(_sql: str, _parameters: object) -> str:
        raise StoreError(f"Code: {code}. DB::Exception: refused")

    progress = FillProgress(COLUMN)
    expectation: AbstractContextManager[Any] = nullcontext() if code == 497 else pytest.raises(StoreError)
    with expectation:
        progress.refresh(refuse)
    with expectation:
        fill_months(refuse, COLUMN, never)
    assert not progress.is_complete
    assert not progress.is_filled_from(FEBRUARY_2001_MS)
