"""All that was told of a listing, as plain lists, and what it comes to by the rules (rules/statistics#ranks).

Nothing here is clever or quick: every answer looks at everything that was ever told.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
METRICS = ("monthly_votes", "total_votes", "server_count", "review_count")


@dataclass(frozen=True)
class Snapshot:
    """A counter of a bot as it was sent."""

    bot: str
    metric: str
    at: int
    value: int


@dataclass(frozen=True)
class Ballot:
    """A vote that counts."""

    bot: str
    user: str
    at: int
    weight: int
    id: str


@dataclass(frozen=True)
class Choice:
    """What counts the votes of a bot from a moment on: `posted` counters, or the `votes` themselves."""

    bot: str
    at: int
    source: str


@dataclass
class ToldListing:
    """What was told so far, in the order of its arrival."""

    snapshots: list[Snapshot] = field(default_factory=list)
    ballots: list[Ballot] = field(default_factory=list)
    profiles: dict[str, dict[str, Any]] = field(default_factory=dict)
    first_seen: dict[str, int] = field(default_factory=dict)
    choices: list[Choice] = field(default_factory=list)

    def profile(self, bot: str, now: int, **changes: Any) -> None:
        self._see(bot, now)
        if source := changes.pop("counter_source", None):
            self.choices.append(Choice(bot, now, source))
        self.profiles[bot] |= changes

    def post(self, bot: str, at: int, counters: dict[str, int]) -> None:
        self._see(bot, at)
        self.snapshots += [Snapshot(bot, metric, at, value) for metric, value in counters.items()]

    def vote(self, bot: str, user: str, at: int, weight: int, vote_id: str = "") -> bool:
        """Whether it counts: one vote of a user for a bot in 12 h minus 1 min, or of those with an id one each."""
        for known in self.ballots:
            if (known.bot, known.user) != (bot, user):
                continue
            if known.id == vote_id if vote_id else abs(known.at - at) < 12 * HOUR - MINUTE:
                return False
        self._see(bot, at)
        self.ballots.append(Ballot(bot, user, at, weight, vote_id))
        return True

    def value(self, bot: str, metric: str, at: int) -> int | None:
        """A metric as it was at a moment, by all that is known of it today."""
        sent: Snapshot | None = None
        for each in self.snapshots:
            if (each.bot, each.metric) == (bot, metric) and each.at <= at and (sent is None or each.at >= sent.at):
                sent = each
        chosen = [each.source for each in self.choices if each.bot == bot and each.at <= at][-1:]
        votes = [each.at for each in self.ballots if each.bot == bot and each.at <= at]
        if metric in {"monthly_votes", "total_votes"} and (chosen == ["votes"] or (sent is None and votes)):
            return sum(month(each) == month(at) for each in votes) if metric == "monthly_votes" else len(votes)
        return None if sent is None else sent.value

    def source(self, bot: str) -> str:
        """What counts the votes of a bot today."""
        chosen = [each.source for each in self.choices if each.bot == bot]
        posted = any(each.bot == bot and each.metric in {"monthly_votes", "total_votes"} for each in self.snapshots)
        return chosen[-1] if chosen else "posted" if posted else "votes"

    def bots(self, *, listed: bool = True) -> list[str]:
        """All bots, or those that stand in rankings."""
        return [
            bot
            for bot, profile in self.profiles.items()
            if not (listed and (profile.get("deleted") or profile.get("unlisted")))
        ]

    def ranks(self, metric: str, at: int) -> dict[str, int]:
        """The listed bots that were known at a moment, ranked: by the metric, then by their number."""
        there = [bot for bot in self.bots() if self.first_seen[bot] <= at]
        there.sort(key=lambda bot: (-(self.value(bot, metric, at) or 0), int(bot), len(bot)))
        return {bot: rank for rank, bot in enumerate(there, 1)}

    def rank_change(self, bot: str, metric: str, now: int) -> int:
        """How many ranks the bot has climbed in 24 hours."""
        before = self.ranks(metric, now - DAY)
        return before[bot] - self.ranks(metric, now)[bot] if bot in before else 0

    def percentage(self, bot: str, now: int, ago: int) -> float:
        """By how many percent its monthly votes changed."""
        before = self.value(bot, "monthly_votes", now - ago)
        return ((self.value(bot, "monthly_votes", now) or 0) - before) / before * 100 if before else 0

    def series(self, bot: str, metric: str, step: int, buckets: int | None, now: int) -> list[tuple[int, int]]:
        """(where an hour or day begins, the metric at its end or now), newest first, from the first that is known."""
        moments = [each.at for each in self.snapshots if (each.bot, each.metric) == (bot, metric)]
        if metric in {"monthly_votes", "total_votes"}:
            moments += [each.at for each in self.ballots if each.bot == bot]
        if not moments:
            return []
        first, last = min(moments) // step * step, now // step * step
        if buckets is not None:
            first = max(first, last - (buckets - 1) * step)
        starts = range(last, first - 1, -step)
        values = [(start, self.value(bot, metric, min(start + step - 1, now))) for start in starts]
        return [(start, value) for start, value in values if value is not None]

    def leaderboard(self, bot: str) -> list[tuple[str, int, int, int, int]]:
        """(user, votes, weight, streak, last vote) in the order of the leaderboard."""
        of_user: dict[str, list[Ballot]] = {}
        for each in self.ballots:
            if each.bot == bot:
                of_user.setdefault(each.user, []).append(each)
        found = [
            (
                user,
                len(ballots),
                sum(each.weight for each in ballots),
                streak({each.at // DAY for each in ballots}),
                max(each.at for each in ballots),
            )
            for user, ballots in of_user.items()
        ]
        return sorted(found, key=lambda voter: (-voter[2], -voter[1], voter[4], voter[0]))

    def _see(self, bot: str, at: int) -> None:
        self.profiles.setdefault(bot, {})
        self.first_seen[bot] = min(at, self.first_seen.get(bot, at))


def month(at: int) -> tuple[int, int]:
    moment = datetime.fromtimestamp(at // 1000, UTC)
    return moment.year, moment.month


def streak(days: set[int]) -> int:
    """Consecutive days up to the last."""
    length = 1
    while max(days) - length in days:
        length += 1
    return length
