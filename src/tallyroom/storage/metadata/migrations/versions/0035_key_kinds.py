"""What an API key may do; the keys so far may read, and so may keys that an earlier version creates."""

import sqlalchemy as sa
from alembic import op

revision = "0035_key_kinds"
down_revision = "0034_waiting_events"
branch_labels = None
depends_on = None

_COUNTED_COLUMNS = (
    "id, workspace_id, environment, name, kind, prefix, secret_hash, created_at_ms, created_by, revoked_at_ms"
)


def upgrade() -> None:
    op.add_column("api_keys", sa.Column("kind", sa.String, server_default="secret", nullable=False))
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER count_change ON api_keys")
        op.execute(
            f"CREATE TRIGGER count_change AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF {_COUNTED_COLUMNS} "
            "ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION count_change('access')"
        )
