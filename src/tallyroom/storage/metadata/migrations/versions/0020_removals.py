"""In PostgreSQL, workers learn of each other's removals of events, which only the event store has."""

import sqlalchemy as sa
from alembic import op

revision = "0020_removals"
down_revision = "0019_spools"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    op.execute("INSERT INTO change_numbers VALUES ('removals', 0)")
    op.add_column("workers", sa.Column("seen_removals", sa.BigInteger, nullable=False, server_default="0"))
