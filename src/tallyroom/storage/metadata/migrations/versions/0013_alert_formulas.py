"""An alert can watch a formula instead of an event."""

import sqlalchemy as sa
from alembic import op

revision = "0013_alert_formulas"
down_revision = "0012_dashboard_filters"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # SQLite alters alerts by copying them; dropping the old table would delete the rows that reference it.
    op.execute("CREATE TEMPORARY TABLE kept_recipients AS SELECT * FROM alert_recipients")
    op.execute("CREATE TEMPORARY TABLE kept_incidents AS SELECT * FROM incidents")
    op.execute("DELETE FROM alert_recipients")
    op.execute("DELETE FROM incidents")
    with op.batch_alter_table("alerts") as alerts:
        alerts.add_column(sa.Column("formula", sa.String, nullable=True))
        alerts.alter_column("event", existing_type=sa.String, nullable=True)
        alerts.alter_column("measure", existing_type=sa.String, nullable=True)
    op.execute("INSERT INTO alert_recipients SELECT * FROM kept_recipients")
    op.execute("INSERT INTO incidents SELECT * FROM kept_incidents")
    op.execute("DROP TABLE kept_recipients")
    op.execute("DROP TABLE kept_incidents")
