"""A metric in even steps is what its state was at the end of each, by brute force (rules/statistics#history)."""

from collections import Counter
from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.builders.events import CASES, LONG_CASES
from harness.oracles.listing_history import DAY, HOUR, Ballot, Choice, Snapshot, ToldListing, month
from harness.stores.event_store import NOW_MS
from tallyroom.bots.counters import METRICS, SOURCES, Metric, month_of, month_start_ms
from tallyroom.bots.series import MetricHistory, TimeGrid, build_points

BOT = "583807014896140293"

elapsed = st.one_of(
    st.integers(0, 3 * DAY),
    st.integers(0, 60).map(lambda hours: hours * HOUR),
    st.integers(0, 100).map(lambda days: days * DAY),
    st.integers(0, 100).map(lambda days: days * DAY + 12 * HOUR),  # midnight
    st.sampled_from([20 * DAY + 12 * HOUR, 20 * DAY + 12 * HOUR + 1, 48 * HOUR, 48 * HOUR + 1]),  # 31 October
    st.integers(0, 900 * DAY),
)
snapshots = st.lists(st.tuples(elapsed, st.integers(0, 9)), max_size=6)
ballots = st.lists(elapsed, max_size=6)
choices = st.lists(st.tuples(elapsed, st.sampled_from(SOURCES)), max_size=3)
grids = st.sampled_from(
    [
        TimeGrid(HOUR, 6, NOW_MS),
        TimeGrid(HOUR, 31, NOW_MS + 1),
        TimeGrid(HOUR, 72, NOW_MS - 1),
        TimeGrid(HOUR, 720, NOW_MS + 59999),
        TimeGrid(DAY, 31, NOW_MS),
        TimeGrid(DAY, 90, NOW_MS + 12 * HOUR),
        TimeGrid(DAY, 365, NOW_MS - 1),
        TimeGrid(DAY, None, NOW_MS),
    ]
)


def history_of(told: ToldListing, metric: str, grid: TimeGrid) -> MetricHistory:
    """What the event store would tell: of each bucket the last, and of what was before them little."""
    votes: Counter[int] = Counter()
    chosen: list[tuple[int, int]] = []
    if metric in {"monthly_votes", "total_votes"}:
        chosen = lasts([(each.at, SOURCES.index(each.source)) for each in told.choices], grid)
        for ballot in told.ballots:
            hour = ballot.at // HOUR * HOUR
            votes[hour if ballot.at >= grid.first_bucket_ms else month_start_ms(month_of(ballot.at))] += 1
    return MetricHistory(lasts([(each.at, each.value) for each in told.snapshots], grid), sorted(votes.items()), chosen)


def lasts(sent: list[tuple[int, int]], grid: TimeGrid) -> list[tuple[int, int]]:
    """The last of each bucket, and one of those before the first."""
    last: dict[int, tuple[int, int]] = {}
    for at, value in sorted(sent, key=itemgetter(0)):
        last[max(at // grid.step_ms, grid.first_bucket_ms // grid.step_ms - 1)] = (at, value)
    return [last[bucket] for bucket in sorted(last)]


def check(
    metric: Metric, grid: TimeGrid, sent: list[tuple[int, int]], cast: list[int], chosen: list[tuple[int, str]]
) -> None:
    told = ToldListing()
    told.snapshots = [Snapshot(BOT, metric, grid.now_ms - ago, value) for ago, value in sent]
    told.ballots = [Ballot(BOT, str(at), grid.now_ms - ago, 1, "") for at, ago in enumerate(cast)]
    # In the order of their moments, as a choice is of the moment in which it is made.
    made = sorted(chosen, key=itemgetter(0), reverse=True)
    told.choices = [Choice(BOT, grid.now_ms - ago, source) for ago, source in made]
    expected = told.series(BOT, metric, grid.step_ms, grid.bucket_count, grid.now_ms)
    assert build_points(history_of(told, metric, grid), metric, grid)[::-1] == expected


@CASES
@given(st.sampled_from(METRICS), grids, snapshots, ballots, choices)
def test_points_are_states(
    metric: Metric, grid: TimeGrid, sent: list[tuple[int, int]], cast: list[int], chosen: list[tuple[int, str]]
) -> None:
    check(metric, grid, sent, cast, chosen)


@pytest.mark.long
@LONG_CASES
@given(st.sampled_from(METRICS), grids, snapshots, ballots, choices)
def test_points_are_states_at_length(
    metric: Metric, grid: TimeGrid, sent: list[tuple[int, int]], cast: list[int], chosen: list[tuple[int, str]]
) -> None:
    check(metric, grid, sent, cast, chosen)


@given(st.integers(0, NOW_MS * 2))
def test_months_are_those_of_the_calendar(at: int) -> None:
    number = month_of(at)
    assert (number // 12, number % 12 + 1) == month(at)
    assert month_start_ms(number) <= at < month_start_ms(number + 1)
