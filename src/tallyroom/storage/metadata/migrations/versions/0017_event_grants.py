"""Grants of the monthly cap, by which several workers on PostgreSQL count together; a single one leaves it empty."""

import sqlalchemy as sa
from alembic import op

revision = "0017_event_grants"
down_revision = "0016_idempotency_keys"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "event_grants",
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("month", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("spool", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("granted", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "month", "spool", name="pk_event_grants"),
    )
