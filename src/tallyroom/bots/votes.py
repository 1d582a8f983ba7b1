"""Decides which votes count, and tallies the votes of each voter (rules/statistics#votes)."""

from collections.abc import Iterable

import msgspec

from tallyroom.core.times import DAY_MS, HOUR_MS

MIN_VOTE_INTERVAL_MS = 12 * HOUR_MS - 60_000
"""The least time between two counted votes of a user for a bot: twelve hours, less a minute of clock skew."""

_SATURDAY, _SUNDAY = 2, 3  # of days since 1970-01-01, a Thursday


class Vote(msgspec.Struct, frozen=True):
    """A vote as it arrived, cast at `time_ms`; its `weight` is usually 2 on weekends and 1 otherwise.

    `vote_id` is the sender's ID of the vote, "" if there is none; a vote with an ID repeats only votes with the same
    ID. `profile` may have `username`, `avatar` and `listing_id` of the user.
    """

    bot_id: str
    user_id: str
    time_ms: int
    weight: int
    vote_id: str = ""
    profile: dict[str, str] = {}


class CountedVote(msgspec.Struct, frozen=True, order=True):
    """A vote that counted: when it was cast, and its id."""

    time_ms: int
    vote_id: str


class VoterTally(msgspec.Struct):
    """The sum of one user's votes for one bot; `streak` counts the consecutive UTC days up to the last vote."""

    votes: int = 0
    weight: int = 0
    streak: int = 0
    last_vote_ms: int = 0
    last_vote_id: str = ""
    listing_id: str | None = None
    username: str | None = None
    avatar: str | None = None

    def needs_history(self, vote: Vote) -> bool:
        """Return True if `vote` was cast before the last one, or has an ID that an earlier vote may have."""
        if vote.vote_id and self.votes > 1 and vote.vote_id != self.last_vote_id:
            return True
        return self.votes > 0 and vote.time_ms < self.last_vote_ms

    def count_vote(self, vote: Vote, history: "VoteHistory | None" = None) -> bool:
        """Count a vote, also in its `history` if it `needs_history`; return False if it repeats a counted vote."""
        is_repeat = self._repeats_last(vote) if history is None else history.repeats(vote)
        if is_repeat:
            return False
        for name, value in vote.profile.items():
            setattr(self, name, value)
        self.votes += 1
        self.weight += vote.weight
        if history is not None:
            history.add_vote(vote)
        if vote.time_ms >= self.last_vote_ms:
            self._update_streak(vote)
        if history is not None:
            self.streak = history.count_streak_days()
        return True

    def _repeats_last(self, vote: Vote) -> bool:
        if not self.votes:
            return False
        if vote.vote_id:
            return vote.vote_id == self.last_vote_id
        return vote.time_ms - self.last_vote_ms < MIN_VOTE_INTERVAL_MS

    def _update_streak(self, vote: Vote) -> None:
        day_distance = vote.time_ms // DAY_MS - self.last_vote_ms // DAY_MS
        if day_distance > 1 or self.votes == 1:
            self.streak = 1
        else:
            self.streak += day_distance
        self.last_vote_ms, self.last_vote_id = vote.time_ms, vote.vote_id


class VoteHistory:
    """All counted votes of one user for one bot."""

    def __init__(self, counted_votes: Iterable[CountedVote]) -> None:
        self._counted_votes = set(counted_votes)

    def repeats(self, vote: Vote) -> bool:
        """Return True if a vote repeats one of these: by its id or, without one, by its distance in time."""
        if vote.vote_id:
            return any(counted_vote.vote_id == vote.vote_id for counted_vote in self._counted_votes)
        return any(
            abs(counted_vote.time_ms - vote.time_ms) < MIN_VOTE_INTERVAL_MS for counted_vote in self._counted_votes
        )

    def add_vote(self, vote: Vote) -> None:
        """Add a counted vote."""
        self._counted_votes.add(CountedVote(vote.time_ms, vote.vote_id))

    def count_streak_days(self) -> int:
        """Return the number of consecutive UTC days with a vote, up to the last one."""
        days = {counted_vote.time_ms // DAY_MS for counted_vote in self._counted_votes}
        day = last_day = max(days)
        while day - 1 in days:
            day -= 1
        return last_day - day + 1


def default_weight(time_ms: int) -> int:
    """Return the default weight of a vote: 2 on Saturdays and Sundays in UTC, otherwise 1."""
    return 2 if time_ms // DAY_MS % 7 in {_SATURDAY, _SUNDAY} else 1
