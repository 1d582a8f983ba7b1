"""In PostgreSQL, the spools of all workers: where each was last used, and in which epoch.

A SQLite database has one spool, which is next to it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019_spools"
down_revision = "0018_workers"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    op.create_table(
        "spools",
        sa.Column("identity", sa.BigInteger, nullable=False),
        sa.Column("host", sa.String, nullable=False),
        sa.Column("path", sa.String, nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("begun", sa.BigInteger, nullable=True),
        sa.Column("state", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("identity", name="pk_spools"),
        sa.CheckConstraint("state IN ('live', 'adopted', 'lost')", name="ck_spools_state"),
    )
