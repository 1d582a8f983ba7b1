"""Dashboards with widgets, segments and annotations; and group keys."""

import sqlalchemy as sa
from alembic import op

revision = "0003_dashboards"
down_revision = "0002_people"
branch_labels = None
depends_on = None

_IS_DEFAULT = sa.text("is_default")


def upgrade() -> None:
    _create_group_keys()
    _create_segments()
    _create_annotations()
    _create_dashboards()
    _create_widgets()


def _create_group_keys() -> None:
    op.create_table(
        "group_keys",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("prop_key", sa.String, nullable=False),
        sa.Column("label", sa.String, nullable=False),
        sa.Column("is_default", sa.Boolean, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_group_keys"),
        sa.UniqueConstraint("workspace_id", "prop_key", name="uq_group_keys_workspace_id_prop_key"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_group_keys_workspace_id_workspaces", ondelete="CASCADE"
        ),
    )
    op.create_index(
        "uq_group_keys_default",
        "group_keys",
        ["workspace_id"],
        unique=True,
        sqlite_where=_IS_DEFAULT,
        postgresql_where=_IS_DEFAULT,
    )


def _create_segments() -> None:
    op.create_table(
        "segments",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("environment", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("filters", sa.String, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("updated_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_segments"),
        _of_environment("segments", ondelete="CASCADE"),
    )
    op.create_index("ix_segments_workspace_id_environment", "segments", ["workspace_id", "environment"])


def _create_annotations() -> None:
    op.create_table(
        "annotations",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("environment", sa.String, nullable=False),
        sa.Column("label", sa.String, nullable=False),
        sa.Column("description", sa.String, nullable=True),
        sa.Column("color", sa.String, nullable=False),
        sa.Column("time_ms", sa.BigInteger, nullable=False),
        sa.Column("time_end_ms", sa.BigInteger, nullable=True),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_annotations"),
        _of_environment("annotations", ondelete="CASCADE"),
    )
    op.create_index(
        "ix_annotations_workspace_id_environment_time_ms", "annotations", ["workspace_id", "environment", "time_ms"]
    )


def _create_dashboards() -> None:
    op.create_table(
        "dashboards",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("description", sa.String, nullable=True),
        sa.Column("icon", sa.String, nullable=True),
        sa.Column("environment", sa.String, nullable=False),
        sa.Column("time_range", sa.String, nullable=False),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("slug", sa.String, nullable=True),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("created_by", sa.String, nullable=True),
        sa.Column("updated_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_dashboards"),
        sa.UniqueConstraint("slug", name="uq_dashboards_slug"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_dashboards_workspace_id_workspaces", ondelete="CASCADE"
        ),
        _of_environment("dashboards"),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name="fk_dashboards_created_by_users", ondelete="SET NULL"
        ),
        sa.CheckConstraint("slug IS NOT NULL OR NOT is_public", name="public_has_slug"),
    )
    op.create_index("ix_dashboards_workspace_id_environment", "dashboards", ["workspace_id", "environment"])


def _create_widgets() -> None:
    op.create_table(
        "widgets",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("dashboard_id", sa.String, nullable=False),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("type", sa.String, nullable=False),
        sa.Column("config", sa.String, nullable=False),
        sa.Column("segment_id", sa.String, nullable=True),
        sa.Column("width", sa.BigInteger, nullable=False),
        sa.Column("height", sa.BigInteger, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("updated_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_widgets"),
        sa.ForeignKeyConstraint(
            ["dashboard_id"], ["dashboards.id"], name="fk_widgets_dashboard_id_dashboards", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["segment_id"], ["segments.id"], name="fk_widgets_segment_id_segments"),
    )
    op.create_index("ix_widgets_dashboard_id", "widgets", ["dashboard_id"])
    op.create_index("ix_widgets_segment_id", "widgets", ["segment_id"])


def _of_environment(table: str, ondelete: str | None = None) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id", "environment"],
        ["environments.workspace_id", "environments.name"],
        name=f"fk_{table}_workspace_id_environment_environments",
        ondelete=ondelete,
    )
