"""Listings of bots: profiles with their counters, voters, tokens, and data on its way to the event store."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004_listings"
down_revision = "0003_dashboards"
branch_labels = None
depends_on = None

_HAS_SECRET = sa.text("webhook_secret IS NOT NULL")


def upgrade() -> None:
    _create_listings()
    _create_bots()
    _create_voters()
    _create_feed_outbox()
    _create_stats_tokens()


def _create_listings() -> None:
    op.create_table(
        "listings",
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", name="pk_listings"),
        _of_workspace("listings"),
    )


def _create_bots() -> None:
    op.create_table(
        "bots",
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("id", sa.String, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("late_revision", sa.BigInteger, nullable=False),
        sa.Column("first_seen_ms", sa.BigInteger, nullable=False),
        sa.Column("updated_at_ms", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("listing_id", sa.String, nullable=False),
        sa.Column("certified", sa.Boolean, nullable=False),
        sa.Column("owners", sa.String, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
        sa.Column("def_avatar", sa.String, nullable=False),
        sa.Column("avatar", sa.String, nullable=False),
        sa.Column("short_desc", sa.String, nullable=False),
        sa.Column("lib", sa.String, nullable=False),
        sa.Column("prefix", sa.String, nullable=False),
        sa.Column("website", sa.String, nullable=False),
        sa.Column("approved_at_ms", sa.BigInteger, nullable=True),
        sa.Column("tags", sa.String, nullable=False),
        sa.Column("unlisted", sa.Boolean, nullable=False),
        sa.Column("unlisted_reason", sa.String, nullable=True),
        *_counter("server_count"),
        *_counter("shard_count"),
        *_counter("monthly_votes"),
        *_counter("total_votes"),
        *_counter("review_count"),
        *_counter("avg_review_rating", sa.Double),
        sa.Column("shards", sa.String, nullable=True),
        sa.Column("votes", sa.BigInteger, nullable=False),
        sa.Column("month_votes", sa.BigInteger, nullable=False),
        sa.Column("month", sa.BigInteger, nullable=False),
        sa.Column("voters", sa.BigInteger, nullable=False),
        sa.Column("webhook_secret", sa.String, nullable=True),
        sa.PrimaryKeyConstraint("workspace_id", "id", name="pk_bots"),
        _of_workspace("bots"),
    )
    op.create_index("ix_bots_workspace_id_revision", "bots", ["workspace_id", "revision"])
    op.create_index("ix_bots_id_with_secret", "bots", ["id"], sqlite_where=_HAS_SECRET, postgresql_where=_HAS_SECRET)


def _create_voters() -> None:
    op.create_table(
        "voters",
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("bot_id", sa.String, nullable=False),
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("votes", sa.BigInteger, nullable=False),
        sa.Column("weight", sa.BigInteger, nullable=False),
        sa.Column("streak", sa.BigInteger, nullable=False),
        sa.Column("last_vote_ms", sa.BigInteger, nullable=False),
        sa.Column("last_vote_id", sa.String, nullable=False),
        sa.Column("listing_id", sa.String, nullable=True),
        sa.Column("username", sa.String, nullable=True),
        sa.Column("avatar", sa.String, nullable=True),
        sa.PrimaryKeyConstraint("workspace_id", "bot_id", "user_id", name="pk_voters"),
        sa.ForeignKeyConstraint(
            ["workspace_id", "bot_id"],
            ["bots.workspace_id", "bots.id"],
            name="fk_voters_workspace_id_bot_id_bots",
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "ix_voters_leaderboard",
        "voters",
        ["workspace_id", "bot_id", sa.text("weight DESC"), sa.text("votes DESC"), "last_vote_ms", "user_id"],
    )


def _create_feed_outbox() -> None:
    op.create_table(
        "feed_outbox",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("table_name", sa.String, nullable=False),
        sa.Column("lines", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_feed_outbox"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_feed_outbox_table_name_id", "feed_outbox", ["table_name", "id"])


def _create_stats_tokens() -> None:
    op.create_table(
        "stats_tokens",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("scope", sa.String, nullable=False),
        sa.Column("bot_id", sa.String, nullable=True),
        sa.Column("prefix", sa.String, nullable=False),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("created_by", sa.String, nullable=True),
        sa.Column("last_used_at_ms", sa.BigInteger, nullable=True),
        sa.Column("revoked_at_ms", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_stats_tokens"),
        sa.UniqueConstraint("secret_hash", name="uq_stats_tokens_secret_hash"),
        _of_workspace("stats_tokens"),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name="fk_stats_tokens_created_by_users", ondelete="SET NULL"
        ),
    )
    op.create_index("ix_stats_tokens_workspace_id", "stats_tokens", ["workspace_id"])


def _counter(name: str, kind: type[sa.BigInteger | sa.Double[float]] = sa.BigInteger) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=True), sa.Column(f"{name}_ms", sa.BigInteger, nullable=True)]


def _of_workspace(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id"], ["workspaces.id"], name=f"fk_{table}_workspace_id_workspaces", ondelete="CASCADE"
    )
