"""In PostgreSQL, how far each spool is: the sequence numbers up to which it has acknowledged and stored its events."""

import sqlalchemy as sa
from alembic import op

revision = "0022_spool_positions"
down_revision = "0021_shared_erasures"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    op.add_column("spools", sa.Column("acknowledged", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("spools", sa.Column("stored", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("spools", sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True))
