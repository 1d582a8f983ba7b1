"""An environment can have a display name for users besides the name for programs."""

import sqlalchemy as sa
from alembic import op

revision = "0014_environment_display_name"
down_revision = "0013_alert_formulas"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("environments", sa.Column("display_name", sa.String, nullable=True))
