"""Workspaces and environments with equal names, actors and groups stay apart (rules/safety#workspace-isolation)."""

from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest

from harness.builders.configs import KINDS as TRIED
from harness.builders.configs import random_config
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, insert, question
from tallyroom.dashboards.registry import KINDS
from tallyroom.storage.event_store.event_id import EventPosition
from tallyroom.storage.event_store.scope import Scope

HOUR_MS = 3_600_000
SEQS = count(5_000_000)


def some_events(random: Random, number: int) -> list[Happened]:
    return [
        Happened(
            random.choice("abc"),
            NOW_MS - random.randrange(40 * 24) * HOUR_MS,
            random.choice(["", "u1", "u2", "u3"]),
            {
                "g": random.choice(["g1", "g2", "", 42]),
                "n": random.choice([1, 2.5, -3, 40]),
                "plan": random.choice(["free", "pro", 42, True]),
                "tags": random.sample(["x", "y", "1"], random.randrange(3)),
            },
            random.choice(["", "Ann", "Bea"]),
            random.choice(["", "web", "bot"]),
            seq=next(SEQS),
        )
        for _ in range(number)
    ]


def test_every_kind_is_tried() -> None:
    assert set(KINDS) - {"external"} == TRIED  # which reads no events


@pytest.mark.long
async def test_24_questions(event_store: EventStore) -> None:
    await compare(event_store, 24)


@pytest.mark.long
async def test_2000_questions(event_store: EventStore) -> None:
    await compare(event_store, 2000)


async def compare(store: EventStore, questions: int) -> None:
    """What others send, hide and erase changes no answer; and what they have in common is answered the same."""
    random = Random(questions)
    mine, theirs, elsewhere = fresh_scope(), fresh_scope(), fresh_scope()
    development = Scope(mine.workspace_id, "development")
    events = some_events(random, 200)
    insert(store, mine, events)
    insert(store, theirs, events)
    asked = [
        (*random_config(random), question(random.choice(["24h", "7d", "30d"]), group_key=random.choice(["g", None])))
        for _ in range(questions)
    ]
    assert {kind for kind, *_ in asked} == TRIED

    async def answers(scope: Scope) -> list[Any]:
        return [await ask(store, scope, KINDS[kind], config, about) for kind, config, about in asked]

    before = await answers(mine)
    assert await answers(theirs) == before
    assert sum(len(str(answer)) > 300 for answer in before) > questions / 4  # they are not all empty

    more = [replace(each, seq=next(SEQS)) for each in some_events(random, 300)]
    for other in (theirs, elsewhere, development):
        insert(store, other, more)
        hidden = more[0]
        assert store.hidden.hide(other, EventPosition(hidden.at_ms, 1, hidden.seq))
    assert await answers(mine) == before
