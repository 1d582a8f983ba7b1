"""Idempotency keys that several workers on PostgreSQL share; a single process leaves the table empty."""

import sqlalchemy as sa
from alembic import op

revision = "0016_idempotency_keys"
down_revision = "0015_change_numbers"
branch_labels = None
depends_on = None

_IS_OPEN = sa.text("accepted IS NULL")


def upgrade() -> None:
    op.create_table(
        "idempotency_keys",
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("environment", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("fingerprint", sa.String, nullable=False),
        sa.Column("spool", sa.BigInteger, nullable=False),
        sa.Column("accepted", sa.BigInteger, nullable=True),
        sa.Column("received_ms", sa.BigInteger, nullable=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "environment", "key", name="pk_idempotency_keys"),
    )
    op.create_index("ix_idempotency_keys_at_ms", "idempotency_keys", ["at_ms"])
    op.create_index(
        "ix_idempotency_keys_open", "idempotency_keys", ["spool"], sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN
    )
