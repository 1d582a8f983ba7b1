"""Personal access tokens, the keys of annotations, and the environments of alert activity."""

import sqlalchemy as sa
from alembic import op

revision = "0011_personal_tokens"
down_revision = "0010_digests"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_personal_tokens()
    op.create_index("ix_personal_tokens_created_by_workspace_id", "personal_tokens", ["created_by", "workspace_id"])
    op.create_index("ix_personal_tokens_workspace_id_environment", "personal_tokens", ["workspace_id", "environment"])
    op.add_column("annotations", sa.Column("key", sa.String, nullable=True))
    op.create_index("uq_annotations_key", "annotations", ["workspace_id", "environment", "key"], unique=True)
    op.add_column("alert_activity", sa.Column("environment", sa.String, nullable=True))
    op.execute(
        "UPDATE alert_activity SET environment ="
        " (SELECT environment FROM alerts WHERE alerts.id = alert_activity.alert_id)"
    )


def _create_personal_tokens() -> None:
    op.create_table(
        "personal_tokens",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("created_by", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("scopes", sa.String, nullable=False),
        sa.Column("environment", sa.String, nullable=True),
        sa.Column("prefix", sa.String, nullable=False),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("expires_at_ms", sa.BigInteger, nullable=True),
        sa.Column("last_used_at_ms", sa.BigInteger, nullable=True),
        sa.Column("revoked_at_ms", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_personal_tokens"),
        sa.ForeignKeyConstraint(
            ["created_by", "workspace_id"],
            ["memberships.user_id", "memberships.workspace_id"],
            name="fk_personal_tokens_created_by_workspace_id_memberships",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "environment"],
            ["environments.workspace_id", "environments.name"],
            name="fk_personal_tokens_workspace_id_environment_environments",
            ondelete="CASCADE",
        ),
        sa.UniqueConstraint("secret_hash", name="uq_personal_tokens_secret_hash"),
    )
