"""Sums and averages are the same in whatever order events are stored (rules/questions#sums-and-averages)."""

import itertools
import json
import re
from collections.abc import Iterable, Sequence
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st

from harness.builders.events import FEW, MANY, drawn
from harness.oracles.measures import total
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, insert, insert_each, question
from harness.suite.few import few
from tallyroom.dashboards.kinds.kpi.kind import KPI
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.queries.exact_sums import ExactSum, SumParts
from tallyroom.queries.measures import Measure, build_measure
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.storage.event_store.property_columns.slots import compile_slots
from tallyroom.storage.event_store.scope import Scope

HOUR_MS = 3_600_000
MOST = 1.7976931348623157e308


def amounts(cents: int, count: int) -> list[float]:
    """So many amounts of money that come to `cents`."""
    chance = Random(count)
    some = [chance.randrange(2 * cents // count) for _ in range(count - 1)]
    return [each / 100 for each in (*some, cents - sum(some))]


EXAMPLES: list[tuple[Sequence[float], str, str]] = [
    (amounts(47_405_686, 10_000), "474056.86", "47.405686"),
    ([0.1] * 10, "1", "0.1"),
    ([0.1, 0.2, -0.3], "0", "0"),
    ([1_000_000.01, -999_999.99], "0.02", "0.01"),
    ([1e16, 1, -1e16], "1", "0.333333333333333"),
    ([1e300, 1, -1e300], "1", "0.333333333333333"),
    ([2.0**84, 2.0**53 - 1, 1, -(2.0**84), 0.5], "9007199254740990", "1801439850948200"),
    ([2**53 - 2, 1], "9007199254740991", "4503599627370500"),
    ([2**53, 1], "9007199254740990", "4503599627370500"),
    ([1 / 3, 1 / 3, 1 / 3], "1", "0.333333333333333"),
    ([1_000_000_000, 0.000_001], "1000000000", "500000000"),
    ([12_345_678_901.37, 0.01], "12345678901.38", "6172839450.69"),
    ([5e-324, 5e-324, 0], "1e-323", "5e-324"),
    ([2.5e-308, -2.4e-308], "9.99999999999997e-310", "5e-310"),
    ([1.7e308, 1.7e308], "None", "1.7e+308"),
    ([1.7e308, 1.7e308, -1.7e308], "1.7e+308", "5.66666666666667e+307"),
    ([MOST], "1.79769313486231e+308", "1.79769313486231e+308"),
    ([-0.0], "0", "0"),
    ([], "0", "None"),
]


@few(3, ("numbers", "added", "average"), EXAMPLES, ids=lambda each: str(each)[:30])
def test_examples(event_store: EventStore, numbers: Sequence[float], added: str, average: str) -> None:
    scope = fresh_scope()
    insert(event_store, scope, events_of(numbers))
    wanted_of: dict[Measure, str] = {"sum": added, "avg": average}
    for measure, wanted in wanted_of.items():
        assert [repr(found[scope]) for found in in_every_way(event_store, measure, [scope])] == [wanted] * 4


cents = st.integers(-(10**7), 10**7).map(lambda each: each / 100)
doubles = st.floats(allow_nan=False, allow_infinity=False)
edges = st.sampled_from([1e9, 1e9 + 0.01, 1e-6, 1.5e-6, 2**53, 2**53 + 2, 2**63, 5e-324, 2.3e-308, MOST, 0.1])
kinds = st.one_of(cents, cents, st.floats(-1e6, 1e6), st.integers(-(2**53), 2**53), doubles, edges)
whole = st.one_of(st.lists(cents, max_size=40), st.lists(kinds, max_size=40))
cancelling = whole.map(lambda numbers: [*numbers, *(-number for number in numbers[1:])])
sets = st.one_of(whole, cancelling)


@pytest.mark.long
@pytest.mark.parametrize("count", [FEW, MANY])
def test_any_numbers_in_any_order(event_store: EventStore, count: int) -> None:
    """Each set twice, in an order and in blocks of its own each time; then once more in the parts of a merge."""
    cases = [(numbers, fresh_scope(), fresh_scope()) for numbers in drawn(sets, count)]
    for place, chance in ((1, Random(1)), (2, Random(2))):
        left = {case[place]: chance.sample(list(case[0]), len(case[0])) for case in cases}
        while any(left.values()):
            block = {
                scope: [numbers.pop() for _ in range(chance.randint(0, len(numbers)))]
                for scope, numbers in left.items()
            }
            insert_each(event_store, [(scope, events_of(numbers)) for scope, numbers in block.items()])
    assert_sums(event_store, cases)
    event_store.writer.command("OPTIMIZE TABLE events FINAL")
    assert_sums(event_store, cases)


def assert_sums(store: EventStore, cases: list[tuple[Sequence[float], Scope, Scope]]) -> None:
    scopes = list(itertools.chain.from_iterable(case[1:] for case in cases))
    for measure in ("sum", "avg"):
        for found in in_every_way(store, measure, scopes):
            for numbers, *copies in cases:
                wanted = total(numbers, average=measure == "avg")
                assert [repr(found[copy]) for copy in copies] == [repr(wanted)] * 2, (measure, numbers)


def events_of(numbers: Iterable[float]) -> list[Happened]:
    return [Happened("other"), *(Happened("e", properties={"n": number}) for number in numbers)]


class SumRow(msgspec.Struct):
    workspace: str
    found: SumParts


def in_every_way(store: EventStore, measure: Measure, scopes: list[Scope]) -> list[dict[Scope, Any]]:
    """For each workspace, over the events; over the columns of a sub-query; from three states; and from one."""
    parameters = QueryParameters()
    of = build_measure(measure, "n", parameters)
    theirs = {each.workspace_id: each for each in scopes}
    listed = ", ".join(f"'{each}'" for each in theirs)
    events = f"FROM events WHERE environment = 'production' AND workspace_id IN ({listed})"
    rows = f"(SELECT workspace_id AS workspace, modulo(seq, 3) AS part, {', '.join(of.input_columns())} {events})"
    states = f"SELECT workspace, {of.state_sql()} AS state FROM {rows} GROUP BY workspace"
    queries = [
        f"SELECT workspace_id AS workspace, {of.aggregate_sql()} AS found {events} GROUP BY workspace",
        f"SELECT workspace, {of.aggregate_inputs_sql()} AS found FROM {rows} GROUP BY workspace",
        f"SELECT workspace, {of.merge_sql('state')} AS found FROM ({states}, part) GROUP BY workspace",
        f"SELECT workspace, {of.finalize_sql('state')} AS found FROM ({states})",
    ]
    reader = store.sealed()
    try:
        texts = [compile_slots(sql, parameters.values, lambda _: None, has_number_texts=True).sql for sql in queries]
        answers = [msgspec.json.Decoder(SumRow).decode_lines(reader.query(text, parameters.values)) for text in texts]
    finally:
        reader.close()
    return [{theirs[row.workspace]: of.to_value(row.found) for row in rows_} for rows_ in answers]


SHAPES: list[dict[str, Any]] = [
    {},
    {"overTime": True, "compare": True},
    {"breakdown": "plan"},
    {"breakdown": "plan", "overTime": True},
]


@few(2, ("shape", "measure"), product(SHAPES, ["sum", "avg"]), ids=str)
async def test_every_shape_is_the_same_in_another_order(
    event_store: EventStore, shape: dict[str, Any], measure: Measure
) -> None:
    chance, asked = Random(3), question("24h")
    events = [
        Happened("paid", NOW_MS - chance.randrange(47 * HOUR_MS), "", {"price": price, "plan": chance.choice("abc")})
        for price in (*amounts(1_234_567, 300), *(chance.random() for _ in range(300)))
    ]
    scopes = fresh_scope(), fresh_scope()
    insert(event_store, scopes[0], events)
    for part in (events[400:], events[:100], events[100:400]):
        insert(event_store, scopes[1], reversed(part))
    config = {"event": "paid", "measure": measure, "property": "price"} | shape
    one, other = [json.dumps(await ask(event_store, scope, METRIC, config, asked)) for scope in scopes]
    assert one == other
    values = re.findall(r'"(?:value|previous)": (-?[0-9.]+)', one)
    assert values
    assert all(len(digits_of(value)) <= 15 for value in values)


async def test_several_sums_of_the_same_events(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [Happened("e", properties={"a": a, "b": b}) for a, b in ((0.1, 3), (0.2, 1 / 3))])
    items = [{"event": "e", "measure": measure, "property": key} for key in "ab" for measure in ("sum", "avg", "sum")]
    answer = await ask(event_store, scope, KPI, {"items": items}, question("24h"))
    assert [each["value"] for each in answer["items"]] == [
        0.3,
        0.15,
        0.3,
        3.33333333333333,
        1.66666666666667,
        3.33333333333333,
    ]


async def test_labels_of_the_same_sum_rank_by_their_names(event_store: EventStore) -> None:
    prices: dict[str, list[Any]] = {
        "c": [0.1, 0.2],
        "a": [0.3],
        "b": [0.15, 0.05, 0.1],
        "d": [0.31],
        "e": [1 / 3],
        "f": [-1 / 3],
        "g": [],
    }
    events = [
        Happened("paid", properties={"plan": plan, "price": price})
        for plan, each in prices.items()
        for price in each or [""]
    ]
    scope = fresh_scope()
    insert(event_store, scope, events)
    ranked = {"sum": "edabcgf", "avg": "edacbfg"}
    for measure, wanted in ranked.items():
        config = {"event": "paid", "measure": measure, "property": "price", "breakdown": "plan"}
        answer = await ask(event_store, scope, METRIC, config, question("24h"))
        assert "".join(row["label"] for row in answer["rows"]) == wanted


def digits_of(number: str) -> str:
    return number.replace(".", "").lstrip("-0")


def test_many_sums_of_decimals_at_once() -> None:
    whole = ExactSum(alias_prefix="s", number_sql="n", condition_sql="h", is_average=False)
    assert whole.to_values([1_500_000, 0], [2, 0]) == [1.5, 0]
    assert msgspec.structs.replace(whole, is_average=True).to_values([1_500_000, 0], [2, 0]) == [0.75, None]
