"""Which votes count and what they add up to, for votes in any order (rules/statistics#votes)."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.builders.events import CASES, LONG_CASES
from harness.oracles.listing_history import DAY, HOUR, MINUTE, ToldListing
from harness.stores.event_store import NOW_MS
from tallyroom.bots.votes import CountedVote, Vote, VoteHistory, VoterTally, default_weight

BOT, USER = "583807014896140293", "205680187394752512"
NEAR = 12 * HOUR - MINUTE

moments = st.one_of(
    st.integers(0, 4 * DAY),
    st.integers(0, 12).map(lambda halves: halves * 12 * HOUR),
    st.integers(0, 9).map(lambda times: times * NEAR),
    st.integers(1, 9).map(lambda times: times * NEAR - 1),
    st.integers(0, 40).map(lambda days: days * DAY),
    st.integers(1, 40).map(lambda days: days * DAY - 1),
).map(lambda ago: NOW_MS - ago)
votes = st.builds(
    Vote, st.just(BOT), st.just(USER), moments, st.sampled_from([1, 2]), st.sampled_from(["", "", "a", "b"])
)
feeds = st.lists(votes, max_size=14)


def check(feed: list[Vote]) -> None:
    """As the feed does: by the last vote alone where that decides, by all of them where not."""
    told, tally = ToldListing(), VoterTally()
    for vote in feed:
        casts = [CountedVote(each.at, each.id) for each in told.ballots]
        history = VoteHistory(casts) if tally.needs_history(vote) else None
        assert tally.count_vote(vote, history) == told.vote(BOT, USER, vote.time_ms, vote.weight, vote.vote_id)
        if not told.ballots:
            continue
        ((_, number, weight, streak, last),) = told.leaderboard(BOT)
        assert (tally.votes, tally.weight, tally.streak, tally.last_vote_ms) == (number, weight, streak, last)


@CASES
@given(feeds)
def test_votes_count_as_the_words_say(feed: list[Vote]) -> None:
    check(feed)


@pytest.mark.long
@LONG_CASES
@given(feeds)
def test_votes_count_as_the_words_say_at_length(feed: list[Vote]) -> None:
    check(feed)


@pytest.mark.parametrize(
    ("moment", "weight"),
    [("2026-11-20T23:59:59.999", 1), ("2026-11-21T00:00", 2), ("2026-11-22T23:59:59.999", 2), ("2026-11-23T00:00", 1)],
)
def test_a_weekend_is_saturday_and_sunday_in_utc(moment: str, weight: int) -> None:
    at = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    assert default_weight(round(at.timestamp() * 1000)) == weight
