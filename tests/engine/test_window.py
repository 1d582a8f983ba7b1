"""engine.window: a window holds both of its ends, and its days begin when the clocks of the zone say so."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import msgspec
import pytest

from harness.asking import Happened, insert
from harness.store import NOW_MS, EventStore, fresh_scope
from tallyroom.core.ranges import RANGE_MS, TimeRange
from tallyroom.core.times import iso_ms
from tallyroom.engine.bound import Bound
from tallyroom.engine.window import Window, day_starts, local_ms


class FoundEvent(msgspec.Struct):
    name: str


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize("range_", RANGE_MS)
async def test_a_window_holds_both_of_its_ends(event_store: EventStore, range_: TimeRange) -> None:
    window, scope = Window(range_, NOW_MS), fresh_scope()
    moments = {
        "too old": NOW_MS - 2 * RANGE_MS[range_] - 1,
        "first before": NOW_MS - 2 * RANGE_MS[range_],
        "last before": NOW_MS - RANGE_MS[range_] - 1,
        "first": NOW_MS - RANGE_MS[range_],
        "last": NOW_MS,
        "too new": NOW_MS + 1,
    }
    insert(event_store, scope, [Happened(name, at) for name, at in moments.items()])

    async def names(condition: str, bound: Bound) -> list[str]:
        sql = f"SELECT name FROM events WHERE {{scope}} AND {condition} ORDER BY timestamp"
        return [row.name for row in await event_store.reader.rows(sql, scope, bound.values, FoundEvent)]

    assert await names(window.condition(bound := Bound()), bound) == ["first", "last"]
    assert await names(window.condition_with_before(bound := Bound()), bound) == [
        "first before",
        "last before",
        "first",
        "last",
    ]


DAYS = [
    ("UTC", "2026-11-19T23:59:59.999", "2026-11-20T00:00", ["2026-11-19T00:00", "2026-11-20T00:00"]),
    (
        "Europe/Berlin",
        "2026-10-24T22:00",
        "2026-10-26T23:00",
        ["2026-10-24T22:00", "2026-10-25T23:00", "2026-10-26T23:00"],
    ),
    ("America/New_York", "2026-03-08T05:00", "2026-03-09T04:00", ["2026-03-08T05:00", "2026-03-09T04:00"]),
    ("America/Santiago", "2026-09-06T03:59:59.999", "2026-09-06T04:00", ["2026-09-05T04:00", "2026-09-06T04:00"]),
    ("America/Havana", "2026-11-01T04:00", "2026-11-02T05:00", ["2026-11-01T04:00", "2026-11-02T05:00"]),
    ("Asia/Kathmandu", "2026-11-20T12:00", "2026-11-20T12:00", ["2026-11-19T18:15"]),
]


@pytest.mark.parametrize(("zone", "first", "last", "starts"), DAYS)
def test_days_begin_when_the_clocks_of_the_zone_say_so(zone: str, first: str, last: str, starts: list[str]) -> None:
    assert [iso_ms(each) for each in day_starts(ms(first), ms(last), zone)] == [iso_ms(ms(each)) for each in starts]


def test_a_local_time_that_is_passed_over_is_the_moment_of_the_jump() -> None:
    """Berlin goes from 02:00 to 03:00 on 2026-03-29, which is 01:00 UTC."""
    assert iso_ms(local_ms(datetime(2026, 3, 29, 2), ZoneInfo("Europe/Berlin"))) == "2026-03-29T01:00:00.000Z"  # noqa: DTZ001 # the zone is the other argument


def test_a_local_time_that_is_shown_twice_is_the_first() -> None:
    assert iso_ms(local_ms(datetime(2026, 10, 25, 2), ZoneInfo("Europe/Berlin"))) == "2026-10-25T00:00:00.000Z"  # noqa: DTZ001 # the zone is the other argument


def test_a_window_tells_the_index_its_days(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, [Happened("open")])
    where = f"workspace_id = '{scope.workspace_id}' AND {Window('24h', NOW_MS).condition(bound := Bound())}"
    plan = event_store.writer.command(f"EXPLAIN indexes = 1 SELECT actor FROM events WHERE {where}", bound.values)
    [by_key] = [part for part in plan.split("PrimaryKey")[1:] if "workspace_id" in part]
    assert "toDate(timestamp)" in by_key
