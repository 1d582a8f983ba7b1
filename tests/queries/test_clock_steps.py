"""The hours of charts begin where the clocks of the zone show full hours (rules/questions#buckets)."""

from collections import Counter
from datetime import time
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.builders.events import CASES, LONG_CASES, ZONES
from harness.builders.moments import ms
from harness.oracles.calendar_walk import DAY_MS, begins_hour, shown
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, insert, question
from harness.suite.few import few
from tallyroom.core.ranges import FixedRange
from tallyroom.core.times import HOUR_MS, MINUTE_MS, iso_ms
from tallyroom.core.timezones import known_timezones
from tallyroom.dashboards.kinds.heatmap.kind import HEATMAP
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.queries.buckets import Buckets, Interval
from tallyroom.queries.clock_steps import ClockSteps
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.window import Window

TICK_MS = 30_000  # every offset and every change since 1970 is a multiple: Liberia was 44:30 behind UTC until 1972

CHANGES_BETWEEN_HOURS = [
    ("Australia/Lord_Howe", "2026-04-04T15:00"),  # from 02:00 back to 01:30
    ("Australia/Lord_Howe", "2026-10-03T15:30"),  # from 02:00 to 02:30
    ("Europe/Berlin", "2026-10-25T01:00"),
    ("America/Havana", "2026-11-01T05:00"),  # the first hour of a day comes twice
    ("Africa/Monrovia", "1972-01-07T00:44:30"),  # from an offset with seconds to UTC
    ("Asia/Kathmandu", "1985-12-31T18:30"),  # forward by a quarter of an hour, at midnight
    ("America/Caracas", "2007-12-09T07:00"),  # from 03:00 back to 02:30
    ("Pacific/Kiritimati", "1994-12-31T10:40"),  # over the date line, and by 40 minutes
    ("Antarctica/Troll", "2026-10-25T01:00"),  # back by two hours
]
CHANGES_WITHIN_HOURS = [
    ("Pacific/Chatham", "2026-09-26T14:00"),  # from 02:45 to 03:45
    ("America/St_Johns", "2006-10-29T02:31"),  # from 00:01 back to 23:01
    ("America/Goose_Bay", "2010-03-14T04:01"),  # from 00:01 to 01:01
]
CHANGES = [*CHANGES_BETWEEN_HOURS, *CHANGES_WITHIN_HOURS]


class NumberedEvent(msgspec.Struct):
    bucket: int
    at_ms: int


@st.composite
def zones_and_windows(draw: st.DrawFn) -> tuple[str, Window]:
    """Any zone at any time, and often where something changes; windows of up to a day."""
    if draw(st.booleans()):
        zone, change = draw(st.sampled_from(CHANGES))
        from_ms = ms(change) + draw(st.one_of(st.integers(-DAY_MS, HOUR_MS), st.sampled_from([-1, 0, -HOUR_MS])))
    else:
        zone = draw(st.sampled_from([*ZONES, *sorted(known_timezones())]))
        from_ms = draw(st.integers(0, ms("2037-12-01T00:00")))
    return zone, Window(from_ms, from_ms + draw(st.one_of(st.integers(0, DAY_MS), st.just(0))))


def walk_over_hours(window: Window, zone: ZoneInfo) -> list[int]:
    """The starts of the hours that a window touches, and the end of the last."""
    at = window.from_ms - window.from_ms % TICK_MS
    while not begins_hour(at, zone):
        at -= TICK_MS
    starts = [at]
    while starts[-1] <= window.until_ms:
        at += TICK_MS
        if begins_hour(at, zone):
            starts.append(at)
    return starts


async def check_case(store: EventStore, zone: str, window: Window) -> None:
    """Every event is in one bucket, the one that began last, in SQL, in the answer and behind a number."""
    edges_ms = walk_over_hours(window, ZoneInfo(zone))
    buckets = Buckets(window=window, interval="hour", timezone=zone, now_ms=max(NOW_MS, window.until_ms))
    assert [*buckets.edges_ms] == edges_ms
    moments = {at for edge_ms in edges_ms for at in (edge_ms - 1, edge_ms, edge_ms + 1)} | {window.until_ms}
    events = [Happened("e", at) for at in sorted(moments) if window.from_ms <= at <= window.until_ms]
    insert(store, scope := fresh_scope(), events)
    number_sql = buckets.bucket_number_sql(parameters := QueryParameters())
    sql = f"SELECT {number_sql} AS bucket, toUnixTimestamp64Milli(timestamp) AS at_ms FROM events WHERE {{scope}}"
    rows = await store.reader.fetch_rows(sql, scope, parameters.values, NumberedEvent)
    began_last = Counter(iso_ms(max(start for start in edges_ms if start <= event.at_ms)) for event in events)
    points = buckets.fill_points(Counter(row.bucket for row in rows).items(), 0)
    assert {point.t: point.value for point in points if point.value} == began_last
    for (start, end), point in zip(pairwise(edges_ms), points, strict=True):
        part, number = buckets.find_bucket(point.t)
        assert part == Window(max(start, window.from_ms), min(end - 1, window.until_ms))
        assert all((row.bucket == number) == (start <= row.at_ms < end) for row in rows)


@CASES
@given(zones_and_windows())
async def test_every_event_is_in_the_hour_of_the_clocks(event_store: EventStore, case: tuple[str, Window]) -> None:
    await check_case(event_store, *case)


@pytest.mark.long
@LONG_CASES
@given(zones_and_windows())
def test_a_walk_finds_the_same_hours(case: tuple[str, Window]) -> None:
    zone, window = case
    edges_ms = walk_over_hours(window, ZoneInfo(zone))
    assert [*Buckets(window=window, interval="hour", timezone=zone, now_ms=NOW_MS).edges_ms] == edges_ms
    assert ClockSteps(window, HOUR_MS, zone).count() == len(edges_ms) - 1


@few(5, ("zone", "change"), CHANGES)
async def test_hours_around_each_kind_of_change(event_store: EventStore, zone: str, change: str) -> None:
    await check_case(event_store, zone, Window(ms(change) - 7 * HOUR_MS, ms(change) + 7 * HOUR_MS))


DAYS = [
    ("Asia/Kolkata", "2026-11-18T18:30", [60] * 24),
    ("Asia/Kathmandu", "2026-11-18T18:15", [60] * 24),
    ("Africa/Monrovia", "1971-06-01T00:44:30", [60] * 24),
    ("Europe/Berlin", "2026-03-28T23:00", [60] * 23),
    ("Europe/Berlin", "2026-10-24T22:00", [60] * 25),
    ("Pacific/Chatham", "2026-09-26T11:15", [60] * 23),  # from 02:45 to 03:45
    ("Pacific/Chatham", "2026-04-04T10:15", [60] * 25),
    ("America/Goose_Bay", "2010-03-14T04:00", [60] * 23),  # from 00:01 to 01:01
    ("America/St_Johns", "2006-10-29T02:30", [60] * 25),  # from 00:01 back to 23:01
    ("Australia/Lord_Howe", "2026-10-03T13:30", [60, 60, 30, *[60] * 21]),  # from 02:00 to 02:30
    ("Australia/Lord_Howe", "2026-04-04T13:00", [60, 90, *[60] * 22]),  # from 02:00 back to 01:30
    ("America/Caracas", "2016-05-01T04:30", [60, 60, 30, *[60] * 21]),  # from 02:30 to 03:00
]


@pytest.mark.parametrize(("zone", "start", "minutes"), DAYS)
def test_the_hours_of_a_local_day(zone: str, start: str, minutes: list[int]) -> None:
    start_ms = ms(start)
    end_ms = start_ms + sum(minutes) * MINUTE_MS
    assert {shown(at, ZoneInfo(zone)).time() for at in (start_ms, end_ms)} == {time()}
    edges_ms = Buckets(window=Window(start_ms, end_ms - 1), interval="hour", timezone=zone, now_ms=NOW_MS).edges_ms
    assert (edges_ms[0], edges_ms[-1]) == (start_ms, end_ms)
    assert [(end - start) // MINUTE_MS for start, end in pairwise(edges_ms)] == minutes


async def test_yesterday_in_kolkata_is_what_the_heat_map_says(event_store: EventStore) -> None:
    zone, ten = "Asia/Kolkata", ms("2026-11-19T04:30")
    insert(event_store, scope := fresh_scope(), [Happened("e", ten + minute * MINUTE_MS) for minute in range(60)])
    asked = question("yesterday", timezone=zone, interval="hour")
    points = await hourly_points(event_store, scope, asked)
    assert points == [
        {"t": iso_ms(ms("2026-11-18T18:30") + hour * HOUR_MS), "value": 60 if hour == 10 else 0} for hour in range(24)
    ]
    cells = (await ask(event_store, scope, HEATMAP, {"event": "e"}, asked))["cells"]
    assert cells[3] == [point["value"] for point in points]


@few(3, ("zone", "change"), CHANGES_BETWEEN_HOURS)
async def test_a_heat_map_is_the_sum_of_a_chart(event_store: EventStore, zone: str, change: str) -> None:
    """Each bucket lies in one hour of the week, however the clocks are changed at the end of an hour."""
    from_ms, to_ms = ms(change) - DAY_MS, ms(change) + DAY_MS
    insert(event_store, scope := fresh_scope(), [Happened("e", at) for at in range(from_ms, to_ms, 7 * MINUTE_MS)])
    asked = question(FixedRange(from_ms, to_ms), timezone=zone, interval="hour")
    sums: Counter[tuple[int, int]] = Counter()
    for point in await hourly_points(event_store, scope, asked):
        local_start = shown(ms(point["t"].removesuffix("Z")), ZoneInfo(zone))
        sums[local_start.weekday(), local_start.hour] += point["value"]
    cells = (await ask(event_store, scope, HEATMAP, {"event": "e"}, asked))["cells"]
    assert [[count or 0 for count in row] for row in cells] == [
        [sums[day, hour] for hour in range(24)] for day in range(7)
    ]


async def hourly_points(store: EventStore, scope: Any, asked: Any) -> Any:
    config = {"event": "e", "measure": "count", "overTime": True}
    return (await ask(store, scope, METRIC, config, asked))["points"]


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia"])
@pytest.mark.parametrize("interval", ["hour", "minute"])
def test_where_the_hours_are_those_of_utc_the_query_is_too(zone: str, interval: Interval) -> None:
    window = Window(ms("2026-10-25T00:30"), ms("2026-11-02T00:30"))
    sqls = [
        Buckets(window=window, interval=interval, timezone=name, now_ms=NOW_MS).bucket_number_sql(QueryParameters())
        for name in ("UTC", zone)
    ]
    assert sqls == ["toUInt32(intDiv(toUnixTimestamp64Milli(timestamp), {step_ms:Int64}))"] * 2


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe"])
def test_minutes_are_those_of_utc(zone: str) -> None:
    window = Window(ms("2026-04-04T14:00:30"), ms("2026-04-04T16:00:30"))
    edges_ms = Buckets(window=window, interval="minute", timezone=zone, now_ms=NOW_MS).edges_ms
    assert [*edges_ms] == [*range(ms("2026-04-04T14:00"), ms("2026-04-04T16:02"), MINUTE_MS)]


def test_minutes_of_an_offset_with_seconds_begin_on_its_clocks() -> None:
    window = Window(ms("1971-06-01T12:00"), ms("1971-06-01T12:01"))
    edges_ms = Buckets(window=window, interval="minute", timezone="Africa/Monrovia", now_ms=NOW_MS).edges_ms
    assert [iso_ms(edge) for edge in edges_ms] == [
        "1971-06-01T11:59:30.000Z",
        "1971-06-01T12:00:30.000Z",
        "1971-06-01T12:01:30.000Z",
    ]
