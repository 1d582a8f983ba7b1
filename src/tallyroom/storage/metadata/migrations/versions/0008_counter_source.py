"""Each bot chooses whether its counters of votes come from posted counters or from received votes."""

import sqlalchemy as sa
from alembic import op

revision = "0008_counter_source"
down_revision = "0007_sign_in_links"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("bots", sa.Column("counter_source", sa.BigInteger, nullable=True))
    op.add_column("bots", sa.Column("counter_source_ms", sa.BigInteger, nullable=True))
