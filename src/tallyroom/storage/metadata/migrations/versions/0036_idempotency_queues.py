"""Queues of idempotency keys that several workers on PostgreSQL share; a single process leaves the table empty.

Only keys with a position in their queue are remembered for longer than a day.
"""

import sqlalchemy as sa
from alembic import op

revision = "0036_idempotency_queues"
down_revision = "0035_key_kinds"
branch_labels = None
depends_on = None

_HAS_NO_POSITION = sa.text("queue_position IS NULL")
_HAS_POSITION = sa.text("queue_position IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "idempotency_queues",
        sa.Column("api_key_id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("last_position", sa.BigInteger, nullable=False),
        sa.Column("used_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("api_key_id", "name", name="pk_idempotency_queues"),
    )
    op.create_index("ix_idempotency_queues_used_ms", "idempotency_queues", ["used_ms"])
    op.create_index("ix_idempotency_queues_api_key_id", "idempotency_queues", ["api_key_id", "used_ms"])
    op.add_column("idempotency_keys", sa.Column("api_key_id", sa.String, nullable=True))
    op.add_column("idempotency_keys", sa.Column("queue", sa.String, nullable=True))
    op.add_column("idempotency_keys", sa.Column("queue_position", sa.BigInteger, nullable=True))
    op.drop_index("ix_idempotency_keys_at_ms", "idempotency_keys")
    op.create_index(
        "ix_idempotency_keys_single",
        "idempotency_keys",
        ["at_ms"],
        sqlite_where=_HAS_NO_POSITION,
        postgresql_where=_HAS_NO_POSITION,
    )
    op.create_index(
        "ix_idempotency_keys_queue",
        "idempotency_keys",
        ["api_key_id", "queue", "queue_position"],
        sqlite_where=_HAS_POSITION,
        postgresql_where=_HAS_POSITION,
    )
