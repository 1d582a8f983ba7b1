"""The median of very many numbers follows from those near it, and is that of a cold question to the last digit."""

import random
from typing import Any

import pytest

from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, insert, question
from tallyroom.core.times import DAY_MS, HOUR_MS, MINUTE_MS
from tallyroom.dashboards.registry import KINDS
from tallyroom.queries import medians
from tallyroom.queries.kept_answers import kept_medians
from tallyroom.queries.kept_answers.kept_answers import KeptAnswers

MEDIAN = {"event": "e", "measure": "median", "property": "n"}
FEW = 200


@pytest.fixture(autouse=True)
def few_kept_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is very many is a few hundred here."""
    for module in (medians, kept_medians):
        monkeypatch.setattr(module, "MAX_KEPT_NUMBERS", FEW)


class Measurements:
    """A workspace with a history of numbers, whose median is asked as a visitor does and cold."""

    def __init__(self, store: EventStore, seed: int) -> None:
        self.store = store
        self.scope = fresh_scope()
        self.chance = random.Random(seed)
        self.now_ms = NOW_MS
        self.kept_answers = KeptAnswers(store.reader, 1_000_000, lambda: 0)

    def insert(self, count: int, *, days: float, center: float = 0) -> None:
        """Numbers around a center arrive, of some days before now."""
        insert(
            self.store,
            self.scope,
            [
                Happened(
                    "e",
                    self.now_ms - int(self.chance.random() * days * DAY_MS),
                    "u",
                    {"n": round(self.chance.gauss(center, 100), self.chance.choice([0, 2]))},
                )
                for _ in range(count)
            ],
        )

    async def compare_answers(self) -> None:
        """Ask for the median of 30 days and of those before, with answers kept and without."""
        answers: list[Any] = [
            await ask(
                self.store, self.scope, KINDS["metric"], MEDIAN, question("30d", until_ms=self.now_ms), kept_answers
            )
            for kept_answers in (self.kept_answers, None)
        ]
        assert answers[0] == answers[1]


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 40))])
async def test_a_median_of_very_many_numbers_is_that_of_a_cold_question(event_store: EventStore, seed: int) -> None:
    measurements = Measurements(event_store, seed)
    measurements.insert(4_000, days=60)
    chance = measurements.chance
    await measurements.compare_answers()
    for _ in range(12):
        measurements.now_ms += chance.choice([MINUTE_MS, HOUR_MS, DAY_MS])
        if chance.random() < 0.6:
            measurements.insert(
                chance.choice([1, 20, 300]), days=chance.choice([0.01, 40]), center=chance.choice([0, 500])
            )
        await measurements.compare_answers()


async def test_a_median_that_left_the_numbers_near_it_is_estimated_again(event_store: EventStore) -> None:
    measurements = Measurements(event_store, 1)
    measurements.insert(1_000, days=20)
    await measurements.compare_answers()
    measurements.insert(3_000, days=0.5, center=5_000)
    await measurements.compare_answers()
    hit_count = measurements.kept_answers.cache.hit_count
    measurements.now_ms += MINUTE_MS
    await measurements.compare_answers()
    assert measurements.kept_answers.cache.hit_count > hit_count + 10


async def test_a_median_that_very_many_events_share_is_asked_as_a_whole(event_store: EventStore) -> None:
    measurements = Measurements(event_store, 1)
    insert(
        event_store, measurements.scope, [Happened("e", NOW_MS - day * DAY_MS, "u", {"n": 7}) for day in range(20)] * 30
    )
    for _ in range(2):
        await measurements.compare_answers()
        measurements.now_ms += MINUTE_MS
    assert measurements.kept_answers.cache.hit_count == 0
