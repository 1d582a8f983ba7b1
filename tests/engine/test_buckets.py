"""engine.buckets: how wide they are, which one an event is in, and what an empty one shows."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from harness.asking import Happened, insert, question
from harness.making import ZONES
from harness.store import NOW_MS, EventStore, fresh_scope
from tallyroom.core.ranges import RollingRange
from tallyroom.core.times import iso_ms
from tallyroom.engine.bound import Bound
from tallyroom.engine.buckets import Buckets, Interval, Point, buckets_of
from tallyroom.engine.spans import window_of
from tallyroom.engine.window import Window

HOUR_MS = 3_600_000


class Numbered(msgspec.Struct):
    bucket: int


def rolling(range_: RollingRange, interval: Interval, zone: str = "UTC", until_ms: int = NOW_MS) -> Buckets:
    return Buckets(window=window_of(range_, until_ms, zone), interval=interval, timezone=zone)


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
    assert buckets_of(None, question(range_), several=False).interval == one
    assert buckets_of(None, question(range_), several=True).interval == several


@pytest.mark.parametrize(
    ("range_", "interval", "count"),
    [("1h", "minute", 61), ("24h", "hour", 25), ("7d", "hour", 169), ("7d", "day", 8), ("90d", "day", 91)],
)
@pytest.mark.parametrize("later_ms", [0, 90_500])
def test_every_bucket_that_the_window_touches_is_there(
    range_: RollingRange, interval: Interval, count: int, later_ms: int
) -> None:
    assert len(rolling(range_, interval, until_ms=NOW_MS + later_ms).edges) == count + 1


@pytest.mark.parametrize("interval", ["minute", "hour", "day"])
@pytest.mark.parametrize("zone", ZONES)
async def test_an_event_is_in_the_bucket_that_began_last(
    event_store: EventStore, interval: Interval, zone: str
) -> None:
    range_: Any = {"minute": "1h", "hour": "7d", "day": "90d"}[interval]
    buckets, scope, bound = rolling(range_, interval, zone), fresh_scope(), Bound()
    starts, window = buckets.edges[:-1], buckets.window
    edges = {at for start in starts for at in (start, start - 1, start + 1) if window.from_ms <= at <= NOW_MS}
    events = [Happened("e", at) for at in sorted(edges | {window.from_ms, NOW_MS})]
    insert(event_store, scope, events)
    sql = f"SELECT {buckets.number(bound)} AS bucket FROM events WHERE {{scope}}"
    numbers = [row.bucket for row in await event_store.reader.rows(sql, scope, bound.values, Numbered)]
    began_last = Counter(iso_ms(max(start for start in starts if start <= each.at_ms)) for each in events)
    assert {each.t: each.value for each in buckets.points(Counter(numbers).items(), 0)} == began_last


def test_points_have_the_empty_value_where_nothing_was_found() -> None:
    buckets = Buckets(window=Window(NOW_MS - HOUR_MS - 1, NOW_MS), interval="hour", timezone="Europe/Berlin")
    hour = NOW_MS // HOUR_MS
    assert buckets.points([(hour - 1, 5), (hour, None)], 0) == [
        Point("2026-11-20T10:00:00.000Z", 0, partial=True),
        Point("2026-11-20T11:00:00.000Z", 5),
        Point("2026-11-20T12:00:00.000Z", None, partial=True),
    ]
