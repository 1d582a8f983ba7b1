"""In PostgreSQL, which events of each spool are not stored yet, by lane and month; null if its worker is older."""

import sqlalchemy as sa
from alembic import op

revision = "0034_waiting_events"
down_revision = "0033_alert_delays"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.add_column("spools", sa.Column("waiting", sa.Text, nullable=True))
