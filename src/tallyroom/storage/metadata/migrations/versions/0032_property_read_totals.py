"""What questions read of properties, by which the event store chooses property columns."""

import sqlalchemy as sa
from alembic import op

revision = "0032_property_read_totals"
down_revision = "0031_work_items"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "property_read_totals",
        sa.Column("map_name", sa.String, nullable=False),
        sa.Column("prop_key", sa.String, nullable=False),
        sa.Column("weight", sa.Double, nullable=False),
        sa.Column("read_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("map_name", "prop_key", name="pk_property_read_totals"),
    )
