"""Which votes count, and what a voter's votes add up to (rules/statistics#votes)."""

from collections.abc import Iterable

import msgspec

from tallyroom.core.times import DAY_MS, HOUR_MS

APART_MS = 12 * HOUR_MS - 60_000
"""One vote of a user for a bot counts in this time: a vote each twelve hours, and clocks may differ by a minute."""

_SATURDAY, _SUNDAY = 2, 3  # of days since 1970-01-01, a Thursday


class Vote(msgspec.Struct, frozen=True):
    """A vote as it arrived.

    Attributes:
        time_ms: when it was cast.
        weight: 2 at a weekend, else 1.
        vote_id: the sender's id of it, "" when it has none. With one, only that id makes a vote a repetition.
        profile: what else is told of the user: `username`, `avatar`, `listing_id`.
    """

    bot_id: str
    user_id: str
    time_ms: int
    weight: int
    vote_id: str = ""
    profile: dict[str, str] = {}


class Cast(msgspec.Struct, frozen=True, order=True):
    """A vote that counted: when it was cast, and its id."""

    time_ms: int
    vote_id: str


class Tally(msgspec.Struct):
    """What one user's votes for one bot add up to; `streak` is in consecutive UTC days up to the last vote.

    `last_vote_id` is "" for a last vote without an id.
    """

    votes: int = 0
    weight: int = 0
    streak: int = 0
    last_vote_ms: int = 0
    last_vote_id: str = ""
    listing_id: str | None = None
    username: str | None = None
    avatar: str | None = None

    def needs_history(self, vote: Vote) -> bool:
        """Whether all votes that counted decide about `vote`, and not the last alone.

        They do when it was cast before the last one, or has an id that others than the last may have.
        """
        if vote.vote_id and self.votes > 1 and vote.vote_id != self.last_vote_id:
            return True
        return self.votes > 0 and vote.time_ms < self.last_vote_ms

    def take(self, vote: Vote, history: "VoteHistory | None" = None) -> bool:
        """Count a vote; False, and nothing changed, when it repeats one that counted.

        Args:
            vote: the vote.
            history: all votes that count so far, which `needs_history` asks for; kept up to date here.
        """
        repeats = self._repeats_last(vote) if history is None else history.repeats(vote)
        if repeats:
            return False
        for name, value in vote.profile.items():
            setattr(self, name, value)
        self.votes += 1
        self.weight += vote.weight
        if history is not None:
            history.add(vote)
        if vote.time_ms >= self.last_vote_ms:
            self._follow(vote)
        if history is not None:
            self.streak = history.streak()
        return True

    def _repeats_last(self, vote: Vote) -> bool:
        if not self.votes:
            return False
        if vote.vote_id:
            return vote.vote_id == self.last_vote_id
        return vote.time_ms - self.last_vote_ms < APART_MS

    def _follow(self, vote: Vote) -> None:
        days = vote.time_ms // DAY_MS - self.last_vote_ms // DAY_MS
        if days > 1 or self.votes == 1:
            self.streak = 1
        else:
            self.streak += days
        self.last_vote_ms, self.last_vote_id = vote.time_ms, vote.vote_id


class VoteHistory:
    """All votes of one user for one bot that count."""

    def __init__(self, casts: Iterable[Cast]) -> None:
        self._casts = set(casts)

    def repeats(self, vote: Vote) -> bool:
        """Whether a vote repeats one of them: the same id, or without one, less than `APART_MS` before or after."""
        if vote.vote_id:
            return any(cast.vote_id == vote.vote_id for cast in self._casts)
        return any(abs(cast.time_ms - vote.time_ms) < APART_MS for cast in self._casts)

    def add(self, vote: Vote) -> None:
        """Take a vote that counts."""
        self._casts.add(Cast(vote.time_ms, vote.vote_id))

    def streak(self) -> int:
        """Consecutive UTC days with a vote, up to the last one."""
        days = {cast.time_ms // DAY_MS for cast in self._casts}
        day = last = max(days)
        while day - 1 in days:
            day -= 1
        return last - day + 1


def weight_at(time_ms: int) -> int:
    """The weight of a vote whose sender does not tell: 2 on Saturdays and Sundays in UTC."""
    return 2 if time_ms // DAY_MS % 7 in {_SATURDAY, _SUNDAY} else 1
