"""Sums and averages are the same in any order, in any number of blocks, and after merges.

See rules/questions#sums-and-averages.
"""

import math
import random
from typing import Any

from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, insert, question
from harness.suite.few import few
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.storage.event_store.scope import Scope

COUNT = 3_000


def amounts(chance: random.Random) -> float:
    return chance.randrange(1, 10_000_000) / 100


def of_any_size(chance: random.Random) -> float:
    return chance.random() * 10.0 ** chance.randrange(-12, 13)


def tiny_beside_huge(chance: random.Random) -> float:
    return chance.choice([1e15, 0.1, 1e-9, 3.3])


def signed(chance: random.Random) -> float:
    return chance.uniform(-1, 3) * 1e6


@few(1, "number", [amounts, of_any_size, tiny_beside_huge, signed])
async def test_the_order_of_storage_does_not_matter(event_store: EventStore, number: Any) -> None:
    chance = random.Random(11)
    numbers = [number(chance) for _ in range(COUNT)]
    expected = {"sum": f"{math.fsum(numbers):.15g}", "avg": f"{math.fsum(numbers) / COUNT:.15g}"}
    found: set[tuple[Any, ...]] = set()
    for blocks in (1, 3, 17):
        scope = fresh_scope()
        chance.shuffle(numbers)
        events = [Happened("paid", NOW_MS - at % 86_400_000, "u", {"n": each}) for at, each in enumerate(numbers)]
        chance.shuffle(events)
        for block in range(blocks):
            insert(event_store, scope, events[block::blocks])
        found.add(tuple([await value(event_store, scope, measure) for measure in expected]))
        event_store.writer.command("OPTIMIZE TABLE events PARTITION 202611 FINAL")
        found.add(tuple([await value(event_store, scope, measure) for measure in expected]))
    [values] = found
    assert [f"{each:.15g}" for each in values] == list(expected.values())


async def value(store: EventStore, scope: Scope, measure: str) -> Any:
    config = {"event": "paid", "measure": measure, "property": "n", "compare": False}
    return (await ask(store, scope, METRIC, config, question("7d")))["value"]
