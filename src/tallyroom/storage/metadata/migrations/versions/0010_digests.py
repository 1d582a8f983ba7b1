"""Digests with their recipients, and the mails of each due time."""

import sqlalchemy as sa
from alembic import op

revision = "0010_digests"
down_revision = "0009_scheduler_and_alerts"
branch_labels = None
depends_on = None

_IS_WAITING = sa.text("next_attempt_ms IS NOT NULL")


def upgrade() -> None:
    _create_digests()
    _create_digest_recipients()
    _create_digest_sendings()
    _create_digest_letters()


def _create_digests() -> None:
    op.create_table(
        "digests",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("dashboard_id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=True),
        sa.Column("cadence", sa.String, nullable=False),
        sa.Column("send_hour", sa.BigInteger, nullable=False),
        sa.Column("weekday", sa.BigInteger, nullable=True),
        sa.Column("day_of_month", sa.BigInteger, nullable=True),
        sa.Column("timezone", sa.String, nullable=False),
        sa.Column("enabled", sa.Boolean, nullable=False),
        sa.Column("token_secret", sa.String, nullable=False),
        sa.Column("last_sent_ms", sa.BigInteger, nullable=True),
        sa.Column("next_due_ms", sa.BigInteger, nullable=True),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("updated_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_digests"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_digests_workspace_id_workspaces", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["dashboard_id"], ["dashboards.id"], name="fk_digests_dashboard_id_dashboards", ondelete="CASCADE"
        ),
    )
    for column in ("workspace_id", "dashboard_id", "next_due_ms"):
        op.create_index(f"ix_digests_{column}", "digests", [column])


def _create_digest_recipients() -> None:
    op.create_table(
        "digest_recipients",
        sa.Column("digest_id", sa.String, nullable=False),
        sa.Column("recipient", sa.String, nullable=False),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("unsubscribed_ms", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("digest_id", "recipient", name="pk_digest_recipients"),
        sa.ForeignKeyConstraint(
            ["digest_id"], ["digests.id"], name="fk_digest_recipients_digest_id_digests", ondelete="CASCADE"
        ),
    )


def _create_digest_sendings() -> None:
    op.create_table(
        "digest_sendings",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("digest_id", sa.String, nullable=False),
        sa.Column("due_ms", sa.BigInteger, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_digest_sendings"),
        sa.ForeignKeyConstraint(
            ["digest_id"], ["digests.id"], name="fk_digest_sendings_digest_id_digests", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("digest_id", "due_ms", name="uq_digest_sendings_digest_id_due_ms"),
    )


def _create_digest_letters() -> None:
    op.create_table(
        "digest_letters",
        sa.Column("sending_id", sa.String, nullable=False),
        sa.Column("recipient", sa.String, nullable=False),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("attempts", sa.BigInteger, nullable=False),
        sa.Column("error", sa.String, nullable=True),
        sa.Column("next_attempt_ms", sa.BigInteger, nullable=True),
        sa.Column("sent_at_ms", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("sending_id", "recipient", name="pk_digest_letters"),
        sa.ForeignKeyConstraint(
            ["sending_id"],
            ["digest_sendings.id"],
            name="fk_digest_letters_sending_id_digest_sendings",
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "ix_digest_letters_waiting",
        "digest_letters",
        ["next_attempt_ms"],
        sqlite_where=_IS_WAITING,
        postgresql_where=_IS_WAITING,
    )
