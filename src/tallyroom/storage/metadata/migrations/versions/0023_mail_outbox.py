"""Mails that wait for the mail server, so that a stop or a crash loses none."""

import sqlalchemy as sa
from alembic import op

revision = "0023_mail_outbox"
down_revision = "0022_spool_positions"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mail_outbox",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("letter", sa.String, nullable=False),
        sa.Column("attempts", sa.BigInteger, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("next_attempt_ms", sa.BigInteger, nullable=False),
        sa.Column("leased_until_ms", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_mail_outbox"),
    )
    op.create_index("ix_mail_outbox_next_attempt_ms", "mail_outbox", ["next_attempt_ms"])
