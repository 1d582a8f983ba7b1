"""Voters: what each user's votes for a bot add up to."""

from sqlalchemy import ForeignKeyConstraint, Index, desc
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class Voter(Model):
    """One user's votes for one bot; the rows of a leaderboard, which its index keeps in their order.

    `weight` counts a vote at a weekend twice; `streak` is in consecutive UTC days up to the last vote.
    """

    __tablename__ = "voters"
    __table_args__ = (
        ForeignKeyConstraint(["workspace_id", "bot_id"], ["bots.workspace_id", "bots.id"], ondelete="CASCADE"),
        Index(
            "ix_voters_leaderboard",
            "workspace_id",
            "bot_id",
            desc("weight"),
            desc("votes"),
            "last_vote_ms",
            "user_id",
        ),
    )

    workspace_id: Mapped[str] = mapped_column(primary_key=True)
    bot_id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(primary_key=True)
    votes: Mapped[int]
    weight: Mapped[int]
    streak: Mapped[int]
    last_vote_ms: Mapped[int]
    last_vote_id: Mapped[str]
    listing_id: Mapped[str | None]
    username: Mapped[str | None]
    avatar: Mapped[str | None]
