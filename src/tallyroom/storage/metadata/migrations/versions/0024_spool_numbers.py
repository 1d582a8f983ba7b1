"""In PostgreSQL, the counts of each spool as last reported by its worker: JSON of `SpoolCounts`."""

import sqlalchemy as sa
from alembic import op

revision = "0024_spool_numbers"
down_revision = "0023_mail_outbox"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.add_column("spools", sa.Column("numbers", sa.String, nullable=False, server_default=""))
