"""Links that sign a browser in."""

import sqlalchemy as sa
from alembic import op

revision = "0007_sign_in_links"
down_revision = "0006_installation"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sign_in_links",
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("session_hash", sa.LargeBinary, nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sign_in_links"),
        sa.ForeignKeyConstraint(
            ["session_hash"], ["sessions.token_hash"], name="fk_sign_in_links_session_hash_sessions", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_sign_in_links_session_hash", "sign_in_links", ["session_hash"])
