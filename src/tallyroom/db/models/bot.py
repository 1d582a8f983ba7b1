"""Bots of a listing: their profile, and their counters as they stand."""

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model

_HAS_SECRET = text("webhook_secret IS NOT NULL")


class Bot(Model):
    """One listed bot.

    `owners` and `tags` are JSON lists; `shards` is a JSON object with the servers of each shard, while a bot posts them
    one by one. A counter is None until it was sent; its ``_ms`` is the time that it is of. `counter_source` is None
    until somebody chose what counts votes: 0 for posted counters, 1 for the votes that were received.

    `revision` is the listing's at the last change of this row, `late_revision` at the last that concerns more than the
    present. `votes` and `month_votes` count what was received, the latter in `month` (months since year 0), and
    `voters` counts from whom.
    """

    __tablename__ = "bots"
    __table_args__ = (
        Index(None, "workspace_id", "revision"),
        Index("ix_bots_id_with_secret", "id", sqlite_where=_HAS_SECRET, postgresql_where=_HAS_SECRET),
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
