"""Filters of a whole dashboard, and widgets that ignore them."""

import sqlalchemy as sa
from alembic import op

revision = "0012_dashboard_filters"
down_revision = "0011_personal_tokens"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("dashboards", sa.Column("filters", sa.String, nullable=False, server_default="[]"))
    op.add_column(
        "widgets", sa.Column("ignores_dashboard_filters", sa.Boolean, nullable=False, server_default=sa.false())
    )
