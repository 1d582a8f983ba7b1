"""Erasures that several workers on PostgreSQL share; a single process leaves the tables empty.

Also records which worker keeps the events of an unused spool.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021_shared_erasures"
down_revision = "0020_removals"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "shared_erasures",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("environment", sa.String, nullable=False),
        sa.Column("actor", sa.String, nullable=True),
        sa.Column("erased", sa.BigInteger, nullable=False),
        sa.Column("asked_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_shared_erasures"),
    )
    op.create_table(
        "erasure_parts",
        sa.Column("erasure_id", sa.String, nullable=False),
        sa.Column("spool", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("erasure_id", "spool", name="pk_erasure_parts"),
    )
    op.create_index("ix_erasure_parts_spool", "erasure_parts", ["spool"])
    if op.get_bind().dialect.name == "postgresql":
        op.add_column("spools", sa.Column("kept_by", sa.BigInteger, nullable=True))
