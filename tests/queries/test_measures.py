"""What each measure makes of values, and which properties it takes."""

import math
from typing import Any

import msgspec
import pytest

from harness.oracles.measures import alike, measure
from harness.stores.event_store import EventStore, fresh_scope
from harness.stores.questions import Happened, insert
from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.measures import StoredValue, build_measure, check_measure, empty_value
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.storage.event_store.scope import Scope

NUMERIC = ["sum", "avg", "min", "max", "median", "p95", "p99"]


def events_of(*values: Any) -> list[Happened]:
    return [Happened("e", properties={"n": value}) for value in values]


class MeasureRow(msgspec.Struct):
    a: StoredValue


async def in_every_way(store: EventStore, scope: Scope, name: Any, key: str | None) -> list[Any]:
    """The measure over the events; over the columns of a sub-query; merged from three states; and of one state."""
    parameters = QueryParameters()
    of = build_measure(name, key, parameters)
    columns = ", ".join(["modulo(seq, 3) AS part", *of.input_columns()])
    rows = f"(SELECT {columns} FROM events WHERE {{scope}})"
    queries = [
        f"SELECT {of.aggregate_sql()} AS a FROM events WHERE {{scope}}",
        f"SELECT {of.aggregate_inputs_sql()} AS a FROM {rows}",
        f"SELECT {of.merge_sql('state')} AS a FROM (SELECT part, {of.state_sql()} AS state FROM {rows} GROUP BY part)",
        f"SELECT {of.finalize_sql('state')} AS a FROM (SELECT {of.state_sql()} AS state FROM {rows})",
    ]
    return [
        of.to_value(row.a)
        for sql in queries
        for row in await store.reader.fetch_rows(sql, scope, parameters.values, MeasureRow)
    ]


ONE_TO_FOUR = {"median": 2.5, "p95": 3.85, "p99": 3.97, "sum": 10, "avg": 2.5, "min": 1, "max": 4}


async def test_measures_of_one_to_four(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, events_of(4, 1, 3, 2))
    for name, value in ONE_TO_FOUR.items():
        assert alike(await in_every_way(event_store, scope, name, "n"), [value] * 4), name


@pytest.mark.long
@pytest.mark.parametrize(
    "values", [[], ["7"], [None, True, [7], {}], [0], [-1.5, "8", 2.25, [9]], [2**53, 1], [5e-324, 0]], ids=str
)
async def test_only_numbers_are_measured(event_store: EventStore, values: list[Any]) -> None:
    scope, events = fresh_scope(), [*events_of(*values), Happened("e")]
    insert(event_store, scope, events)
    for name in NUMERIC:
        found = await in_every_way(event_store, scope, name, "n")
        wanted = measure(name, "n", events)
        assert alike(found, [wanted] * 4), name


@pytest.mark.long
async def test_quantiles_are_exact(event_store: EventStore) -> None:
    scope, counts = fresh_scope(), [1, 2, 3, 20, 21, 101, 1000]
    spread = [round(math.sin(each) * 1000, 3) for each in range(1000)]
    events = [
        Happened("e", properties={f"first {count}": number for count in counts if place < count})
        for place, number in enumerate(spread)
    ]
    insert(event_store, scope, events)
    for key in [f"first {count}" for count in counts]:
        for level in ("median", "p95", "p99"):
            assert alike(await in_every_way(event_store, scope, level, key), [measure(level, key, events)] * 4), (
                level,
                key,
            )


async def test_different_values(event_store: EventStore) -> None:
    values = ["1", 1, 1.0, True, "true", ["1", "2", "1"], [2, True], "", [""], {"a": 1}, '{"a":1}', None, [], -0.0, 0]
    scope = fresh_scope()
    insert(event_store, scope, events_of(*values))
    # The texts 1, true, "" and {"a":1}, and 2 in lists; the numbers 1 and 0; the boolean; the object.
    assert await in_every_way(event_store, scope, "uniq", "n") == [9] * 4


async def test_different_values_of_own_fields_and_actors(event_store: EventStore) -> None:
    events = [Happened("e", actor=actor, source=source) for actor in ("", "u1", "u2") for source in ("", "web")]
    scope = fresh_scope()
    insert(event_store, scope, events)
    assert await in_every_way(event_store, scope, "uniq_actors", None) == [2] * 4
    assert await in_every_way(event_store, scope, "uniq", "_source") == [1] * 4
    assert await in_every_way(event_store, scope, "count", None) == [6] * 4


@pytest.mark.parametrize(
    ("name", "key", "reason"),
    [
        ("count", "n", "is not valid with count"),
        ("uniq_actors", "n", "is not valid with uniq_actors"),
        *((name, None, f"is required by {name}") for name in [*NUMERIC, "uniq"]),
        *((name, "_source", f"is not a number, but {name} needs one") for name in NUMERIC),
    ],
)
def test_a_measure_and_a_property_that_do_not_fit(name: Any, key: str | None, reason: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        check_measure(name, key, ["config"])
    [detail] = refused.value.details
    assert (detail.path, detail.message) == (["config", "property"], reason)


@pytest.mark.parametrize(
    ("name", "key"), [("count", None), ("uniq_actors", None), ("uniq", "_actor"), ("avg", "prop:_actor")]
)
def test_a_measure_and_a_property_that_fit(name: Any, key: str | None) -> None:
    check_measure(name, key, ["config"])


def test_what_nothing_measures() -> None:
    assert {name: empty_value(name) for name in ("count", "sum", "uniq", "uniq_actors")} == {
        "count": 0,
        "sum": 0,
        "uniq": 0,
        "uniq_actors": 0,
    }
    assert {empty_value(name) for name in ("avg", "min", "max", "median", "p95", "p99")} == {None}
