"""What rankings answer (rules/statistics#rankings)."""

import msgspec


class RankingEntry(msgspec.Struct):
    """A bot with its ranks; a rank change is how many ranks it has climbed in 24 hours."""

    id: str
    name: str
    monthly_votes: int
    monthly_votes_rank: int
    server_count: int
    server_count_rank: int
    total_votes: int
    total_votes_rank: int
    review_count: int
    monthly_votes_rank_change: int
    server_count_rank_change: int
    total_votes_rank_change: int


class Rankings(msgspec.Struct):
    """How many bots are ranked, and a page of them."""

    totalBotCount: int  # noqa: N815 # the published clients' name
    data: list[RankingEntry]
