"""Rankings that time alone change: a month ends. No count that was sent does (rules/statistics#month-end)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.builders.events import CASES, LONG_CASES
from harness.oracles.listing_history import DAY, HOUR, Ballot, Choice, Snapshot, ToldListing
from harness.stores.event_store import NOW_MS
from tallyroom.bots.counters import SOURCE_METRIC, SOURCES, Counters, month_of
from tallyroom.bots.rankings import BotRankings

BOTS = ["583807014896140293", "646937666251915264", "00000000000000042"]
VOTED = ["monthly_votes", "total_votes"]

moves = st.sampled_from(
    [1, HOUR, 47 * HOUR, 48 * HOUR, 48 * HOUR + 1, 9 * DAY, 10 * DAY + 12 * HOUR, 11 * DAY, 40 * DAY]
)
facts = st.tuples(st.sampled_from(BOTS), st.sampled_from([*VOTED, SOURCE_METRIC, "vote", "vote"]), st.integers(0, 4))
steps = st.lists(st.one_of(moves, facts, facts), max_size=20)


def check(script: list[int | tuple[str, str, int]]) -> None:
    now, told, known = NOW_MS, ToldListing(), {bot: Counters() for bot in BOTS}
    told.profiles, told.first_seen = {bot: {} for bot in BOTS}, dict.fromkeys(BOTS, 0)
    rankings = BotRankings(VOTED, known, now, default_value=0)
    for step in script:
        if isinstance(step, int):
            now += step
        else:
            bot, what, value = step
            if what == "vote":
                told.ballots.append(Ballot(bot, "", now, 1, ""))
                known[bot].add_votes(1, month_of(now))
            elif what == SOURCE_METRIC:
                told.choices.append(Choice(bot, now, SOURCES[value % 2]))
                known[bot].apply_sent(SOURCE_METRIC, now, value % 2)
            else:
                told.snapshots.append(Snapshot(bot, what, now, value))
                known[bot].apply_sent(what, now, value)
            rankings.put_counters(bot, known[bot])
        rankings.advance(now)
        for metric in VOTED:
            assert {bot: rankings.value(bot, metric) for bot in BOTS} == {
                bot: told.value(bot, metric, now) or 0 for bot in BOTS
            }
            assert {bot: rankings.rank(bot, metric) for bot in BOTS} == told.ranks(metric, now)


@CASES
@given(steps)
def test_time_alone_changes_what_it_should(script: list[int | tuple[str, str, int]]) -> None:
    check(script)


@pytest.mark.long
@LONG_CASES
@given(steps)
def test_time_alone_changes_what_it_should_at_length(script: list[int | tuple[str, str, int]]) -> None:
    check(script)


def test_a_bot_with_many_votes_is_looked_at_again_once() -> None:
    """What is kept to look at again does not grow by each vote, nor is all of it kept for another month."""
    known = Counters()
    rankings = BotRankings(VOTED, {BOTS[0]: known}, NOW_MS, default_value=0)
    for at in range(1000):
        known.add_votes(1, month_of(NOW_MS + at))
        rankings.put_counters(BOTS[0], known)
        rankings.advance(NOW_MS + at)
    assert len(rankings._expiry_queue) == 1
    known.apply_sent("monthly_votes", NOW_MS, 5)
    rankings.put_counters(BOTS[0], known)
    rankings.advance(NOW_MS + 100 * DAY)
    assert rankings._expiry_queue == []
    assert rankings.value(BOTS[0], "monthly_votes") == 5
