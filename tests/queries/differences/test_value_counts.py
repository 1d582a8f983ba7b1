"""Chance is no difference: of a hundred panels about noise, at most one names anything (rules/questions#differences)."""

from random import Random

import pytest

from harness.builders.varied_history import SPIKE_MS, make_noise
from harness.oracles.differences import expected_differences
from harness.stores.event_store import EventStore, fresh_scope
from harness.stores.questions import checked, insert_each, question
from tallyroom.core.times import HOUR_MS, iso_ms
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.queries.answer import run_query_plan
from tallyroom.queries.data_point import DataPoint
from tallyroom.queries.differences.differences import query_differences

HOURLY = {"events": "all", "measure": "count", "overTime": True, "interval": "hour"}
FEW_PANELS, MANY_PANELS = 5, 100


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
