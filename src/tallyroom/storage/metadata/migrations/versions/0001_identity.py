"""Identity: users, workspaces, memberships, environments, API keys and sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0001_identity"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_people()
    _create_api_keys()
    _create_sessions()


def _create_people() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("email", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("password_hash", sa.String, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("email", name="uq_users_email"),
        sa.CheckConstraint("email = lower(email)", name="email_lowercase"),
    )
    op.create_table(
        "workspaces",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("plan", sa.String, nullable=False),
        sa.Column("timezone", sa.String, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_workspaces"),
        sa.CheckConstraint("plan IN ('free', 'paid')", name="plan_known"),
    )
    op.create_table(
        "memberships",
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "workspace_id", name="pk_memberships"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_memberships_user_id_users", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_memberships_workspace_id_workspaces", ondelete="CASCADE"
        ),
        sa.CheckConstraint("role IN ('viewer', 'developer', 'admin', 'owner')", name="role_known"),
    )
    op.create_index("ix_memberships_workspace_id", "memberships", ["workspace_id"])
    op.create_table(
        "environments",
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("retention_days", sa.Integer, nullable=True),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("workspace_id", "name", name="pk_environments"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_environments_workspace_id_workspaces", ondelete="CASCADE"
        ),
    )


def _create_api_keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("environment", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("prefix", sa.String, nullable=False),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("created_by", sa.String, nullable=True),
        sa.Column("last_used_at_ms", sa.BigInteger, nullable=True),
        sa.Column("revoked_at_ms", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
        sa.UniqueConstraint("secret_hash", name="uq_api_keys_secret_hash"),
        sa.ForeignKeyConstraint(
            ["workspace_id", "environment"],
            ["environments.workspace_id", "environments.name"],
            name="fk_api_keys_workspace_id_environment_environments",
        ),
        sa.ForeignKeyConstraint(["created_by"], ["users.id"], name="fk_api_keys_created_by_users", ondelete="SET NULL"),
    )
    op.create_index("ix_api_keys_workspace_id_environment", "api_keys", ["workspace_id", "environment"])


def _create_sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("last_seen_at_ms", sa.BigInteger, nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sessions"),
        sa.ForeignKeyConstraint(
            ["user_id", "workspace_id"],
            ["memberships.user_id", "memberships.workspace_id"],
            name="fk_sessions_user_id_workspace_id_memberships",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_sessions_user_id_workspace_id", "sessions", ["user_id", "workspace_id"])
