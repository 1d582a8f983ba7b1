"""Retention: each cohort is what a plain count by unit gives, in the days and weeks of the zone."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.builders.events import CASES, GROUPS, LONG_CASES, NAMES, ZONES
from harness.builders.moments import ms
from harness.oracles.filters import matching
from harness.stores.event_store import NOW_MS, EventStore, fresh_scope
from harness.stores.questions import Happened, ask, assert_sql, checked, insert, question
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import FixedRange
from tallyroom.dashboards.kinds.retention.kind import RETENTION
from tallyroom.queries.data_point import DataPoint


def cohort(start: str, *values: int) -> dict[str, Any]:
    return {"start": start, "size": values[0], "values": list(values)}


# 2026-11-20, the fixed time of the tests, is a Friday.
TEN = [
    Happened("join", ms("2026-11-18T00:00:00.000"), "u1"),  # the first moment of Wednesday
    Happened("open", ms("2026-11-18T09:00:00.000"), "u1"),  # back in its own period: that is no column
    Happened("open", ms("2026-11-20T12:00:00.000"), "u1"),  # back two days later, at the last moment
    Happened("join", ms("2026-11-18T23:59:59.999"), "u2"),
    Happened("open", ms("2026-11-19T00:00:00.000"), "u2"),
    Happened("join", ms("2026-11-19T08:00:00.000"), "u2"),  # joins again: that makes no newcomer
    Happened("join", ms("2026-11-17T23:59:59.999"), "u3"),  # came before the grid
    Happened("open", ms("2026-11-19T08:00:00.000"), "u3"),
    Happened("join", ms("2026-11-19T08:00:00.000"), ""),  # nobody
    Happened("join", ms("2026-11-20T12:00:00.001"), "u4"),  # after now
]


async def test_ten_events(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, TEN)
    config = {"cohortEvent": "join", "returnEvent": "open", "periods": 3}
    assert await ask(event_store, scope, RETENTION, config, question()) == {
        "kind": "retention",
        "granularity": "day",
        "count": "actor",
        "cohorts": [
            cohort("2026-11-18T00:00:00.000Z", 2, 1, 1),
            cohort("2026-11-19T00:00:00.000Z", 0, 0),
            cohort("2026-11-20T00:00:00.000Z", 0),
        ],
    }


async def cohorts(store: EventStore, events: list[Happened], config: dict[str, Any], **asked: Any) -> Any:
    scope = fresh_scope()
    insert(store, scope, events)
    answer = await ask(store, scope, RETENTION, {"cohortEvent": "open", "periods": 2, **config}, question(**asked))
    return answer["cohorts"]


async def test_the_range_of_the_dashboard_does_not_matter(event_store: EventStore) -> None:
    events = [Happened("open", ms("2026-10-31T12:00"), "u1"), Happened("open", ms("2026-11-01T12:00"), "u1")]
    for time_range in ("1h", "last_month", FixedRange(0, ms("2026-02-01T00:00"))):
        assert await cohorts(event_store, events, {"granularity": "month"}, time_range=time_range) == [
            cohort("2026-10-01T00:00:00.000Z", 1, 1),
            cohort("2026-11-01T00:00:00.000Z", 0),
        ]


async def test_an_event_of_years_ago_makes_an_old_hand(event_store: EventStore) -> None:
    events = [Happened("open", ms("1970-01-01T00:00"), "u1"), Happened("open", NOW_MS, "u1")]
    assert await cohorts(event_store, events, {"periods": 2}) == [
        cohort("2026-11-19T00:00:00.000Z", 0, 0),
        cohort("2026-11-20T00:00:00.000Z", 0),
    ]


async def test_weeks_start_on_monday(event_store: EventStore) -> None:
    events = [
        Happened("open", ms("2026-11-15T23:59:59.999"), "u1"),
        Happened("open", ms("2026-11-16T00:00"), "u1"),
        Happened("open", ms("2026-11-16T00:00"), "u2"),
    ]
    assert await cohorts(event_store, events, {"granularity": "week"}) == [
        cohort("2026-11-09T00:00:00.000Z", 1, 1),
        cohort("2026-11-16T00:00:00.000Z", 1),
    ]


async def test_the_day_on_which_summer_time_ends_has_25_hours(event_store: EventStore) -> None:
    events = [
        Happened("open", ms("2026-10-24T22:00"), "u1"),  # midnight in Berlin
        Happened("open", ms("2026-10-25T22:59:59.999"), "u2"),  # 25 hours later, less a millisecond
        Happened("open", ms("2026-10-25T23:00"), "u3"),
    ]
    asked = {"until_ms": ms("2026-10-25T23:00"), "timezone": "Europe/Berlin"}
    assert await cohorts(event_store, events, {}, **asked) == [
        cohort("2026-10-24T22:00:00.000Z", 2, 0),
        cohort("2026-10-25T23:00:00.000Z", 1),
    ]


async def test_a_day_that_has_no_midnight_starts_when_its_clocks_do(event_store: EventStore) -> None:
    events = [
        Happened("open", ms("2026-09-06T03:59:59.999"), "u1"),  # Saturday, 23:59:59.999 in Santiago
        Happened("open", ms("2026-09-06T04:00"), "u2"),  # Sunday, 01:00
    ]
    asked = {"until_ms": ms("2026-09-06T05:00"), "timezone": "America/Santiago"}
    assert await cohorts(event_store, events, {}, **asked) == [
        cohort("2026-09-05T04:00:00.000Z", 1, 0),
        cohort("2026-09-06T04:00:00.000Z", 1),
    ]


async def test_each_event_has_its_own_filters(event_store: EventStore) -> None:
    events = [
        Happened("open", ms("2026-11-18T09:00"), "u1", {"plan": "free"}),  # not yet one of the cohort
        Happened("open", ms("2026-11-19T09:00"), "u1", {"plan": "pro"}),
        Happened("open", ms("2026-11-20T09:00"), "u1", {"plan": "pro"}),  # back, but not with what is asked for
        Happened("open", ms("2026-11-19T09:00"), "u2", {"plan": "pro"}),
        Happened("open", ms("2026-11-20T09:00"), "u2", {"plan": "free"}),
    ]
    config = {
        "cohortFilters": [{"key": "plan", "op": "eq", "value": "pro"}],
        "returnFilters": [{"key": "plan", "op": "eq", "value": "free"}],
    }
    assert await cohorts(event_store, events, config) == [
        cohort("2026-11-19T00:00:00.000Z", 2, 1),
        cohort("2026-11-20T00:00:00.000Z", 0),
    ]


async def test_groups(event_store: EventStore) -> None:
    events = [
        Happened("open", ms("2026-11-19T09:00"), "u1", {"team": "a"}),
        Happened("open", ms("2026-11-20T09:00"), "u2", {"team": "a"}),  # another actor of the same group
        Happened("open", ms("2026-11-19T09:00"), "", {"team": "A"}),  # another group, and nobody's events count too
        Happened("open", ms("2026-11-19T09:00"), "u3", {"team": ""}),
        Happened("open", ms("2026-11-19T09:00"), "u3", {"team": 42}),
        Happened("open", ms("2026-11-19T09:00"), "u3"),
    ]
    assert await cohorts(event_store, events, {"count": "group"}, group_key="team") == [
        cohort("2026-11-19T00:00:00.000Z", 2, 1),
        cohort("2026-11-20T00:00:00.000Z", 0),
    ]


async def test_groups_without_a_group_key_are_actors(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, TEN)
    config = {"cohortEvent": "join", "returnEvent": "open"}
    by_group = await ask(event_store, scope, RETENTION, {**config, "count": "group"}, question())
    assert by_group == await ask(event_store, scope, RETENTION, config, question())


def test_sql() -> None:
    config = {
        "cohortEvent": "join",
        "returnEvent": "open",
        "granularity": "month",
        "periods": 3,
        "returnFilters": [{"key": "n", "op": "gt", "value": 3}],
    }
    assert_sql("retention", RETENTION, config, question(timezone="Europe/Berlin"))


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"cohortEvent": ""},
        {"cohortEvent": "open", "returnEvent": ""},
        {"cohortEvent": "open", "granularity": "hour"},
        {"cohortEvent": "open", "periods": 1},
        {"cohortEvent": "open", "periods": 13},
        {"cohortEvent": "open", "count": "session"},
        {"cohortEvent": "open", "filters": []},
    ],
)
def test_what_is_no_retention_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        checked(RETENTION, wrong)


@pytest.mark.parametrize("field", ["cohortFilters", "returnFilters"])
def test_a_filter_without_its_value_is_refused_with_its_field(field: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(RETENTION, {"cohortEvent": "open", field: [{"key": "plan", "op": "eq"}]})
    assert refused.value.details[0].path == ["config", field, 0, "value"]


# Most events match each of them, so that somebody comes back.
FILTERS: list[list[dict[str, Any]]] = [
    [{"key": "plan", "op": "not_exists"}],
    [{"key": "_source", "op": "in", "value": ["web", "bot"]}],
]
NO_FILTERS: list[list[dict[str, Any]]] = [[]] * 6
# How many days back the events of a case go: about as far as the grid, and farther.
SPAN = {"day": 12, "week": 70, "month": 300}
NOWS = [
    NOW_MS,
    ms("2026-10-25T22:59:59.999"),  # the end of Berlin's day of 25 hours
    ms("2026-11-01T00:00"),  # a month begins, and in New York a day of 25 hours
    ms("2026-09-06T04:00"),  # Santiago skips midnight
    ms("2026-10-04T12:00"),  # Lord Howe's day of 23.5 hours
    ms("2026-03-29T22:00"),  # the end of Berlin's day of 23 hours
]


def made_config(source: Random) -> dict[str, Any]:
    config = {
        "cohortEvent": source.choice(NAMES),
        "granularity": source.choice(["day", "week", "month"]),
        "periods": source.randint(2, 12),
        "cohortFilters": source.choice(NO_FILTERS + FILTERS),
        "returnFilters": source.choice(NO_FILTERS + FILTERS),
    }
    return config | source.choice([{}, {"returnEvent": source.choice(NAMES)}])


def made_events(source: Random, config: dict[str, Any], zone: ZoneInfo, until_ms: int) -> list[Happened]:
    """Around the midnights of a few days, and around now."""
    today = datetime.fromtimestamp(until_ms / 1000, zone).replace(hour=0, minute=0, second=0, microsecond=0)
    time_range = SPAN[config["granularity"]]
    midnights = [today - timedelta(days=source.randint(0, time_range)) for _ in range(6)]
    moments = [until_ms, *(round(midnight.timestamp() * 1000) for midnight in midnights)]
    return [
        Happened(
            source.choice(NAMES),
            source.choice(moments) + source.choice([-1, 0, 1, 12 * 3_600_000]),
            source.choice(["u1", "u2", "u3", "u4", ""]),
            {"g": source.choice(["g1", "g2", "G1", *GROUPS])} | source.choice([{}, {}, {"plan": "pro"}]),
            source=source.choice(["web", "web", "bot", ""]),
        )
        for _ in range(source.randint(0, 50))
    ]


# Hypothesis likes lists short and their elements equal; few of those bring anybody back. So it gives a seed.
sources = st.randoms(use_true_random=True)


@pytest.mark.long
@CASES
@given(source=sources)
async def test_it_equals_a_plain_count(event_store: EventStore, source: Random) -> None:
    await compare(event_store, source)


@pytest.mark.long
@LONG_CASES
@given(source=sources)
async def test_it_equals_a_plain_count_long(event_store: EventStore, source: Random) -> None:
    await compare(event_store, source)


async def compare(event_store: EventStore, source: Random) -> None:
    """By actor and by group over the same events."""
    config, segment = made_config(source), source.choice(NO_FILTERS + FILTERS)
    zone, until_ms = source.choice(ZONES), source.choice(NOWS)
    events = made_events(source, config, ZoneInfo(zone), until_ms)
    scope = fresh_scope()
    insert(event_store, scope, events)
    counted = matching((each for each in events if each.at_ms <= until_ms), segment)
    asked = question(until_ms=until_ms, timezone=zone, group_key="g", filters=segment)
    for count in ("actor", "group"):
        whole = {**config, "count": count}
        answer = await ask(event_store, scope, RETENTION, whole, asked)
        found = [(each["size"], each["values"]) for each in answer["cohorts"]]
        assert found == expected_cohorts(counted, whole, ZoneInfo(zone), until_ms)


def expected_cohorts(
    events: list[Happened], config: dict[str, Any], zone: ZoneInfo, until_ms: int
) -> list[tuple[int, list[int]]]:
    """The grid by the calendar of each event, without ever asking when a period begins."""
    granularity = config["granularity"]

    def periods(named: str, filters: list[dict[str, Any]]) -> dict[str, list[int]]:
        """The periods of each unit's events of one name."""
        found = defaultdict(list)
        for each in matching((each for each in events if each.name == named), filters):
            unit = each.actor if config["count"] == "actor" else each.properties.get("g")
            if unit and isinstance(unit, str):
                found[unit].append(period_of(each.at_ms, granularity, zone))
        return found

    came = {unit: min(when) for unit, when in periods(config["cohortEvent"], config["cohortFilters"]).items()}
    back = periods(config.get("returnEvent", config["cohortEvent"]), config["returnFilters"])
    last = period_of(until_ms, granularity, zone)
    grid = range(last - config["periods"] + 1, last + 1)
    newcomers = {period: [unit for unit, when in came.items() if when == period] for period in grid}
    return [
        (len(units), [len(units), *(how_many(units, back, later) for later in range(period + 1, last + 1))])
        for period, units in newcomers.items()
    ]


def how_many(units: Iterable[str], back: dict[str, list[int]], period: int) -> int:
    return sum(period in back.get(unit, ()) for unit in units)


def period_of(at_ms: int, granularity: str, zone: ZoneInfo) -> int:
    """The number of the day, week or month in which a moment falls."""
    day = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at_ms)).astimezone(zone).date()
    if granularity == "month":
        return day.year * 12 + day.month
    days = (day - date(1969, 12, 29)).days  # a Monday
    return days if granularity == "day" else days // 7


@pytest.mark.parametrize(("period", "counted"), [(0, "is_cohort"), (1, "is_return")])
def test_behind_a_first_period_are_the_cohorts_own_events(period: int, counted: str) -> None:
    config = checked(RETENTION, {"cohortEvent": "join", "returnEvent": "open"})
    data_point = DataPoint(cohort="2026-11-19T00:00:00.000Z", period=period)
    assert RETENTION.find_evidence_query is not None
    with pytest.raises(StopIteration) as ended:
        next(RETENTION.find_evidence_query(config, question("7d"), data_point))
    assert f"groupArrayIf(at_ms, {counted} AND" in ended.value.value.sql
