"""People: invitations, password resets, the audit log, and when a member joined."""

import sqlalchemy as sa
from alembic import op

revision = "0002_people"
down_revision = "0001_identity"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _note_when_members_joined()
    _create_invites()
    _create_password_resets()
    _create_audit_entries()


def _note_when_members_joined() -> None:
    """Set when each member joined: so far, all were founders and joined when their workspace was created.

    This is not a batch, which copies and drops the table: that would delete all sessions with the memberships.
    """
    op.add_column("memberships", sa.Column("joined_at_ms", sa.BigInteger, nullable=False, server_default="0"))
    op.execute(
        "UPDATE memberships SET joined_at_ms ="
        " (SELECT created_at_ms FROM workspaces WHERE workspaces.id = memberships.workspace_id)"
    )


def _create_invites() -> None:
    op.create_table(
        "invites",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("email", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("created_by", sa.String, nullable=True),
        sa.Column("expires_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_invites"),
        sa.UniqueConstraint("token_hash", name="uq_invites_token_hash"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_invites_workspace_id_workspaces", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["created_by"], ["users.id"], name="fk_invites_created_by_users", ondelete="SET NULL"),
        sa.CheckConstraint("role IN ('viewer', 'developer', 'admin', 'owner')", name="role_known"),
        sa.CheckConstraint("email = lower(email)", name="email_lowercase"),
    )
    op.create_index("ix_invites_workspace_id", "invites", ["workspace_id"])


def _create_password_resets() -> None:
    op.create_table(
        "password_resets",
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_password_resets"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_password_resets_user_id_users", ondelete="CASCADE"),
    )
    op.create_index("ix_password_resets_user_id", "password_resets", ["user_id"])


def _create_audit_entries() -> None:
    op.create_table(
        "audit_entries",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("by_user", sa.String, nullable=True),
        sa.Column("by_email", sa.String, nullable=True),
        sa.Column("action", sa.String, nullable=False),
        sa.Column("subject", sa.String, nullable=False),
        sa.Column("details", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_entries"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_audit_entries_workspace_id_workspaces", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["by_user"], ["users.id"], name="fk_audit_entries_by_user_users", ondelete="SET NULL"),
    )
    op.create_index("ix_audit_entries_workspace_id_at_ms_id", "audit_entries", ["workspace_id", "at_ms", "id"])
