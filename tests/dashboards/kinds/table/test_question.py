"""Table: its rows are the newest events, as a sorted list has them."""

import json
from typing import Any

import pytest
from hypothesis import strategies as st

from harness.builders.events import FEW, MANY, crowds, drawn
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, assert_sql, checked, in_window, insert, insert_each, question
from tallyroom.core.errors import ValidationFailed
from tallyroom.dashboards.kinds.table.kind import TABLE
from tallyroom.dashboards.kinds.table.question import Table, TableRow
from tallyroom.storage.event_store.scope import Scope

MINUTE = 60_000
COLUMNS = ["time", "event", "actor", "source", "prop:plan"]

TEN = [
    Happened("open", NOW_MS - 1 * MINUTE, "u1", {"plan": "pro", "n": 1}, "Ann", "web"),
    Happened("open", NOW_MS - 2 * MINUTE, "u2", {"plan": ["a", 1]}),
    Happened("open", NOW_MS - 3 * MINUTE),
    Happened("close", NOW_MS - 4 * MINUTE, "u1"),
    Happened("open", NOW_MS - 5 * MINUTE, "u1", {"plan": None}, "Anna"),  # an older label
    Happened("open", NOW_MS - 60 * MINUTE),  # the first moment of the window
    Happened("open", NOW_MS - 60 * MINUTE - 1),  # before it
    Happened("open", NOW_MS + 1),  # behind it
    Happened("open", NOW_MS - 6 * MINUTE, properties={"plan": "a"}, late_ms=0, seq=900_000_001),
    Happened("open", NOW_MS - 6 * MINUTE, properties={"plan": "b"}, late_ms=7, seq=900_000_000),  # arrived later
]


async def test_ten_events(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, TEN)
    answer = await ask(event_store, scope, TABLE, {"event": "open", "columns": COLUMNS}, question("1h"))
    assert answer["columns"] == COLUMNS
    assert [list(row["values"].values()) for row in answer["rows"]] == [
        ["2026-11-20T11:59:00.000Z", "open", "u1", "web", "pro"],
        ["2026-11-20T11:58:00.000Z", "open", "u2", None, ["a", 1]],
        ["2026-11-20T11:57:00.000Z", "open", None, None, None],
        ["2026-11-20T11:55:00.000Z", "open", "u1", None, None],
        ["2026-11-20T11:54:00.000Z", "open", None, None, "b"],
        ["2026-11-20T11:54:00.000Z", "open", None, None, "a"],
        ["2026-11-20T11:00:00.000Z", "open", None, None, None],
    ]
    first = answer["rows"][0]
    assert first["event"] == {
        "id": first["id"],
        "name": "open",
        "source": "web",
        "timestamp": "2026-11-20T11:59:00.000Z",
        "properties": {"plan": "pro", "n": 1},
        "actorKey": "u1",
        "actorLabel": "Ann",
    }
    assert answer["rows"][3]["event"]["actorLabel"] == "Ann"


async def test_all_events_and_only_so_many(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, TEN)
    answer = await ask(event_store, scope, TABLE, {"columns": ["event"], "rows": 4}, question("1h"))
    assert [row["values"]["event"] for row in answer["rows"]] == ["open", "open", "open", "close"]


async def test_nothing_happened(event_store: EventStore) -> None:
    answer = await ask(event_store, fresh_scope(), TABLE, {"columns": ["time"]}, question())
    assert answer == {"kind": "table", "columns": ["time"], "rows": []}


def test_sql() -> None:
    config = {"event": "open", "columns": ["time"], "filters": [{"key": "_actor", "op": "exists"}]}
    assert_sql("table", TABLE, config, question())


def test_the_public_sees_neither_events_nor_ids_nor_names() -> None:
    columns = ["time", "actor", "source", "prop:server", "prop:plan"]
    config = checked(TABLE, {"columns": columns})
    values = dict(zip(columns, ["2026-11-20T11:59:00.000Z", "u1", "web", "s1", "pro"], strict=True))
    nobody = dict.fromkeys(columns)
    result = Table(columns=columns, rows=[TableRow("id-1", values), TableRow("id-2", nobody)], computed_at="now")
    seen = TABLE.build_public_result(config, result, ["server"])
    assert isinstance(seen, Table)
    assert seen.computed_at == "now"
    assert seen.rows == [
        TableRow("1", values | {"actor": "•••", "source": "•••", "prop:server": "•••"}),
        TableRow("2", nobody),
    ]


@pytest.mark.parametrize(
    ("config", "path"),
    [
        ({"columns": ["label"]}, ["config", "columns", 0]),
        ({"columns": ["time", "time"]}, ["config", "columns", 1]),
        ({"columns": ["prop:"]}, ["config", "columns", 0]),
        ({"columns": ["time"], "filters": [{"key": "a", "op": "eq"}]}, ["config", "filters", 0, "value"]),
    ],
)
def test_refusals(config: dict[str, Any], path: list[str]) -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(TABLE, config)
    assert refused.value.details[0].path == path


cases = st.tuples(crowds, st.integers(1, 30), st.sampled_from(["a", None]))


@pytest.mark.long
@pytest.mark.parametrize("count", [FEW, MANY])
async def test_it_equals_a_plain_list(event_store: EventStore, count: int) -> None:
    drawn_cases = [(fresh_scope(), *case) for case in drawn(cases, count)]
    insert_each(event_store, [(scope, events) for scope, events, *_ in drawn_cases])
    for scope, events, rows, of in drawn_cases:
        await compare(event_store, scope, events, rows, of)


async def compare(store: EventStore, scope: Scope, events: list[Happened], rows: int, of: str | None) -> None:
    config: dict[str, Any] = {"columns": ["event", "prop:plan"], "rows": rows} | ({"event": of} if of else {})
    answer = await ask(store, scope, TABLE, config, question("30d"))
    newest = [each for each in reversed(in_window(events, "30d")) if of in {None, each.name}][:rows]
    assert [(row["event"]["name"], row["event"]["actorKey"], row["event"]["properties"]) for row in answer["rows"]] == [
        (each.name, each.actor or None, json.loads(each.text)) for each in newest
    ]
    assert [row["values"]["prop:plan"] for row in answer["rows"]] == [each.properties.get("plan") for each in newest]
