"""A window holds both of its ends, and its days begin when the clocks of the zone say so."""

import msgspec
import pytest

from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, insert
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.window import Window


class FoundEvent(msgspec.Struct):
    name: str


async def test_a_window_holds_both_of_its_ends(event_store: EventStore) -> None:
    window, scope = Window(NOW_MS - 5_000, NOW_MS), fresh_scope()
    moments = {"too old": NOW_MS - 5_001, "first": NOW_MS - 5_000, "last": NOW_MS, "too new": NOW_MS + 1}
    insert(event_store, scope, [Happened(name, at) for name, at in moments.items()])
    parameters = QueryParameters()
    sql = f"SELECT name FROM events WHERE {{scope}} AND {window.condition(parameters)} ORDER BY timestamp"
    found = await event_store.reader.fetch_rows(sql, scope, parameters.values, FoundEvent)
    assert [row.name for row in found] == ["first", "last"]


@pytest.mark.parametrize(("from_ms", "until_ms"), [(-(10**14), -1), (-(10**13), NOW_MS), (0, 4_102_444_800_000)])
async def test_a_window_may_begin_before_all_times_of_the_store(
    event_store: EventStore, from_ms: int, until_ms: int
) -> None:
    scope, parameters = fresh_scope(), QueryParameters()
    insert(event_store, scope, [Happened("first", 0), Happened("now")])
    sql = f"SELECT name FROM events WHERE {{scope}} AND {Window(from_ms, until_ms).condition(parameters)} ORDER BY timestamp"
    found = await event_store.reader.fetch_rows(sql, scope, parameters.values, FoundEvent)
    assert [row.name for row in found] == ([] if until_ms < 0 else ["first", "now"])


def test_a_window_tells_the_index_its_days(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [Happened("open")])
    where = f"workspace_id = '{scope.workspace_id}' AND {Window(NOW_MS - 86_400_000, NOW_MS).condition(parameters := QueryParameters())}"
    plan = event_store.writer.command(f"EXPLAIN indexes = 1 SELECT actor FROM events WHERE {where}", parameters.values)
    [by_key] = [part for part in plan.split("PrimaryKey")[1:] if "workspace_id" in part]
    assert "toDate(timestamp)" in by_key
