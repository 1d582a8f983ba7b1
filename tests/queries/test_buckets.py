"""How wide they are, which one an event is in, and what an empty one shows."""

from collections import Counter
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
from msgspec import UNSET

from harness.builders.events import ZONES
from harness.builders.moments import ms
from harness.oracles.calendar_walk import TWELVE_ZONES, start_of, start_of_next
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, insert, question
from harness.suite.few import few
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import FixedRange, RollingRange
from tallyroom.core.times import iso_ms
from tallyroom.queries.buckets import Buckets, Interval, TimePoint, choose_buckets, find_open_point
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.time_ranges import resolve_window
from tallyroom.queries.window import Window

HOUR_MS = 3_600_000


class Numbered(msgspec.Struct):
    bucket: int


def rolling(range_: RollingRange, interval: Interval, zone: str = "UTC", until_ms: int = NOW_MS) -> Buckets:
    return Buckets(window=resolve_window(range_, until_ms, zone), interval=interval, timezone=zone, now_ms=NOW_MS)


@pytest.mark.parametrize(
    ("range_", "one", "several"),
    [
        ("1h", "minute", "minute"),
        ("24h", "hour", "hour"),
        ("7d", "hour", "day"),
        ("30d", "day", "day"),
        ("90d", "day", "day"),
    ],
)
def test_the_width_of_buckets(range_: RollingRange, one: str, several: str) -> None:
    assert choose_buckets(None, question(range_), has_several_series=False).interval == one
    assert choose_buckets(None, question(range_), has_several_series=True).interval == several


@pytest.mark.parametrize(
    ("range_", "interval", "count"),
    [("1h", "minute", 61), ("24h", "hour", 25), ("7d", "hour", 169), ("7d", "day", 8), ("90d", "day", 91)],
)
@pytest.mark.parametrize("later_ms", [0, 90_500])
def test_every_bucket_that_the_window_touches_is_there(
    range_: RollingRange, interval: Interval, count: int, later_ms: int
) -> None:
    assert len(rolling(range_, interval, until_ms=NOW_MS + later_ms).edges_ms) == count + 1


@few(2, ("interval", "zone"), product(["minute", "hour", "day", "week", "month"], ZONES))
async def test_an_event_is_in_the_bucket_that_began_last(
    event_store: EventStore, interval: Interval, zone: str
) -> None:
    range_: Any = {"minute": "1h", "hour": "7d"}.get(interval, "90d")
    buckets, scope, parameters = rolling(range_, interval, zone), fresh_scope(), QueryParameters()
    starts, window = buckets.edges_ms[:-1], buckets.window
    edges_ms = {at for start in starts for at in (start, start - 1, start + 1) if window.from_ms <= at <= NOW_MS}
    events = [Happened("e", at) for at in sorted(edges_ms | {window.from_ms, NOW_MS})]
    insert(event_store, scope, events)
    sql = f"SELECT {buckets.bucket_number_sql(parameters)} AS bucket FROM events WHERE {{scope}}"
    numbers = [row.bucket for row in await event_store.reader.fetch_rows(sql, scope, parameters.values, Numbered)]
    began_last = Counter(iso_ms(max(start for start in starts if start <= each.at_ms)) for each in events)
    assert {each.t: each.value for each in buckets.fill_points(Counter(numbers).items(), 0)} == began_last


def test_points_have_the_empty_value_where_nothing_was_found() -> None:
    buckets = Buckets(
        window=Window(NOW_MS - HOUR_MS - 1, NOW_MS), interval="hour", timezone="Europe/Berlin", now_ms=NOW_MS
    )
    hour = NOW_MS // HOUR_MS
    assert buckets.fill_points([(hour - 1, 5), (hour, None)], 0) == [
        TimePoint("2026-11-20T10:00:00.000Z", 0, partial=True),
        TimePoint("2026-11-20T11:00:00.000Z", 5),
        TimePoint("2026-11-20T12:00:00.000Z", None, partial=True),
    ]


DAY_MS = 24 * HOUR_MS


@pytest.mark.parametrize(
    ("length_ms", "interval"),
    [
        (1, "minute"),
        (2 * HOUR_MS, "minute"),
        (2 * HOUR_MS + 2, "hour"),
        (8 * DAY_MS, "hour"),
        (8 * DAY_MS + 2, "day"),
        (200 * DAY_MS, "day"),
        (200 * DAY_MS + 2, "week"),
        (3 * 366 * DAY_MS, "week"),
        (3 * 366 * DAY_MS + 2, "month"),
        (50 * 366 * DAY_MS, "month"),
    ],
)
def test_an_interval_that_suits_the_window(length_ms: int, interval: Interval) -> None:
    asked = question(FixedRange(NOW_MS - length_ms, NOW_MS))
    assert choose_buckets("auto", asked, has_several_series=False).interval == interval


def test_who_asks_chooses_the_interval_before_the_config() -> None:
    assert choose_buckets("week", question("30d"), has_several_series=False).interval == "week"
    assert choose_buckets("week", question("30d", interval="month"), has_several_series=False).interval == "month"
    assert choose_buckets("week", question("30d", interval="auto"), has_several_series=False).interval == "day"


@pytest.mark.parametrize(
    ("interval", "length_ms", "instead"),
    [
        ("minute", 2_000 * 60_000, "hour"),
        ("hour", 2_000 * HOUR_MS, "day"),
        ("day", 2_000 * DAY_MS, "week"),
        ("week", 2_000 * 7 * DAY_MS, "month"),
    ],
)
def test_two_thousand_buckets_are_the_most(interval: Any, length_ms: int, instead: str) -> None:
    start = 345_600_000  # a Monday
    fits = question(FixedRange(start, start + length_ms), interval=interval)
    assert len(choose_buckets(None, fits, has_several_series=False).edges_ms) == 2_001
    with pytest.raises(ValidationFailed) as refused:
        choose_buckets(
            None, question(FixedRange(start, start + length_ms + 1), interval=interval), has_several_series=False
        )
    assert refused.value.details[0].path == ["interval"]
    assert refused.value.details[0].message.endswith(f"the shortest interval for this time range is {instead}")


@few(8, ("zone", "interval"), product(TWELVE_ZONES, ["day", "week", "month"]))
def test_edges_are_where_a_walk_over_the_calendar_finds_them(zone: str, interval: Interval) -> None:
    window = Window(ms("2026-02-10T12:00"), ms("2026-11-03T12:00"))
    edges_ms = Buckets(window=window, interval=interval, timezone=zone, now_ms=NOW_MS).edges_ms
    walked = [start_of(interval, window.from_ms, ZoneInfo(zone))]
    while walked[-1] <= window.until_ms:
        walked.append(start_of_next(interval, walked[-1], ZoneInfo(zone)))
    assert list(edges_ms) == walked


def test_only_cut_buckets_are_partial() -> None:
    whole = Buckets(window=Window(0, 3 * DAY_MS - 1), interval="day", timezone="UTC", now_ms=NOW_MS).fill_points([], 0)
    assert [each.partial for each in whole] == [UNSET, UNSET, UNSET]
    cut = Buckets(window=Window(1, 3 * DAY_MS - 2), interval="day", timezone="UTC", now_ms=NOW_MS).fill_points([], 0)
    assert [each.partial for each in cut] == [True, UNSET, True]
    one = Buckets(window=Window(5, 6), interval="day", timezone="UTC", now_ms=NOW_MS).fill_points([], 0)
    assert [each.partial for each in one] == [True]


def test_what_a_window_of_the_past_cuts_off_stays_as_it_is() -> None:
    cut = Buckets(window=Window(1, 3 * DAY_MS - 2), interval="day", timezone="UTC", now_ms=NOW_MS).fill_points([], 0)
    assert [each.cut for each in cut] == [UNSET, UNSET, True]
    assert find_open_point(cut) is None
    one = Buckets(window=Window(5, 6), interval="day", timezone="UTC", now_ms=7).fill_points([], 0)
    assert ([each.cut for each in one], find_open_point(one)) == ([True], None)


@pytest.mark.parametrize("until_ms", [2 * DAY_MS + 5, 4 * DAY_MS - 1])
def test_a_bucket_that_is_not_over_is_open(until_ms: int) -> None:
    buckets = Buckets(window=Window(1, until_ms), interval="day", timezone="UTC", now_ms=2 * DAY_MS + 5)
    points = buckets.fill_points([(0, 7)], 0)
    assert [each.cut for each in points] == [UNSET] * len(points)
    assert find_open_point(points) is points[2]


def test_a_bucket_that_is_not_over_is_partial_and_one_that_has_not_begun_has_no_value() -> None:
    buckets = Buckets(window=Window(0, 4 * DAY_MS - 1), interval="day", timezone="UTC", now_ms=2 * DAY_MS + 5)
    points = buckets.fill_points([(0, 7)], 0)
    assert [(each.value, each.partial) for each in points] == [(7, UNSET), (0, UNSET), (0, True), (None, UNSET)]


def test_a_bucket_whose_last_millisecond_is_now_is_whole() -> None:
    buckets = Buckets(window=Window(0, 3 * DAY_MS - 1), interval="day", timezone="UTC", now_ms=2 * DAY_MS - 1)
    points = buckets.fill_points([], 0)
    assert [(each.value, each.partial) for each in points] == [(0, UNSET), (0, UNSET), (None, UNSET)]


def test_before_a_window_has_begun_there_is_nothing() -> None:
    buckets = Buckets(window=Window(5, 2 * DAY_MS), interval="day", timezone="UTC", now_ms=-1)
    assert [(each.value, each.partial) for each in buckets.fill_points([], 0)] == [(None, UNSET)] * 3


@pytest.mark.parametrize(
    ("zone", "first", "last"),
    [("Pacific/Apia", "2011-12-27", "2012-01-02"), ("Pacific/Kwajalein", "1993-08-19", "1993-08-24")],
)
async def test_a_day_that_a_zone_skipped_is_no_bucket(
    event_store: EventStore, zone: str, first: str, last: str
) -> None:
    """They moved across the date line: a day has no moment there."""
    window = Window(ms(f"{first}T17:20"), ms(f"{last}T23:48"))
    buckets, scope, parameters = (
        Buckets(window=window, interval="day", timezone=zone, now_ms=NOW_MS),
        fresh_scope(),
        QueryParameters(),
    )
    walked = [start_of("day", window.from_ms, ZoneInfo(zone))]
    while walked[-1] <= window.until_ms:
        walked.append(start_of_next("day", walked[-1], ZoneInfo(zone)))
    assert list(buckets.edges_ms) == walked
    events = [Happened("e", at) for at in range(window.from_ms, window.until_ms, 6 * HOUR_MS)]
    insert(event_store, scope, events)
    sql = f"SELECT {buckets.bucket_number_sql(parameters)} AS bucket FROM events WHERE {{scope}}"
    numbers = Counter(
        row.bucket for row in await event_store.reader.fetch_rows(sql, scope, parameters.values, Numbered)
    )
    began_last = Counter(iso_ms(max(start for start in walked if start <= each.at_ms)) for each in events)
    points = buckets.fill_points(numbers.items(), 0)
    assert {each.t: each.value for each in points} == began_last
    assert all(buckets.find_bucket(each.t)[1] in numbers for each in points)
