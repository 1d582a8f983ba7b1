"""The durable queue. Workers move into it what earlier versions left, and still write, in their tables."""

import sqlalchemy as sa
from alembic import op

revision = "0031_work_items"
down_revision = "0030_alert_data"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "work_items",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("type", sa.String, nullable=False),
        sa.Column("lane", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("payload", sa.String, nullable=False),
        sa.Column("attempts", sa.BigInteger, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("due_ms", sa.BigInteger, nullable=False),
        sa.Column("leased_by", sa.String, nullable=True),
        sa.Column("leased_until_ms", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_work_items"),
    )
    op.create_index("ix_work_items_type_lane", "work_items", ["type", "lane"])
    op.create_index("ix_work_items_due_ms", "work_items", ["due_ms"])
