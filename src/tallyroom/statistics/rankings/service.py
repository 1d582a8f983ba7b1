"""The rules of rankings (rules/statistics#rankings)."""

from typing import Literal

import msgspec

from tallyroom.bots.directory import Directory
from tallyroom.statistics.context import StatisticsContext
from tallyroom.statistics.rankings.schemas import RankingEntry, Rankings

SortBy = Literal["monthly_votes_rank", "total_votes_rank", "server_count_rank", "review_count_rank"]
"""The last one is there because published clients ask for it (rules/statistics#clients)."""

SortMethod = Literal["asc", "desc"]


async def page(context: StatisticsContext, limit: int, offset: int, sort_by: SortBy, sort_method: SortMethod) -> bytes:
    """A page of all listed bots in the order of a rank, as JSON of `Rankings`.

    It is made once for as long as nothing in it can have changed: the ranks of a hundred bots take a millisecond.

    Raises:
        Unavailable: the ranks of a day ago cannot be read now.
    """
    workspace_id = context.listing.workspace_id
    directory = await context.directories.of(workspace_id)
    question = ("rankings", workspace_id, limit, offset, sort_by, sort_method, directory.state)
    written = context.answers.get(question)
    if written is None:
        made = _rankings(directory, limit, offset, sort_by, sort_method)
        written = context.answers[question] = msgspec.json.encode(made)
    return written


def _rankings(directory: Directory, limit: int, offset: int, sort_by: SortBy, sort_method: SortMethod) -> Rankings:
    ranking = directory.now.ranking(sort_by.removesuffix("_rank"))
    page = ranking.page(offset, limit, descending=sort_method == "desc")
    return Rankings(len(ranking), [_entry(directory, bot_id) for bot_id in page])


def _entry(directory: Directory, bot_id: str) -> RankingEntry:
    now = directory.now
    return RankingEntry(
        id=bot_id,
        name=directory.search_entries[bot_id].name,
        monthly_votes=now.value(bot_id, "monthly_votes") or 0,
        monthly_votes_rank=directory.rank(bot_id, "monthly_votes"),
        server_count=now.value(bot_id, "server_count") or 0,
        server_count_rank=directory.rank(bot_id, "server_count"),
        total_votes=now.value(bot_id, "total_votes") or 0,
        total_votes_rank=directory.rank(bot_id, "total_votes"),
        review_count=now.value(bot_id, "review_count") or 0,
        monthly_votes_rank_change=directory.rank_change(bot_id, "monthly_votes"),
        server_count_rank_change=directory.rank_change(bot_id, "server_count"),
        total_votes_rank_change=directory.rank_change(bot_id, "total_votes"),
    )
