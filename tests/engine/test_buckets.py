"""engine.buckets: how wide they are, which one an event is in, and what an empty one shows."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from harness.asking import Happened, insert
from harness.making import ZONES
from harness.store import NOW_MS, EventStore, fresh_scope
from tallyroom.core.ranges import TimeRange
from tallyroom.core.times import iso_ms
from tallyroom.engine.bound import Bound
from tallyroom.engine.buckets import Buckets, Interval, Point, interval_of
from tallyroom.engine.window import Window

HOUR_MS = 3_600_000


class Numbered(msgspec.Struct):
    bucket: int


def buckets_of(range_: TimeRange, interval: Interval, zone: str = "UTC", until_ms: int = NOW_MS) -> Buckets:
    window = Window(range_, until_ms)
    return Buckets(from_ms=window.from_ms, until_ms=until_ms, interval=interval, timezone=zone)


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
def test_the_width_of_buckets(range_: TimeRange, one: str, several: str) -> None:
    assert interval_of(range_, several=False) == one
    assert interval_of(range_, several=True) == several


@pytest.mark.parametrize(
    ("range_", "interval", "count"),
    [("1h", "minute", 61), ("24h", "hour", 25), ("7d", "hour", 169), ("7d", "day", 8), ("90d", "day", 91)],
)
@pytest.mark.parametrize("later_ms", [0, 90_500])
def test_every_bucket_that_the_window_touches_is_there(
    range_: TimeRange, interval: Interval, count: int, later_ms: int
) -> None:
    assert len(buckets_of(range_, interval, until_ms=NOW_MS + later_ms).starts()) == count


@pytest.mark.parametrize("interval", ["minute", "hour", "day"])
@pytest.mark.parametrize("zone", ZONES)
async def test_an_event_is_in_the_bucket_that_began_last(
    event_store: EventStore, interval: Interval, zone: str
) -> None:
    range_: Any = {"minute": "1h", "hour": "7d", "day": "90d"}[interval]
    buckets, scope, bound = buckets_of(range_, interval, zone), fresh_scope(), Bound()
    starts = buckets.starts()
    edges = {at for start in starts for at in (start, start - 1, start + 1) if buckets.from_ms <= at <= NOW_MS}
    events = [Happened("e", at) for at in sorted(edges | {buckets.from_ms, NOW_MS})]
    insert(event_store, scope, events)
    sql = f"SELECT {buckets.number(bound)} AS bucket FROM events WHERE {{scope}}"
    numbers = [row.bucket for row in await event_store.reader.rows(sql, scope, bound.values, Numbered)]
    began_last = Counter(iso_ms(max(start for start in starts if start <= each.at_ms)) for each in events)
    assert {each.t: each.value for each in buckets.points(Counter(numbers).items(), 0)} == began_last


def test_points_have_the_empty_value_where_nothing_was_found() -> None:
    buckets = Buckets(from_ms=NOW_MS - HOUR_MS - 1, until_ms=NOW_MS, interval="hour", timezone="Europe/Berlin")
    hour = NOW_MS // HOUR_MS
    assert buckets.points([(hour - 1, 5), (hour, None)], 0) == [
        Point("2026-11-20T10:00:00.000Z", 0),
        Point("2026-11-20T11:00:00.000Z", 5),
        Point("2026-11-20T12:00:00.000Z", None),
    ]
