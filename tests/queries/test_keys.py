"""What a key names, the labels of its values, and the blocks that are skipped without it."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from harness.oracles.filters import labels_of, present
from harness.stores.event_store import EventStore, fresh_scope
from harness.stores.questions import Happened, insert
from harness.suite.few import few
from tallyroom.queries.keys import OwnField, Property, is_own_field, label_sources, resolve_key
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.storage.event_store.property_columns.slots import compile_slots
from tallyroom.storage.event_store.scope import Scope

FIELDS = ["name", "_actor", "_actorLabel", "_source"]


class Labelled(msgspec.Struct):
    seq: int
    label: str


class Present(msgspec.Struct):
    seq: int


MAY_1999_MS = 925_516_800_000

EVENTS = [
    Happened("open"),
    Happened("close", actor="u1", label="Ann", source="web", properties={"name": "n", "_actor": "a"}),
    *(
        Happened("open", properties={"p": value, "prop:p": "prefixed"})
        for value in ["text", "", True, False, {"a": 1.0}, 42, 0, None, [], [None], ["x", "y", "x"], ["", 1, True, {}]]
    ),
]
NUMBERS: dict[str, str] = {
    "3": "3",
    "3.0": "3",
    "-0": "0",
    "-0.0": "0",
    "0.5": "0.5",
    "-42.25": "-42.25",
    "0.1": "0.1",
    "1e-6": "0.000001",
    "1e-7": "1e-7",
    "1.5e-10": "1.5e-10",
    "100000000000000000000": "100000000000000000000",
    "1e21": "1e21",
    "-1.5E+300": "-1.5e300",
    "9007199254740993": "9007199254740993",
    "12345678.9": "12345678.9",
}
"""As they are sent, and as labels."""
KEYS = [*FIELDS, *(f"prop:{field}" for field in FIELDS), "p", "prop:p", "prop:prop:p", "absent", "P"]


@pytest.fixture(scope="module")
def scope(event_store: EventStore) -> Scope:
    found = fresh_scope()
    insert(event_store, found, EVENTS)
    return found


@pytest.mark.parametrize("key", KEYS)
async def test_the_labels_of_each_kind_of_value(event_store: EventStore, scope: Scope, key: str) -> None:
    found: list[tuple[int, str]] = []
    for label, has_one in label_sources(key, parameters := QueryParameters()):
        sql = f"SELECT seq, {label} AS label FROM events WHERE {{scope}} AND {has_one}"
        found += [
            (row.seq, row.label) for row in await event_store.reader.fetch_rows(sql, scope, parameters.values, Labelled)
        ]
    assert sorted(found) == sorted((each.seq, label) for each in EVENTS for label in labels_of(key, each))


async def test_the_label_of_a_number_is_what_json_writes(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [Happened("e", properties={"n": json.loads(sent)}) for sent in NUMBERS])
    [*_, exact, (label, has_one)] = label_sources("n", parameters := QueryParameters())
    sql = f"""
SELECT seq, label FROM (
  SELECT seq, {exact.label_sql} AS label FROM events WHERE {{scope}} AND {exact.present_sql}
  UNION ALL
  SELECT seq, {label} AS label FROM events WHERE {{scope}} AND {has_one})
ORDER BY seq""".strip()
    found = await event_store.reader.fetch_rows(sql, scope, parameters.values, Labelled)
    assert [row.label for row in found] == list(NUMBERS.values())


@pytest.mark.parametrize("key", KEYS)
async def test_what_is_present(event_store: EventStore, scope: Scope, key: str) -> None:
    parameters = QueryParameters()
    sql = f"SELECT seq FROM events WHERE {{scope}} AND {resolve_key(key, parameters).present_sql} ORDER BY seq"
    found = await event_store.reader.fetch_rows(sql, scope, parameters.values, Present)
    assert [row.seq for row in found] == [each.seq for each in EVENTS if present(key, each)]


@pytest.mark.parametrize(
    ("key", "source", "values"),
    [
        ("_actor", OwnField("actor"), {}),
        ("name", OwnField("name"), {}),
        ("prop:_actor", Property("{key:String}"), {"key": "_actor"}),
        ("prop:", Property("{key:String}"), {"key": ""}),
        ("prop:prop:x", Property("{key:String}"), {"key": "prop:x"}),
        ("_timestamp", Property("{key:String}"), {"key": "_timestamp"}),
        ("actor", Property("{key:String}"), {"key": "actor"}),
    ],
)
def test_what_a_key_names(key: str, source: Any, values: dict[str, str]) -> None:
    parameters = QueryParameters()
    assert resolve_key(key, parameters) == source
    assert parameters.values == values
    assert is_own_field(key) == isinstance(source, OwnField)


@few(2, "kind", ["strings", "texts", "lists", "numbers"])
@pytest.mark.parametrize("condition", [Property.in_map_sql, Property.skip_hint_sql])
def test_blocks_without_the_key_are_skipped(
    event_store: EventStore, condition: Callable[[Property, str], str], kind: str
) -> None:
    """In a month of their own: a block that was merged with those of other tests may have more keys than are indexed."""
    scope, where = fresh_scope(), condition(Property("{key:String}"), kind)
    where_sql = compile_slots(where, {"key": "a key that nobody sends"}, lambda _: None, has_number_texts=True).sql
    insert(event_store, scope, [Happened("e", MAY_1999_MS, properties={"key": "value"})])
    event_store.writer.command("OPTIMIZE TABLE events PARTITION 199905 FINAL")  # numbers are indexed by merges
    plan = event_store.writer.command(
        f"EXPLAIN indexes = 1 SELECT count() FROM events WHERE workspace_id = '{scope.workspace_id}'"
        f" AND timestamp = fromUnixTimestamp64Milli({MAY_1999_MS}) AND {where_sql}",
        {"key": "a key that nobody sends"},
    )
    [by_this_index] = [part for part in plan.split("Name: ") if part.startswith(f"{kind}_keys")]
    assert "Granules: 0/" in by_this_index
    assert "Granules: 0/0" not in by_this_index
