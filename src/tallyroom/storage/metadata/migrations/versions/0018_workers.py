"""In PostgreSQL, the workers that serve the installation: each holds a lease and records which changes it has seen.

A SQLite database has one worker, which has it open.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018_workers"
down_revision = "0017_event_grants"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    op.create_table(
        "workers",
        sa.Column("spool", sa.BigInteger, nullable=False),
        sa.Column("id", sa.String, nullable=False),
        sa.Column("host", sa.String, nullable=False),
        sa.Column("settings", sa.String, nullable=False),
        sa.Column("seen_access", sa.BigInteger, nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("spool", name="pk_workers"),
    )
