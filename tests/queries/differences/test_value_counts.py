"""Chance is no difference, and many ids are little memory (rules/questions#differences, rules/questions#query-costs).

Of a hundred panels about noise, at most one names anything.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from harness.builders.varied_history import SPIKE_MS, make_noise
from harness.oracles.differences import expected_differences
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import checked, insert_each, question
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import DAY_MS, HOUR_MS, iso_ms
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.queries.answer import run_query_plan
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.differences.differences import ComparedBy, Differences, query_differences
from tallyroom.storage.event_store.backend.backend import MAX_RESULT_ROWS, ReadLimits
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope

HOURLY = {"events": "all", "measure": "count", "overTime": True, "interval": "hour"}
FEW_PANELS, MANY_PANELS = 5, 100
DAILY: dict[str, Any] = {"events": "all", "measure": "count", "overTime": True, "interval": "day"}
LAST_DAY = DataPoint(t="2026-11-20T00:00:00.000Z")


@pytest.mark.parametrize("panel_count", [FEW_PANELS, pytest.param(MANY_PANELS, marks=pytest.mark.long)])
async def test_noise_is_no_difference(event_store: EventStore, panel_count: int) -> None:
    cases = [(fresh_scope(), make_noise(Random(f"noise {number}"))) for number in range(panel_count)]
    insert_each(event_store, cases)
    spike = DataPoint(t=iso_ms(SPIKE_MS))
    named_count = 0
    assert METRIC.find_contrast
    for scope, _ in cases:
        plan = METRIC.find_contrast(checked(METRIC, HOURLY), question("7d"), spike)
        contrast = await run_query_plan(plan, event_store.reader, scope)
        differences = await run_query_plan(query_differences(contrast, "events", 10), event_store.reader, scope)
        assert differences.events >= 1
        named_count += bool(differences.properties)
    assert named_count <= 1


@pytest.mark.long
def test_noise_without_a_store() -> None:
    """What the same rule finds in more noise than the store is asked about."""
    named_count = 0
    for number in range(1_000):
        events = make_noise(Random(f"more noise {number}"))
        behind = [event for event in events if SPIKE_MS <= event.at_ms < SPIKE_MS + HOUR_MS]
        named_count += bool(expected_differences(events, behind)["properties"])
    assert named_count <= 10


@pytest.fixture(params=[pytest.param((20_000, 40), id="few"), pytest.param((1_000_000, 200), marks=pytest.mark.long)])
def amounts(request: pytest.FixtureRequest) -> tuple[int, int]:
    """How many events there are, each with an id of its own, and how many megabytes a query may take."""
    event_count, megabytes = request.param
    return event_count, megabytes


@pytest.fixture
def reader(event_store: EventStore, amounts: tuple[int, int]) -> Iterator[EventReader]:
    limits = ReadLimits(seconds=60, memory_bytes=amounts[1] * 1_000_000, max_rows=MAX_RESULT_ROWS)
    pool = EventReader(
        event_store.backend,
        limits,
        connection_count=1,
        slots_per_workspace=1,
        max_waiting_per_workspace=1,
        catch_up_seconds=0,
        has_hidden_events=lambda _: False,
        id_generator=IdGenerator(),
    )
    yield pool
    pool.close()


def insert_ids(store: EventStore, scope: Scope, event_count: int) -> None:
    """Events of a week, a hundredth of whose ids are the same: on the last day, all of these are."""
    is_last_day = f"number % 7 = 0 AND number < {event_count // 7}"
    store.writer.command(f"""
INSERT INTO events
  (workspace_id, environment, timestamp_ms, received_ms, spool, seq, name, actor, actor_label, source, properties)
SELECT '{scope.workspace_id}', '{scope.environment}', {NOW_MS} - if({is_last_day}, 1, 2 + number % 4) * {DAY_MS // 4}
  - if({is_last_day}, 0, {DAY_MS}), {NOW_MS}, 1, number + 1, 'opened', concat('u', toString(number % 1000)), '', 'web',
  concat('{{"id":"', if({is_last_day} AND number % 70 = 0, 'same', toString(sipHash64(number))), '"}}')
FROM numbers({event_count})""")


@pytest.mark.parametrize("by", ["events", "actors"])
async def test_an_id_among_millions_stands_out(
    event_store: EventStore, reader: EventReader, amounts: tuple[int, int], by: ComparedBy
) -> None:
    event_count, _ = amounts
    scope = fresh_scope()
    insert_ids(event_store, scope, event_count)
    assert METRIC.find_contrast
    contrast = await run_query_plan(
        METRIC.find_contrast(checked(METRIC, DAILY), question("7d"), LAST_DAY), reader, scope
    )
    differences: Differences = await run_query_plan(query_differences(contrast, by, 10), reader, scope)
    numbers = range(0, event_count // 7, 7)
    same_numbers = range(0, event_count // 7, 70)
    if by == "events":
        assert (differences.events, differences.of) == (len(numbers), event_count)
        [same] = differences.properties
        assert (same.key, same.value, same.count) == ("id", "same", len(same_numbers))
    else:
        assert (differences.events, differences.of) == (len({number % 1000 for number in numbers}), 1000)
