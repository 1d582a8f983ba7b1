"""A line is interrupted where nothing was fed for long, and ends where nothing is fed any more."""

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.builders.events import CASES
from harness.oracles.listing_history import DAY, HOUR
from harness.stores.event_store import NOW_MS
from tallyroom.bots.counters import SOURCES
from tallyroom.bots.gaps import MetricLine, build_line
from tallyroom.bots.series import MetricHistory, TimeGrid, build_points

HOURS = TimeGrid(HOUR, 720, NOW_MS)
DAYS = TimeGrid(DAY, 90, NOW_MS)
VALUE = 7


def drawn(hours_ago: Iterable[float], grid: TimeGrid = HOURS) -> MetricLine:
    """The line of a metric that was fed so many hours before the last bucket, at the given value."""
    history = MetricHistory(
        [(int(grid.last_bucket_ms - hours * HOUR), VALUE) for hours in sorted(hours_ago, reverse=True)]
    )
    return build_line(history, "server_count", grid)


def ago(found: MetricLine, grid: TimeGrid = HOURS) -> list[float]:
    """How many hours before the last bucket its points are."""
    return [(grid.last_bucket_ms - at_ms) / HOUR for at_ms, _ in found.points]


def starts(found: MetricLine, grid: TimeGrid = HOURS) -> list[float]:
    return [(grid.last_bucket_ms - at_ms) / HOUR for at_ms in found.restart_times_ms]


def test_a_bot_fed_every_hour_is_not_drawn_where_it_was_not() -> None:
    found = drawn([*range(20), *range(50, 70)])
    assert ago(found) == [*range(69, 49, -1), *range(19, -1, -1)]
    assert starts(found) == [19]
    assert found.time_range == (HOURS.first_bucket_ms, HOURS.last_bucket_ms)


@pytest.mark.parametrize(("missing", "gaps"), [(1, []), (2, []), (3, [9]), (30, [9])])
def test_more_than_three_times_the_usual_distance_is_a_gap(missing: int, gaps: list[int]) -> None:
    found = drawn([*range(10), *range(10 + missing, 80)])
    assert starts(found) == gaps
    assert len(found.points) == 80 - (missing if gaps else 0)


def test_a_bot_fed_once_a_day_is_carried_through_the_hours_between() -> None:
    found = drawn(range(5, 600, 24))
    assert (len(found.points), found.restart_times_ms) == (582, [])
    assert ago(found)[-1] == 0


def test_a_bot_fed_once_a_day_has_a_gap_after_three_days_without() -> None:
    days = [*range(10), *range(14, 25)]
    found = drawn([day * 24 for day in days])
    assert starts(found) == [9 * 24]
    assert not [hours for hours in ago(found) if 9 * 24 < hours < 14 * 24]
    assert starts(drawn([day * 24 for day in days], DAYS), DAYS) == [9 * 24]
    assert drawn([day * 24 for day in (0, 3, 4, 5, 6, 7)]).restart_times_ms == []


def test_a_line_that_is_not_fed_any_more_ends_where_it_was() -> None:
    found = drawn(range(100, 200))
    assert ago(found)[-1] == 100
    assert found.restart_times_ms == []
    assert found.time_range == (HOURS.first_bucket_ms, HOURS.last_bucket_ms)


def test_a_line_whose_last_feed_is_not_long_ago_goes_on_to_now() -> None:
    assert ago(drawn(range(3, 100)))[-1] == 0
    assert ago(drawn(range(4, 100)))[-1] == 4


def test_few_feeds_are_taken_for_daily_ones() -> None:
    assert ago(drawn([72]))[-1] == 0
    assert ago(drawn([73])) == [73]
    assert drawn([0, 1, 72]).restart_times_ms == []
    assert starts(drawn([0, 1, 2, 76, 77])) == [2]


def test_irregular_feeds_are_no_gaps() -> None:
    feeds, at = [], 0
    for step in (1, 5, 2, 9, 1, 3, 12, 4, 1, 7, 2, 10, 3, 6, 1, 8):
        at += step
        feeds.append(at)
    assert drawn([0, *feeds]).restart_times_ms == []


def test_a_frame_that_begins_in_a_gap_begins_with_the_first_feed() -> None:
    grid = TimeGrid(HOUR, 72, NOW_MS)
    found = drawn([*range(40), *range(300, 340)], grid)
    assert ago(found, grid) == [*range(39, -1, -1)]
    assert found.restart_times_ms == []
    assert found.time_range == (grid.first_bucket_ms, grid.last_bucket_ms)


def test_a_frame_in_which_a_dead_bot_was_never_fed_has_no_points() -> None:
    found = drawn(range(300, 340), TimeGrid(HOUR, 72, NOW_MS))
    assert (found.points, found.restart_times_ms) == ([], [])
    assert drawn([]) == MetricLine([], [], None)


def test_days_without_votes_are_no_gap() -> None:
    history = MetricHistory([], [(HOURS.last_bucket_ms - hours * HOUR, 1) for hours in (600, 599, 598, 300, 299, 200)])
    found = build_line(history, "total_votes", HOURS)
    assert found.points == build_points(history, "total_votes", HOURS)
    assert found.restart_times_ms == []


@CASES
@given(
    st.lists(st.integers(0, 800), min_size=1, max_size=40, unique=True),
    st.sampled_from([HOURS, DAYS, TimeGrid(HOUR, 24, NOW_MS), TimeGrid(DAY, None, NOW_MS)]),
)
def test_every_feed_is_drawn_and_nothing_within_a_gap(hours_ago: list[int], grid: TimeGrid) -> None:
    history = MetricHistory([(grid.last_bucket_ms - hours * HOUR, VALUE) for hours in sorted(hours_ago, reverse=True)])
    known, found = build_points(history, "server_count", grid), build_line(history, "server_count", grid)
    fed = {at_ms // grid.step_ms * grid.step_ms for at_ms, _ in history.counters}
    moments = [at_ms for at_ms, _ in found.points]
    assert set(found.points) <= set(known)
    assert {at_ms for at_ms in fed if at_ms >= grid.first_bucket_ms} <= set(moments)
    jumps = {after for before, after in pairwise(moments) if after - before > grid.step_ms}
    assert jumps == set(found.restart_times_ms)
    assert set(found.restart_times_ms) <= fed


@pytest.mark.parametrize(("chosen", "gaps"), [([(30, "votes")], []), ([(60, "votes"), (40, "posted")], [19])])
def test_where_received_votes_make_the_counter_it_was_never_silent(
    chosen: list[tuple[int, str]], gaps: list[int]
) -> None:
    sent = [(HOURS.last_bucket_ms - hours * HOUR, VALUE) for hours in [*range(69, 49, -1), *range(19, -1, -1)]]
    sources = [(HOURS.last_bucket_ms - hours * HOUR, SOURCES.index(each)) for hours, each in chosen]
    votes = [(HOURS.last_bucket_ms - 69 * HOUR, 1)]
    found = build_line(MetricHistory(sent, votes, sources), "monthly_votes", HOURS)
    assert starts(found) == gaps


def test_without_a_time_frame_the_axis_begins_with_the_data() -> None:
    everything = TimeGrid(DAY, None, NOW_MS)
    found = drawn(range(0, 240, 24), everything)
    assert found.time_range == (everything.last_bucket_ms - 9 * DAY, everything.last_bucket_ms)
