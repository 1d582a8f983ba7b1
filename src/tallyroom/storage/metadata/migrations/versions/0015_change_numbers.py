"""In PostgreSQL, the database itself counts changes, and the outbox has room for more than two billion entries.

SQLite knows whether anything has changed, and its integers have 64 bits; nothing changes there.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015_change_numbers"
down_revision = "0014_environment_display_name"
branch_labels = None
depends_on = None

_COUNT = """
CREATE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    counted bigint;
BEGIN
    UPDATE change_numbers SET number = number + 1 WHERE kind = TG_ARGV[0] RETURNING number INTO counted;
    PERFORM pg_notify('change_numbers', TG_ARGV[0] || ' ' || counted);
    RETURN NULL;
END
$$
"""

# The kind of change of each table, and the columns that count; the last use of a key is not a change.
_COUNTED = {
    "workspaces": ("access", "id, name, plan, timezone, created_at_ms"),
    "environments": ("access", "workspace_id, name, retention_days, created_at_ms, display_name"),
    "memberships": ("access", "user_id, workspace_id, role, joined_at_ms"),
    "api_keys": (
        "access",
        "id, workspace_id, environment, name, prefix, secret_hash, created_at_ms, created_by, revoked_at_ms",
    ),
    "stats_tokens": (
        "access",
        "id, workspace_id, name, scope, bot_id, prefix, secret_hash, created_at_ms, created_by, revoked_at_ms",
    ),
    "personal_tokens": (
        "access",
        (
            "id, workspace_id, created_by, name, scopes, environment, prefix, secret_hash, created_at_ms, expires_at_ms"
            ", revoked_at_ms"
        ),
    ),
    "listings": ("listing", "workspace_id, revision, is_public, slug"),
}


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    op.alter_column("feed_outbox", "id", type_=sa.BigInteger, existing_type=sa.Integer, existing_nullable=False)
    op.execute("ALTER SEQUENCE feed_outbox_id_seq AS bigint")
    op.create_table(
        "change_numbers",
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("kind", name="pk_change_numbers"),
    )
    op.execute("INSERT INTO change_numbers VALUES ('access', 0), ('listing', 0)")
    op.execute(_COUNT)
    # A directory reads again what the event store did not have yet, once it has left the outbox.
    op.execute(
        "CREATE TRIGGER count_change AFTER DELETE ON feed_outbox "
        "FOR EACH STATEMENT EXECUTE FUNCTION count_change('listing')"
    )
    for table, (kind, columns) in _COUNTED.items():
        events = f"INSERT OR DELETE OR TRUNCATE OR UPDATE OF {columns}"
        op.execute(
            f"CREATE TRIGGER count_change AFTER {events} ON {table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION count_change('{kind}')"
        )
