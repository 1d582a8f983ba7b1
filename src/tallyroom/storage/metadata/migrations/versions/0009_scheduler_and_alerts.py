"""The scheduler's jobs, external sources, and alerts with their channels, deliveries and incidents."""

import sqlalchemy as sa
from alembic import op

revision = "0009_scheduler_and_alerts"
down_revision = "0008_counter_source"
branch_labels = None
depends_on = None

_IS_WAITING = sa.text("next_attempt_ms IS NOT NULL")
_IS_OPEN = sa.text("resolved_at_ms IS NULL")


def upgrade() -> None:
    _create_scheduled_jobs()
    _create_external_sources()
    _create_alert_channels()
    _create_deliveries()
    _create_alerts()
    _create_alert_recipients()
    _create_incidents()
    _create_alert_activity()


def _create_scheduled_jobs() -> None:
    op.create_table(
        "scheduled_jobs",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("due_ms", sa.BigInteger, nullable=False),
        sa.Column("leased_by", sa.String, nullable=True),
        sa.Column("leased_until_ms", sa.BigInteger, nullable=True),
        sa.Column("done_ms", sa.BigInteger, nullable=True),
        sa.Column("failures", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_scheduled_jobs"),
    )


def _create_external_sources() -> None:
    op.create_table(
        "external_sources",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("host", sa.String, nullable=False),
        sa.Column("header_name", sa.String, nullable=True),
        sa.Column("token", sa.String, nullable=True),
        sa.Column("token_end", sa.String, nullable=True),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("updated_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_external_sources"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_external_sources_workspace_id_workspaces", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_external_sources_workspace_id", "external_sources", ["workspace_id"])


def _create_alert_channels() -> None:
    op.create_table(
        "alert_channels",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("type", sa.String, nullable=False),
        sa.Column("destination", sa.String, nullable=False),
        sa.Column("preview", sa.String, nullable=False),
        sa.Column("secret", sa.String, nullable=True),
        sa.Column("enabled", sa.Boolean, nullable=False),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("updated_at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_alert_channels"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_alert_channels_workspace_id_workspaces", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_alert_channels_workspace_id", "alert_channels", ["workspace_id"])


def _create_deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("channel_id", sa.String, nullable=False),
        sa.Column("message", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("attempts", sa.BigInteger, nullable=False),
        sa.Column("error", sa.String, nullable=True),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("next_attempt_ms", sa.BigInteger, nullable=True),
        sa.Column("leased_until_ms", sa.BigInteger, nullable=True),
        sa.Column("last_attempt_ms", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
        sa.ForeignKeyConstraint(
            ["channel_id"], ["alert_channels.id"], name="fk_deliveries_channel_id_alert_channels", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_deliveries_channel_id_created_at_ms", "deliveries", ["channel_id", "created_at_ms"])
    op.create_index(
        "ix_deliveries_waiting",
        "deliveries",
        ["next_attempt_ms"],
        sqlite_where=_IS_WAITING,
        postgresql_where=_IS_WAITING,
    )


def _create_alerts() -> None:
    op.create_table(
        "alerts",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("environment", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("event", sa.String, nullable=False),
        sa.Column("measure", sa.String, nullable=False),
        sa.Column("property", sa.String, nullable=True),
        sa.Column("filters", sa.String, nullable=False),
        sa.Column("segment_id", sa.String, nullable=True),
        sa.Column("condition", sa.String, nullable=False),
        sa.Column("threshold", sa.Double, nullable=True),
        sa.Column("window_minutes", sa.BigInteger, nullable=False),
        sa.Column("severity", sa.String, nullable=False),
        sa.Column("cooldown_minutes", sa.BigInteger, nullable=False),
        sa.Column("enabled", sa.Boolean, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("evaluated_at_ms", sa.BigInteger, nullable=True),
        sa.Column("value", sa.Double, nullable=True),
        sa.Column("told_at_ms", sa.BigInteger, nullable=True),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("updated_at_ms", sa.BigInteger, nullable=False),
        *_constraints_of_alerts(),
    )
    op.create_index("ix_alerts_segment_id", "alerts", ["segment_id"])
    op.create_index("ix_alerts_workspace_id_environment", "alerts", ["workspace_id", "environment"])


def _constraints_of_alerts() -> list[sa.Constraint]:
    return [
        sa.PrimaryKeyConstraint("id", name="pk_alerts"),
        sa.ForeignKeyConstraint(["segment_id"], ["segments.id"], name="fk_alerts_segment_id_segments"),
        sa.ForeignKeyConstraint(
            ["workspace_id", "environment"],
            ["environments.workspace_id", "environments.name"],
            name="fk_alerts_workspace_id_environment_environments",
            ondelete="CASCADE",
        ),
    ]


def _create_alert_recipients() -> None:
    op.create_table(
        "alert_recipients",
        sa.Column("alert_id", sa.String, nullable=False),
        sa.Column("channel_id", sa.String, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("alert_id", "channel_id", name="pk_alert_recipients"),
        sa.ForeignKeyConstraint(
            ["alert_id"], ["alerts.id"], name="fk_alert_recipients_alert_id_alerts", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["channel_id"],
            ["alert_channels.id"],
            name="fk_alert_recipients_channel_id_alert_channels",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_alert_recipients_channel_id", "alert_recipients", ["channel_id"])


def _create_incidents() -> None:
    op.create_table(
        "incidents",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("alert_id", sa.String, nullable=False),
        sa.Column("fired_at_ms", sa.BigInteger, nullable=False),
        sa.Column("resolved_at_ms", sa.BigInteger, nullable=True),
        sa.Column("value", sa.Double, nullable=True),
        sa.Column("told", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_incidents"),
        sa.ForeignKeyConstraint(["alert_id"], ["alerts.id"], name="fk_incidents_alert_id_alerts", ondelete="CASCADE"),
    )
    op.create_index(
        "uq_incidents_open", "incidents", ["alert_id"], unique=True, sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN
    )


def _create_alert_activity() -> None:
    op.create_table(
        "alert_activity",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("workspace_id", sa.String, nullable=False),
        sa.Column("alert_id", sa.String, nullable=False),
        sa.Column("alert_name", sa.String, nullable=False),
        sa.Column("type", sa.String, nullable=False),
        sa.Column("value", sa.Double, nullable=True),
        sa.Column("threshold", sa.Double, nullable=True),
        sa.Column("condition", sa.String, nullable=False),
        sa.Column("severity", sa.String, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_alert_activity"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name="fk_alert_activity_workspace_id_workspaces", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_alert_activity_workspace_id_at_ms_id", "alert_activity", ["workspace_id", "at_ms", "id"])
