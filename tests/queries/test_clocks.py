"""Hours and days are those of the zone's clocks, wherever they go forward or back."""

import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
import pytest

from harness.builders.events import ZONES
from harness.builders.moments import ms
from harness.oracles.calendar_walk import TWELVE_ZONES
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, insert, question
from harness.suite.few import few
from tallyroom.dashboards.kinds.heatmap.kind import HEATMAP
from tallyroom.dashboards.kinds.metric.kind import METRIC
from tallyroom.queries.clocks import find_offset_changes, local_ms_sql
from tallyroom.queries.query_parameters import QueryParameters

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
YEAR_MS = 366 * DAY_MS


class Shown(msgspec.Struct):
    at_ms: int
    shown: int


def shown_in(zone: str, at_ms: int) -> int:
    """What Python shows, read as if it were UTC."""
    local = datetime.fromtimestamp(at_ms // 1000, ZoneInfo(zone)).replace(tzinfo=UTC)
    return round(local.timestamp()) * 1000 + at_ms % 1000


@few(2, "zone", ZONES)
async def test_clocks_go_forward_and_back(event_store: EventStore, zone: str) -> None:
    """A year has every change of a zone, each with the milliseconds around it."""
    hours = range(NOW_MS - YEAR_MS, NOW_MS, HOUR_MS // 2)
    changes = [at for at in hours if shown_in(zone, at) - shown_in(zone, at - 1) != 1]
    scope, parameters = fresh_scope(), QueryParameters()
    moments = [NOW_MS - YEAR_MS, NOW_MS, *(each for at in changes for each in (at - 1, at, at + 1))]
    insert(event_store, scope, [Happened("e", at) for at in moments])
    shown = local_ms_sql(NOW_MS - YEAR_MS, NOW_MS, zone, parameters)
    sql = f"SELECT toUnixTimestamp64Milli(timestamp) AS at_ms, {shown} AS shown FROM events WHERE {{scope}}"
    rows = await event_store.reader.fetch_rows(sql, scope, parameters.values, Shown)
    assert {row.at_ms: row.shown for row in rows} == {at: shown_in(zone, at) for at in moments}
    assert len(changes) == (0 if zone in {"UTC", "Asia/Kathmandu", "Pacific/Apia"} else 2)


def test_a_change_is_told_to_the_millisecond() -> None:
    local_ms_sql(ms("2026-10-25T00:30"), ms("2026-10-25T01:30"), "Europe/Berlin", parameters := QueryParameters())
    assert parameters.values == {"ahead_ms": 7_200_000, "since_ms": ms("2026-10-25T01:00"), "ahead_ms_2": 3_600_000}


def test_a_change_in_the_first_days_of_a_year() -> None:
    from_ms, until_ms = ms("2020-01-01T00:00"), ms("2020-01-31T00:00")
    assert find_offset_changes(from_ms, until_ms, "Pacific/Fiji") == [
        (from_ms, 13 * HOUR_MS),
        (ms("2020-01-11T14:00"), 12 * HOUR_MS),
    ]


def test_a_range_of_one_moment() -> None:
    local_ms_sql(NOW_MS, NOW_MS, "Asia/Kathmandu", parameters := QueryParameters())
    assert parameters.values == {"ahead_ms": 20_700_000}


@pytest.fixture
def zone_of_another_age(tmp_path: Path) -> Iterator[str]:
    """A zone of which this process knows something else than the store: New York lives by the clocks of Kathmandu."""
    zone = "America/New_York"
    (tmp_path / zone).parent.mkdir()
    (tmp_path / zone).write_bytes((resources.files("tzdata") / "zoneinfo/Asia/Kathmandu").read_bytes())
    zoneinfo.reset_tzpath([tmp_path])
    ZoneInfo.clear_cache(only_keys=[zone])
    yield zone
    zoneinfo.reset_tzpath()
    ZoneInfo.clear_cache(only_keys=[zone])


async def test_the_store_is_not_asked_what_clocks_show(event_store: EventStore, zone_of_another_age: str) -> None:
    evening = NOW_MS + 8 * HOUR_MS  # 20:00 UTC is 01:45 of the next day there
    scope, asked = fresh_scope(), question("30d", until_ms=evening, timezone=zone_of_another_age)
    insert(event_store, scope, [Happened("e", evening), Happened("e", evening - 30 * DAY_MS)])
    config = {"event": "e", "measure": "count", "overTime": True}
    points = (await ask(event_store, scope, METRIC, config, asked))["points"]
    assert [points[0]["value"], points[-1]["value"]] == [1, 1]
    cells = (await ask(event_store, scope, HEATMAP, {"event": "e"}, asked))["cells"]
    assert cells[3][1] == cells[5][1] == 1


@pytest.mark.long
@pytest.mark.parametrize("zone", TWELVE_ZONES)
async def test_clocks_over_half_a_century(event_store: EventStore, zone: str) -> None:
    """The changes of a long time range are looked up, as many as there are; a walk by days finds the same ones."""
    from_ms = ms("1972-01-01T00:00")
    found = find_offset_changes(from_ms, NOW_MS, zone)
    days = range(from_ms, NOW_MS, DAY_MS)
    assert len(found) - 1 == sum(shown_in(zone, at + DAY_MS) - shown_in(zone, at) != DAY_MS for at in days[:-1])
    scope, parameters = fresh_scope(), QueryParameters()
    moments = [at for change in found[1:] for at in (change.since_ms - 1, change.since_ms)]
    insert(event_store, scope, [Happened("e", at) for at in [from_ms, NOW_MS, *moments[-40:]]])
    shown = local_ms_sql(from_ms, NOW_MS, zone, parameters)
    sql = f"SELECT toUnixTimestamp64Milli(timestamp) AS at_ms, {shown} AS shown FROM events WHERE {{scope}}"
    rows = await event_store.reader.fetch_rows(sql, scope, parameters.values, Shown)
    assert len(rows) == len(moments[-40:]) + 2
    assert [row.shown for row in rows] == [shown_in(zone, row.at_ms) for row in rows]
