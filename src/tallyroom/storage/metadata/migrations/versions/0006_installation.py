"""Which installation the metadata belongs to, and which losses the operator accepted."""

import sqlalchemy as sa
from alembic import op

revision = "0006_installation"
down_revision = "0005_public_listings"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "installation",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("begun", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_installation"),
    )
    op.create_table(
        "losses",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("what", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_losses"),
    )
