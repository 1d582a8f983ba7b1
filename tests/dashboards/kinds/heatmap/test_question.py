"""Heatmap: each cell is what counting the events by hour and weekday gives."""

from collections import Counter
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import strategies as st

from harness.builders.events import FEW, MANY, ZONES, crowds, drawn
from harness.builders.moments import ms
from harness.stores.event_store import EventStore, fresh_scope
from harness.stores.questions import Happened, ask, assert_sql, checked, in_window, insert, insert_each, question
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import FixedRange, TimeRange
from tallyroom.dashboards.kinds.heatmap.kind import HEATMAP
from tallyroom.storage.event_store.scope import Scope

EMPTY = [[0] * 24 for _ in range(7)]


def cells(counts: dict[tuple[int, int], int]) -> list[list[int]]:
    return [[counts.get((day, hour), 0) for hour in range(24)] for day in range(7)]


# 2026-11-20, the fixed time of the tests, is a Friday.
TEN = [
    Happened("open", ms("2026-11-20T12:00:00.000")),  # the last moment of the window
    Happened("open", ms("2026-11-20T11:59:59.999")),
    Happened("open", ms("2026-11-20T11:00:00.000")),
    Happened("open", ms("2026-11-16T00:00:00.000")),  # Monday
    Happened("open", ms("2026-11-15T23:59:59.999")),  # Sunday
    Happened("open", ms("2026-11-13T12:00:00.000")),  # the first moment of the window
    Happened("open", ms("2026-11-13T11:59:59.999")),  # before it
    Happened("open", ms("2026-11-20T12:00:00.001")),  # behind it
    Happened("close", ms("2026-11-20T11:30:00.000")),
    Happened("open", ms("2026-11-18T05:00:00.000"), properties={"plan": "pro"}),  # Wednesday
]


async def test_ten_events(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, TEN)
    answer = await ask(event_store, scope, HEATMAP, {"event": "open"}, question())
    assert answer == {
        "kind": "heatmap",
        "cells": cells({(4, 12): 2, (4, 11): 2, (0, 0): 1, (6, 23): 1, (2, 5): 1}),
    }


async def test_a_config_may_name_another_zone_than_the_workspace_has(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [Happened("open", ms("2026-11-15T23:30:00"))])  # in Berlin, Monday has begun
    config = {"event": "open", "timezone": "Europe/Berlin"}
    answer = await ask(event_store, scope, HEATMAP, config, question(timezone="America/New_York"))
    assert answer["cells"] == cells({(0, 0): 1})


@pytest.mark.parametrize(
    ("time_range", "zone", "expected"),
    [
        ("1h", "UTC", {(4, 11), (4, 12)}),
        ("24h", "UTC", {*((3, hour) for hour in range(12, 24)), *((4, hour) for hour in range(13))}),
        ("today", "Asia/Kathmandu", {(4, hour) for hour in range(18)}),
        ("7d", "UTC", {(day, hour) for day in range(7) for hour in range(24)}),
    ],
)
async def test_an_hour_outside_of_the_window_has_no_count(
    event_store: EventStore, time_range: TimeRange, zone: str, expected: set[tuple[int, int]]
) -> None:
    answer = await ask(event_store, fresh_scope(), HEATMAP, {"event": "open"}, question(time_range, timezone=zone))
    covered = {(day, hour) for day in range(7) for hour in range(24) if answer["cells"][day][hour] is not None}
    assert covered == expected


async def test_an_hour_that_has_not_begun_has_no_count(event_store: EventStore) -> None:
    asked = question(FixedRange(ms("2026-11-20T00:00:00"), ms("2026-11-21T00:00:00")))
    asked = msgspec.structs.replace(asked, now_ms=ms("2026-11-20T12:00:00"))
    answer = await ask(event_store, fresh_scope(), HEATMAP, {"event": "open"}, asked)
    assert answer["cells"] == [[None] * 24] * 4 + [[0] * 13 + [None] * 11] + [[None] * 24] * 2


async def test_nothing_happened(event_store: EventStore) -> None:
    answer = await ask(event_store, fresh_scope(), HEATMAP, {"event": "open"}, question())
    assert answer["cells"] == EMPTY


def test_sql() -> None:
    config = {"event": "open", "filters": [{"key": "plan", "op": "eq", "value": "pro"}]}
    assert_sql("heatmap", HEATMAP, config, question(timezone="Europe/Berlin"))


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "localtime/../UTC", "europe/berlin"])
def test_a_zone_that_nobody_knows_is_refused(zone: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(HEATMAP, {"event": "open", "timezone": zone})
    assert refused.value.details[0].path == ["config", "timezone"]


cases = st.tuples(crowds, st.sampled_from(ZONES))


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
async def test_it_equals_a_plain_count(event_store: EventStore, count: int) -> None:
    drawn_cases = [(fresh_scope(), *case) for case in drawn(cases, count)]
    insert_each(event_store, [(scope, events) for scope, events, _ in drawn_cases])
    for scope, events, zone in drawn_cases:
        await compare(event_store, scope, events, zone)


async def compare(store: EventStore, scope: Scope, events: list[Happened], zone: str) -> None:
    answer: Any = await ask(store, scope, HEATMAP, {"event": "a"}, question("30d", timezone=zone))
    counts = Counter(
        (local.weekday(), local.hour)
        for each in in_window(events, "30d")
        if each.name == "a"
        for local in [datetime.fromtimestamp(each.at_ms / 1000, ZoneInfo(zone))]
    )
    assert answer["cells"] == cells(counts)
