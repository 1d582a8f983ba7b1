"""What the routes of bots answer (rules/statistics#history, rules/statistics#leaderboard)."""

import msgspec

from tallyroom.bots.statistics_api.context import HistoricalPoint


class History(msgspec.Struct):
    """The points of one metric, newest first."""

    data: list[HistoricalPoint]


class RecentEntry(msgspec.Struct):
    """The metrics at the end of an hour or a day, or now, and their changes since the previous entry."""

    time: str
    monthly_votes: int
    total_votes: int
    server_count: int
    review_count: int
    monthly_votes_change: int
    monthly_votes_change_perc: float
    total_votes_change: int
    server_count_change: int
    review_count_change: int


class Recent(msgspec.Struct):
    """The last 30 hours and the last 30 days, newest first."""

    hourlyData: list[RecentEntry]  # noqa: N815 # the published clients' name
    dailyData: list[RecentEntry]  # noqa: N815 # as above


class User(msgspec.Struct):
    """A voter. Until a vote brings a name and an avatar, the name is the ID and the avatar is empty."""

    listingId: str  # noqa: N815 # the published clients' name
    chatId: str  # noqa: N815 # as above
    username: str
    avatar: str


class LeaderboardEntry(msgspec.Struct):
    """The totals of a user's votes for a bot; `streakCount` is in consecutive UTC days up to the last vote."""

    position: str
    connectionId: str  # noqa: N815 # the published clients' name
    userId: str  # noqa: N815 # as above
    voteCount: int  # noqa: N815 # as above
    totalVotesByWeight: int  # noqa: N815 # as above
    streakCount: int  # noqa: N815 # as above
    lastVote: str  # noqa: N815 # as above
    user: User


class LeaderboardPage(msgspec.Struct):
    """The total number of voters, and a page of them."""

    total: int
    leaderboard: list[LeaderboardEntry]


class Leaderboard(msgspec.Struct):
    """A page of a leaderboard; `code` is the status."""

    code: int
    data: LeaderboardPage


class LeaderboardPlace(msgspec.Struct):
    """One user's entry; `total` is the number of voters, as text."""

    code: int
    total: str
    data: LeaderboardEntry
