"""Funnel: each count is what the best of all chains of a unit reaches, from ten events to random ones."""

from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.builders.events import CASES, LONG_CASES
from harness.builders.journeys import FILTERS, HOUR_MS, NO_FILTERS, STEPS, at, counts, made_config, made_event, went
from harness.oracles.filters import matching
from harness.oracles.funnels import expected_funnel
from harness.stores.event_store import NOW_MS, EventStore, event, fresh_scope
from harness.stores.questions import Happened, ask, assert_sql, checked, in_window, insert, question
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import FixedRange, RollingRange
from tallyroom.dashboards.kinds.funnel.kind import FUNNEL

TEN = [
    *went("u1", "visit 09:00", "signup 09:10", "pay 09:40"),
    *went("u2", "visit 08:00", "signup 09:00", "pay 10:00:00.001"),  # an hour is still in time, a millisecond more not
    *went("u3", "signup 07:00", "visit 07:30"),  # the wrong way round
    *went("", "visit 09:00"),  # nobody
    *went("u4", "pay 09:00"),  # never came in
]


async def test_ten_events(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, TEN)
    answer = await ask(event_store, scope, FUNNEL, {"steps": STEPS, "windowHours": 1}, question())
    assert answer == {
        "kind": "funnel",
        "count": "actor",
        "steps": [
            {
                "event": "visit",
                "count": 3,
                "rate": 1.0,
                "stepRate": 1.0,
                "waiting": 0,
                "medianSecondsFromPrevious": None,
            },
            {
                "event": "signup",
                "count": 2,
                "rate": 2 / 3,
                "stepRate": 2 / 3,
                "waiting": 0,
                "medianSecondsFromPrevious": 2100.0,
            },
            {
                "event": "pay",
                "count": 1,
                "rate": 1 / 3,
                "stepRate": 0.5,
                "waiting": 0,
                "medianSecondsFromPrevious": 1800.0,
            },
        ],
    }


async def test_nothing_happened(event_store: EventStore) -> None:
    answer = await ask(event_store, fresh_scope(), FUNNEL, {"steps": STEPS[:2]}, question())
    assert answer["steps"] == [
        {"event": "visit", "count": 0, "rate": 0.0, "stepRate": 1.0, "waiting": 0, "medianSecondsFromPrevious": None},
        {"event": "signup", "count": 0, "rate": 0.0, "stepRate": 0.0, "waiting": 0, "medianSecondsFromPrevious": None},
    ]


@pytest.mark.parametrize(("window_from", "expected"), [("previous", [1, 1, 1]), ("first", [1, 1, 0])])
async def test_the_window_is_that_of_the_previous_step_or_of_the_whole_chain(
    event_store: EventStore, window_from: str, expected: list[int]
) -> None:
    events = went("u1", "visit 09:00", "signup 09:40", "pay 10:10")
    assert await counts(event_store, events, STEPS, windowHours=1, windowFrom=window_from) == expected


async def test_any_first_step_may_start_the_chain(event_store: EventStore) -> None:
    events = went("u1", "visit 08:00", "signup 08:01", "visit 09:30", "signup 09:40", "pay 10:30")
    assert await counts(event_store, events, STEPS, windowHours=1, windowFrom="first") == [1, 1, 1]


async def test_a_chain_that_starts_too_late_does_not_spoil_one_that_goes_on(event_store: EventStore) -> None:
    events = went("u1", "visit 09:00", "signup 09:30", "visit 09:50", "pay 09:55")
    assert await counts(event_store, events, STEPS, windowHours=1, windowFrom="first") == [1, 1, 1]


async def test_a_step_takes_from_the_latest_step_before_to_the_first_arrival(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, went("u1", "visit 09:00", "visit 09:20", "signup 09:30", "visit 10:00", "signup 10:01"))
    answer = await ask(event_store, scope, FUNNEL, {"steps": STEPS[:2]}, question())
    assert answer["steps"][1]["medianSecondsFromPrevious"] == 600.0


@pytest.mark.parametrize(
    ("window_from", "expected"),
    [
        ("previous", [1, 2, 0]),  # until 12:00, three hours after "visit 09:00:00.001" and "signup 10:00"
        ("first", [1, 1, 0]),  # of the two who signed up, the chain of one began too early
    ],
)
async def test_who_still_has_time_for_the_next_step_is_not_lost(
    event_store: EventStore, window_from: str, expected: list[int]
) -> None:
    scope = fresh_scope()
    events = [
        *went("u1", "visit 09:00"),  # three hours are over
        *went("u2", "visit 08:00", "visit 09:00:00.001"),
        *went("u3", "visit 08:00", "signup 10:00"),
        *went("u4", "visit 11:00", "signup 11:30"),
        *went("u5", "visit 11:00", "signup 11:30", "pay 11:40"),
    ]
    insert(event_store, scope, events)
    config = {"steps": STEPS, "windowHours": 3, "windowFrom": window_from}
    answer = await ask(event_store, scope, FUNNEL, config, question())
    assert [step["waiting"] for step in answer["steps"]] == expected


async def test_time_ends_with_the_time_range_or_now(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, went("u1", "visit 09:00"))
    for until, expected in (("10:00", 1), ("12:00", 0), ("20:00", 0)):
        asked = question(FixedRange(at("06:00"), at(until)))
        asked = msgspec.structs.replace(asked, now_ms=NOW_MS)
        answer = await ask(event_store, scope, FUNNEL, {"steps": STEPS, "windowHours": 2}, asked)
        assert answer["steps"][0]["waiting"] == expected, until


@pytest.mark.parametrize(("clocks", "expected"), [(["09:00"], [1, 0]), (["09:00", "09:01"], [1, 1])])
async def test_equal_steps_need_an_event_each(event_store: EventStore, clocks: list[str], expected: list[int]) -> None:
    events = went("u1", *(f"visit {clock}" for clock in clocks))
    assert await counts(event_store, events, [STEPS[0], STEPS[0]]) == expected


async def test_an_event_that_matches_two_steps_serves_one(event_store: EventStore) -> None:
    steps: list[dict[str, Any]] = [
        STEPS[0],
        {"event": "visit", "filters": [{"key": "plan", "op": "eq", "value": "pro"}]},
    ]
    assert await counts(event_store, went("u1", "visit 09:00", plan="pro"), steps) == [1, 0]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ({"received_ms": NOW_MS, "spool": 2, "seq": 20}, {"received_ms": NOW_MS + 1, "spool": 1, "seq": 10}),
        ({"received_ms": NOW_MS, "spool": 1, "seq": 20}, {"received_ms": NOW_MS, "spool": 2, "seq": 10}),
        ({"received_ms": NOW_MS, "spool": 1, "seq": 10}, {"received_ms": NOW_MS, "spool": 1, "seq": 20}),
        (
            {"received_ms": NOW_MS, "spool": 2**32 - 2, "seq": 2**53},
            {"received_ms": NOW_MS, "spool": 2**32 - 1, "seq": 1},
        ),
    ],
)
async def test_of_events_at_one_moment_the_arrival_decides(
    event_store: EventStore, earlier: dict[str, int], later: dict[str, int]
) -> None:
    assert await at_one_moment(event_store, visit=earlier, signup=later) == [1, 1]
    assert await at_one_moment(event_store, visit=later, signup=earlier) == [1, 0]


async def at_one_moment(store: EventStore, **arrivals: dict[str, Any]) -> list[int]:
    """What a funnel counts of one actor's events with the same timestamp."""
    scope = fresh_scope()
    store.insert([event(scope, name, actor="u1", timestamp_ms=at("09:00"), **each) for name, each in arrivals.items()])
    answer = await ask(store, scope, FUNNEL, {"steps": STEPS[:2]}, question())
    return [step["count"] for step in answer["steps"]]


async def test_events_outside_the_range_make_no_chain(event_store: EventStore) -> None:
    week_ago = NOW_MS - 7 * 24 * HOUR_MS
    events = [
        Happened("visit", week_ago - 1, "u1"),  # before the range
        Happened("signup", week_ago, "u1"),
        Happened("visit", week_ago, "u2"),
        Happened("signup", week_ago + 1, "u2"),
        Happened("visit", NOW_MS, "u3"),
        Happened("signup", NOW_MS + 1, "u3"),  # behind it
    ]
    assert await counts(event_store, events, STEPS[:2]) == [2, 1]


async def test_groups(event_store: EventStore) -> None:
    scope = fresh_scope()
    events = [
        *went("u1", "visit 09:00", team="a"),
        *went("u2", "signup 09:10", team="a"),  # another actor of the same group
        *went("", "visit 09:00", team="A"),  # another group, and nobody's events count too
        *went("u3", "visit 09:00", "signup 09:10", team=""),
        *went("u3", "visit 09:00", "signup 09:10", team=42),
        *went("u3", "visit 09:00", "signup 09:10"),
    ]
    insert(event_store, scope, events)
    config = {"steps": STEPS[:2], "count": "group"}
    answer = await ask(event_store, scope, FUNNEL, config, question(group_key="team"))
    assert (answer["count"], [step["count"] for step in answer["steps"]]) == ("group", [2, 1])


async def test_groups_without_a_group_key_are_actors(event_store: EventStore) -> None:
    scope = fresh_scope()
    insert(event_store, scope, TEN)
    config = {"steps": STEPS, "windowHours": 1}
    by_group = await ask(event_store, scope, FUNNEL, {**config, "count": "group"}, question())
    assert by_group == await ask(event_store, scope, FUNNEL, config, question())


def test_sql() -> None:
    config = {
        "steps": [STEPS[0], {"event": "visit", "filters": [{"key": "n", "op": "gt", "value": 3}]}, STEPS[1]],
        "count": "group",
    }
    tied = SimpleNamespace(unit_counts=[1, 0, 0], medians_ms=[None, None], waiting_counts=[0, 0], undecided_count=1)
    assert_sql("funnel", FUNNEL, config, question(group_key="team"), [tied])


def test_sql_of_a_window_from_the_first_step() -> None:
    assert_sql("funnel_from_first", FUNNEL, {"steps": STEPS[:2], "windowFrom": "first"}, question())


@pytest.mark.parametrize(
    "wrong",
    [
        {"steps": STEPS[:1]},
        {"steps": [STEPS[0]] * 9},
        {"steps": [{"event": ""}, STEPS[0]]},
        {"steps": [{"event": "visit", "window": 1}, STEPS[0]]},
        {"steps": STEPS, "windowHours": 0},
        {"steps": STEPS, "windowHours": 721},
        {"steps": STEPS, "windowHours": 1.5},
        {"steps": STEPS, "windowFrom": "last"},
        {"steps": STEPS, "count": "session"},
        {},
    ],
)
def test_what_is_no_funnel_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        checked(FUNNEL, wrong)


def test_a_filter_without_its_value_is_refused_with_its_step() -> None:
    with pytest.raises(ValidationFailed) as refused:
        checked(FUNNEL, {"steps": [STEPS[0], {"event": "pay", "filters": [{"key": "plan", "op": "eq"}]}]})
    assert refused.value.details[0].path == ["config", "steps", 1, "filters", 0, "value"]


# Hypothesis likes lists short and their elements equal; few of those hold a chain of three steps. So it gives a seed.
sources = st.randoms(use_true_random=True)


@pytest.mark.long
@CASES
@given(source=sources)
async def test_it_equals_the_best_of_all_chains(event_store: EventStore, source: Random) -> None:
    await compare(event_store, source)


@pytest.mark.long
@LONG_CASES
@given(source=sources)
async def test_it_equals_the_best_of_all_chains_long(event_store: EventStore, source: Random) -> None:
    await compare(event_store, source)


async def compare(event_store: EventStore, source: Random) -> None:
    """By actor and by group over the same events."""
    events = [made_event(source) for _ in range(source.randint(0, 40))]
    time_range: RollingRange = source.choice(["24h", "7d"])
    config, segment = made_config(source), source.choice(NO_FILTERS + FILTERS)
    scope = fresh_scope()
    insert(event_store, scope, events)
    counted = matching(in_window(events, time_range), segment)
    asked = question(time_range, group_key="g", filters=segment)
    for count in ("actor", "group"):
        whole = {**config, "count": count}
        answer = await ask(event_store, scope, FUNNEL, whole, asked)
        assert answer == expected_funnel(counted, whole)
