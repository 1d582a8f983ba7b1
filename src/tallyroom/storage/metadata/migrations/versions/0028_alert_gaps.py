"""An incident stays open while the value of its alert is missing, and records since when."""

import sqlalchemy as sa
from alembic import op

revision = "0028_alert_gaps"
down_revision = "0027_publish_rows"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("incidents", sa.Column("no_data_since_ms", sa.BigInteger, nullable=True))
    op.add_column("incidents", sa.Column("no_data_told", sa.Boolean, nullable=True))
