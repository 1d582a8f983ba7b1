"""In PostgreSQL, the data directory to which the workers' data has moved; without a row, it has not."""

import sqlalchemy as sa
from alembic import op

revision = "0025_moved_away"
down_revision = "0024_spool_numbers"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    op.create_table(
        "moved_away",
        sa.Column("host", sa.String, nullable=False),
        sa.Column("path", sa.String, nullable=False),
        sa.Column("spool", sa.BigInteger, nullable=False),
    )
