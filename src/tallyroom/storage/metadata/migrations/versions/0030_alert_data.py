"""When an alert last saw an event, which is null until it has seen one; and which alert a message is about."""

import sqlalchemy as sa
from alembic import op

revision = "0030_alert_data"
down_revision = "0029_familiar_places"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("alerts", sa.Column("last_data_at_ms", sa.BigInteger, nullable=True))
    op.add_column("deliveries", sa.Column("alert_id", sa.String, nullable=True))
    op.create_index("ix_deliveries_alert_id", "deliveries", ["alert_id"])
