"""The rows of a table are public only if its widget allows it; rows that are public now stay so."""

import sqlalchemy as sa
from alembic import op

revision = "0027_publish_rows"
down_revision = "0026_whole_counts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("widgets", sa.Column("publish_rows", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute(
        "UPDATE widgets SET publish_rows = true WHERE type = 'table' "
        "AND dashboard_id IN (SELECT id FROM dashboards WHERE is_public)"
    )
