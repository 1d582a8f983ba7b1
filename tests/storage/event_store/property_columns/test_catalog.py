"""Answers are the same with property columns as without, filled or not (rules/questions#property-columns)."""

import random
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, insert, insert_each, question
from tallyroom.core.times import DAY_MS
from tallyroom.dashboards.kinds.funnel.kind import FUNNEL
from tallyroom.dashboards.kinds.histogram.kind import HISTOGRAM
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.dashboards.kinds.retention.kind import RETENTION
from tallyroom.dashboards.kinds.table.kind import TABLE
from tallyroom.queries.kind import QuestionKind
from tallyroom.queries.question import Question
from tallyroom.storage.event_store.column_fill import fill_month
from tallyroom.storage.event_store.erase import erase_actor
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.property_columns.catalog import PropertyColumnCatalog
from tallyroom.storage.event_store.property_columns.changes import (
    add_column,
    count_distinct_values,
    drop_column,
    retire_column,
)
from tallyroom.storage.event_store.property_columns.column import COLUMN_MAPS, PropertyColumn
from tallyroom.storage.event_store.property_columns.slots import PropertyRead
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.row import month_of

KEYS = ["p", 'it\'s "q" \\ {x} Ü\n']
VALUES: list[Any] = ["pro", "", "42", 42, 42.5, -0.0, True, {"a": 1}, ["pro", 42], [], None]
CONDITIONS: list[tuple[str, Any]] = [
    *((op, value) for op in ("eq", "neq") for value in ("pro", "", "42", 42, True, '{"a":1}')),
    *(("in", ["pro", 42]), ("not_in", ["", True]), ("exists", None), ("not_exists", None), ("has", "pro")),
    *(("gt", 41), ("lte", 42), ("contains", "R"), ("starts_with", "p"), ("regex", "^.+$")),
]
MEASURES = ["count", "uniq_actors", "uniq", "sum", "avg", "median", "p95", "min", "max"]
FILLED_MONTH = month_of(NOW_MS)
MONTHS = [month_of(NOW_MS - days * DAY_MS) for days in (0, 30)]
ROUNDS_PER_INSERT = 5
NO_COLUMNS = PropertyColumnCatalog()


@pytest.fixture
def columns(emptied_store: EventStore) -> Iterator[list[PropertyColumn]]:
    """Columns of the keys in each map; the events so far lack them."""
    columns = [PropertyColumn(map_name, key) for map_name in COLUMN_MAPS for key in KEYS]
    insert(
        emptied_store,
        fresh_scope(),
        [
            Happened("e", NOW_MS - days * DAY_MS, properties={key: value})
            for key in KEYS
            for value in VALUES
            for days in (0, 30)
        ],
    )
    for column in columns:
        add_column(emptied_store.writer, column, distinct_count=10)
    yield columns
    drops = ", ".join(f"DROP COLUMN IF EXISTS {column.name}" for column in columns)
    emptied_store.writer.command(f"ALTER TABLE events {drops}")
    emptied_store.reader.property_columns = PropertyColumnCatalog()


def fill(writer: Writer, columns: list[PropertyColumn], month: int) -> None:
    assert fill_month(writer.command, [column.name for column in columns], month, threading.Event().wait)


def draw_filters(chance: random.Random) -> list[dict[str, Any]]:
    filters = []
    for op, value in chance.sample(CONDITIONS, chance.choice([0, 1, 1, 2])):
        filters.append({"key": f"prop:{chance.choice(KEYS)}", "op": op} | ({} if value is None else {"value": value}))
    return filters


def draw_config(chance: random.Random) -> tuple[QuestionKind[Any], dict[str, Any]]:
    key, filters, measure = f"prop:{chance.choice(KEYS)}", draw_filters(chance), chance.choice(MEASURES)
    steps = [{"event": "e"}, {"event": "e", "filters": filters}]
    measured = {} if measure in {"count", "uniq_actors"} else {"property": key}
    metric = {"event": "e", "measure": measure, "filters": filters, **measured}
    broken_down = {**metric, "breakdown": key, "rest": chance.choice([None, "both"])}
    configs: list[tuple[QuestionKind[Any], dict[str, Any]]] = [
        (METRIC, metric),
        (METRIC, {**metric, "overTime": True}),
        (METRIC, broken_down),
        (METRIC, {**broken_down, "overTime": True}),
        (HISTOGRAM, {"event": "e", "property": key, "filters": filters, "percentiles": True}),
        (FUNNEL, {"steps": steps, "holding": key}),
        (FUNNEL, {"steps": steps, "breakdown": key, "count": chance.choice(["actor", "group"])}),
        (RETENTION, {"cohortEvent": "e", "returnFilters": filters, "count": chance.choice(["actor", "group"])}),
        (TABLE, {"event": "e", "columns": ["event", key], "filters": filters}),
    ]
    return chance.choice(configs)


def draw_events(chance: random.Random) -> list[Happened]:
    return [
        Happened(
            "e",
            NOW_MS - chance.randrange(40 * DAY_MS),
            actor=chance.choice(["", "a", "b", "c"]),
            properties={key: chance.choice(VALUES) for key in KEYS if chance.random() < 0.8},
        )
        for _ in range(chance.randrange(40))
    ]


def change_store(chance: random.Random, store: EventStore, columns: list[PropertyColumn], scope: Scope) -> None:
    """Add or fill all columns, drop one, or take events from the scope, as other workers and jobs may at any time."""
    writer = store.writer
    change = chance.choice(["fill", "add", "drop", "erase", "hide", "none", "none", "none"])
    if change == "fill":
        present = [column for column in PropertyColumnCatalog().refresh(writer).columns if column in columns]
        if present:
            fill(writer, present, chance.choice(MONTHS))
    elif change == "add":
        for column in columns:
            add_column(writer, column, distinct_count=chance.choice([10, 1_000_000]))
    elif change == "drop":
        drop_column(writer, chance.choice(columns))
    elif change == "erase":
        erase_actor(writer, scope, "a")
    elif change == "hide":
        sql = "SELECT toUnixTimestamp64Milli(timestamp), spool, seq FROM events WHERE {scope} LIMIT 3"
        for timestamp_ms, spool, seq in store.select(sql, scope):
            store.hidden.hide(scope, EventPosition(timestamp_ms, spool, seq))


@pytest.mark.parametrize("rounds", [pytest.param(20), pytest.param(2_000, marks=pytest.mark.long)])
async def test_answers_are_the_same(event_store: EventStore, columns: list[PropertyColumn], rounds: int) -> None:
    """For a worker that has just looked at the columns, and for one whose last look is some changes old."""
    chance, new_catalog, old_catalog = random.Random(rounds), PropertyColumnCatalog(), PropertyColumnCatalog()
    for _ in range(rounds // ROUNDS_PER_INSERT):
        scopes = [fresh_scope() for _ in range(ROUNDS_PER_INSERT)]
        insert_each(event_store, [(scope, draw_events(chance)) for scope in scopes])
        change_store(chance, event_store, columns, scopes[0])
        new_catalog.refresh(event_store.writer)
        for scope in scopes:
            asked = question(chance.choice(["24h", "7d", "30d"]), group_key=chance.choice(KEYS))
            for catalog in (new_catalog, old_catalog):
                kind, config = draw_config(chance)
                event_store.reader.property_columns = NO_COLUMNS
                expected = await ask(event_store, scope, kind, config, asked)
                event_store.reader.property_columns = catalog
                assert await ask(event_store, scope, kind, config, asked) == expected, (kind.name, config)
        if chance.random() < 0.3:
            old_catalog.refresh(event_store.writer)


def asked_columns(catalog: PropertyColumnCatalog, asked: Question) -> set[str | None]:
    span = (asked.window.from_ms, asked.window.until_ms)
    return {catalog.find_column(PropertyRead(map_name, key), span) for map_name in COLUMN_MAPS for key in KEYS}


def test_a_column_is_read_once_all_months_of_the_question_are_filled(
    event_store: EventStore, columns: list[PropertyColumn]
) -> None:
    catalog, in_month, in_two_months = PropertyColumnCatalog(), question("7d"), question("30d")
    catalog.refresh(event_store.writer)
    assert asked_columns(catalog, in_month) == {None}
    fill(event_store.writer, columns, FILLED_MONTH)
    state = catalog.refresh(event_store.writer)
    assert asked_columns(catalog, in_month) == {column.name for column in columns}
    assert asked_columns(catalog, in_two_months) == {None}
    assert catalog.find_column(columns[0].property_read, None) is None
    for month in {month for column in columns for month in state.find_unfilled_months(column)}:
        fill(event_store.writer, columns, month)
    catalog.refresh(event_store.writer)
    assert asked_columns(catalog, in_two_months) == {column.name for column in columns}
    assert catalog.find_column(columns[0].property_read, None) == columns[0].name
    insert(event_store, fresh_scope(), [Happened("e", NOW_MS - 60 * DAY_MS, properties={"p": "new"})])
    catalog.refresh(event_store.writer)
    assert catalog.find_column(columns[0].property_read, None) == columns[0].name  # new events have all columns


def test_a_retired_column_is_no_longer_read(event_store: EventStore, columns: list[PropertyColumn]) -> None:
    fill(event_store.writer, columns, FILLED_MONTH)
    retire_column(event_store.writer, columns[0], NOW_MS)
    catalog = PropertyColumnCatalog()
    state = catalog.refresh(event_store.writer)
    assert None in asked_columns(catalog, question("7d"))
    assert [column.retired_ms for column in state.columns if column.name == columns[0].name] == [NOW_MS]


async def test_a_question_on_a_column_that_another_worker_drops_is_answered(
    event_store: EventStore, columns: list[PropertyColumn]
) -> None:
    scope, config = fresh_scope(), {"event": "e", "measure": "count", "breakdown": "prop:p"}
    insert(event_store, scope, [Happened("e", properties={"p": "pro"})])
    fill(event_store.writer, columns, FILLED_MONTH)
    catalog = event_store.reader.property_columns = PropertyColumnCatalog()
    catalog.refresh(event_store.writer)
    drop_column(event_store.writer, columns[0])
    answer = await ask(event_store, scope, METRIC, config, question("7d"))
    assert answer["rows"] == [{"label": "pro", "value": 1}]
    assert catalog.find_column(columns[1].property_read, (NOW_MS, NOW_MS)) is None
    catalog.refresh(event_store.writer)
    assert catalog.find_column(columns[1].property_read, (NOW_MS, NOW_MS)) == columns[1].name


def test_values_are_counted_as_a_rough_guide(event_store: EventStore) -> None:
    events = [Happened("e", NOW_MS, properties={"serial": f"id {number}", "settled": True}) for number in range(50)]
    insert(event_store, fresh_scope(), events)
    assert count_distinct_values(event_store.backend, PropertyRead("strings", "serial"), NOW_MS) == 50
    assert count_distinct_values(event_store.backend, PropertyRead("texts", "settled"), NOW_MS) == 1
    assert count_distinct_values(event_store.backend, PropertyRead("strings", "settled"), NOW_MS) == 0


def test_events_dated_ahead_hide_no_values(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [Happened("e", NOW_MS, properties={"shade": "red"})])
    insert(event_store, scope, [Happened("e", NOW_MS + days * DAY_MS, properties={}) for days in (40, 80)])
    assert count_distinct_values(event_store.backend, PropertyRead("strings", "shade"), NOW_MS) == 1


@pytest.mark.parametrize("distinct_count", [10, 1_000_000])
async def test_columns_of_few_and_many_values_have_the_same_answers(
    event_store: EventStore, distinct_count: int
) -> None:
    scope, column = fresh_scope(), PropertyColumn("strings", f"p{distinct_count}")
    values = ["a", "a", "", None]
    insert(event_store, scope, [Happened("e", properties={column.key: value}) for value in values])
    add_column(event_store.writer, column, distinct_count)
    fill(event_store.writer, [column], FILLED_MONTH)
    catalog = event_store.reader.property_columns = PropertyColumnCatalog()
    catalog.refresh(event_store.writer)
    config = {"event": "e", "measure": "count", "breakdown": f"prop:{column.key}", "rest": "none"}
    assert catalog.find_column(column.property_read, (NOW_MS, NOW_MS)) == column.name
    rows = (await ask(event_store, scope, METRIC, config, question("7d")))["rows"]
    assert [(row["label"], row["value"]) for row in rows] == [("a", 2), ("", 1), (None, 1)]
    drop_column(event_store.writer, column)


async def test_parts_of_a_backup_may_have_columns_that_the_table_lacks(event_store: EventStore) -> None:
    writer, scope, column = event_store.writer, fresh_scope(), PropertyColumn("strings", "restored")
    insert(event_store, scope, [Happened("e", properties={"restored": value}) for value in ("a", "a", "", None)])
    add_column(writer, column, distinct_count=2)
    fill(writer, [column], FILLED_MONTH)
    config = {"event": "e", "measure": "count", "breakdown": "prop:restored", "rest": "none"}
    event_store.reader.property_columns = PropertyColumnCatalog()
    expected = (await ask(event_store, scope, METRIC, config, question("7d")))["rows"]
    writer.command(f"ALTER TABLE events DETACH PARTITION ID '{FILLED_MONTH}'")
    drop_column(writer, column)
    writer.command(f"ALTER TABLE events ATTACH PARTITION ID '{FILLED_MONTH}'")
    for step in ("as restored", "with another type", "filled"):
        if step == "with another type":
            add_column(writer, column, distinct_count=1_000_000)
        if step == "filled":
            fill(writer, [column], FILLED_MONTH)
        event_store.reader.property_columns.refresh(writer)
        assert (await ask(event_store, scope, METRIC, config, question("7d")))["rows"] == expected, step
    drop_column(writer, column)


def test_a_column_whose_comment_somebody_has_changed_is_not_read(
    event_store: EventStore, columns: list[PropertyColumn]
) -> None:
    for comment in ("mine", '{"map":"strings","key":"other"}'):
        event_store.writer.command(f"ALTER TABLE events COMMENT COLUMN {columns[0].name} '{comment}'")
        assert columns[0].name not in {
            column.name for column in PropertyColumnCatalog().refresh(event_store.writer).columns
        }


async def test_questions_report_what_they_read(event_store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    scope, reads = fresh_scope(), []
    insert(event_store, scope, [Happened("e", properties={"p": "pro"}) for _ in range(3)])
    reader: EventReader = event_store.reader
    monkeypatch.setattr(reader, "on_property_reads", reads.extend)
    config = {"event": "e", "measure": "count", "filters": [{"key": "p", "op": "eq", "value": "pro"}]}
    await ask(event_store, scope, METRIC, config, question("7d"))
    assert {property_read for property_read, _ in reads} == {PropertyRead("strings", "p")}
    assert all(byte_count > 0 for _, byte_count in reads)
