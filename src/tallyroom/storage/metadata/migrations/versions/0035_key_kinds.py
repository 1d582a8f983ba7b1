"""What an API key may do; the keys so far may read, and so may keys that an earlier version creates."""

import sqlalchemy as sa
from alembic import op

revision = "0035_key_kinds"
down_revision = "0034_waiting_events"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("api_keys", sa.Column("kind", sa.String, server_default="secret", nullable=False))
