"""The places from which users have signed in."""

import sqlalchemy as sa
from alembic import op

revision = "0029_familiar_places"
down_revision = "0028_alert_gaps"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "familiar_places",
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("mark", sa.LargeBinary, nullable=False),
        sa.Column("last_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "mark", name="pk_familiar_places"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_familiar_places_user_id_users", ondelete="CASCADE"),
    )
