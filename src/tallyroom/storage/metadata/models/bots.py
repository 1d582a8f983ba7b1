"""Bots, their voters, and fed data on its way into the event store."""

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, Integer, desc
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model, build_partial_index


class Listing(Model):
    """The directory of one workspace; each change of a bot increments `revision`.

    `slug` names it in the URLs of its pictures, and stays when the listing becomes private again.
    """

    __tablename__ = "listings"
    __table_args__ = (CheckConstraint("slug IS NOT NULL OR NOT is_public", name="public_has_slug"),)

    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True)
    revision: Mapped[int]
    is_public: Mapped[bool]
    slug: Mapped[str | None] = mapped_column(unique=True)


class Bot(Model):
    """One listed bot.

    `owners` and `tags` are JSON lists; `shards` is a JSON object with the server count of each shard posted since the
    last count of all servers. `server_count_is_whole` is true once there was such a count. A counter is None until it
    is sent; its ``_ms`` is its time. `counter_source` is None until a user chooses what counts votes: 0 for posted
    counters, 1 for received votes.

    `revision` is the listing's revision at the last change of this row, `late_revision` at the last change that
    concerns the past, too. `votes` and `month_votes` count the received votes, the latter in `month` (months since year
    0), and `voters` counts their senders.
    """

    __tablename__ = "bots"
    __table_args__ = (
        Index(None, "workspace_id", "revision"),
        build_partial_index("ix_bots_id_with_secret", "id", "webhook_secret IS NOT NULL"),
    )

    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    revision: Mapped[int]
    late_revision: Mapped[int]
    first_seen_ms: Mapped[int]
    updated_at_ms: Mapped[int]

    name: Mapped[str]
    listing_id: Mapped[str]
    certified: Mapped[bool]
    owners: Mapped[str]
    deleted: Mapped[bool]
    def_avatar: Mapped[str]
    avatar: Mapped[str]
    short_desc: Mapped[str]
    lib: Mapped[str]
    prefix: Mapped[str]
    website: Mapped[str]
    approved_at_ms: Mapped[int | None]
    tags: Mapped[str]
    unlisted: Mapped[bool]
    unlisted_reason: Mapped[str | None]

    server_count: Mapped[int | None]
    server_count_ms: Mapped[int | None]
    shard_count: Mapped[int | None]
    shard_count_ms: Mapped[int | None]
    monthly_votes: Mapped[int | None]
    monthly_votes_ms: Mapped[int | None]
    total_votes: Mapped[int | None]
    total_votes_ms: Mapped[int | None]
    review_count: Mapped[int | None]
    review_count_ms: Mapped[int | None]
    avg_review_rating: Mapped[float | None]
    avg_review_rating_ms: Mapped[int | None]
    shards: Mapped[str | None]

    votes: Mapped[int]
    month_votes: Mapped[int]
    month: Mapped[int]
    voters: Mapped[int]

    webhook_secret: Mapped[str | None]

    counter_source: Mapped[int | None]
    counter_source_ms: Mapped[int | None]

    server_count_is_whole: Mapped[bool | None]
    shards_ms: Mapped[str | None]


class Voter(Model):
    """One user's votes for one bot: the rows of a leaderboard, which an index keeps in its order.

    `weight` counts a vote at a weekend twice; `streak` is in consecutive UTC days up to the last vote.
    """

    __tablename__ = "voters"
    __table_args__ = (
        ForeignKeyConstraint(["workspace_id", "bot_id"], ["bots.workspace_id", "bots.id"], ondelete="CASCADE"),
        Index(
            "ix_voters_leaderboard", "workspace_id", "bot_id", desc("weight"), desc("votes"), "last_vote_ms", "user_id"
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


class FeedOutbox(Model):
    """Lines for one table of the event store, from their transaction until the store has them."""

    __tablename__ = "feed_outbox"
    __table_args__ = (Index(None, "table_name", "id"), {"sqlite_autoincrement": True})

    # SQLite's AUTOINCREMENT allows only INTEGER, which has 64 bits there.
    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer(), "sqlite"), primary_key=True)
    table_name: Mapped[str]
    lines: Mapped[bytes]
