"""When an alert last saw an event, which is null until it has seen one."""

import sqlalchemy as sa
from alembic import op

revision = "0030_alert_data"
down_revision = "0029_familiar_places"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("alerts", sa.Column("last_data_at_ms", sa.BigInteger, nullable=True))
