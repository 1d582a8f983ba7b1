"""Since which beat an alert has kept its status because the event store was behind; null while it is evaluated."""

import sqlalchemy as sa
from alembic import op

revision = "0033_alert_delays"
down_revision = "0032_property_read_totals"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("alerts", sa.Column("delayed_since_ms", sa.BigInteger, nullable=True))
