"""Alerts with their incidents, the channels that they notify, and the messages sent."""

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model, build_partial_index


class AlertChannel(Model):
    """A channel of alerts: `type` is `email`, `webhook`, `slack`, `discord` or `telegram`.

    `destination` and `secret`, which signs webhooks, are encrypted; users may see `preview`, a part of the destination.
    """

    __tablename__ = "alert_channels"

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    type: Mapped[str]
    destination: Mapped[str]
    preview: Mapped[str]
    secret: Mapped[str | None]
    enabled: Mapped[bool]
    created_at_ms: Mapped[int]
    updated_at_ms: Mapped[int]


class Delivery(Model):
    """One message to one channel, as JSON without secrets; `status` is `waiting`, `sent` or `failed`.

    `next_attempt_ms` is None once it is over. `leased_until_ms` keeps other workers from making the same attempt.
    `alert_id` is None for messages from before this column; the alert may have been deleted.
    """

    __tablename__ = "deliveries"
    __table_args__ = (
        build_partial_index("ix_deliveries_waiting", "next_attempt_ms", "next_attempt_ms IS NOT NULL"),
        Index(None, "channel_id", "created_at_ms"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    channel_id: Mapped[str] = mapped_column(ForeignKey("alert_channels.id", ondelete="CASCADE"))
    message: Mapped[str]
    status: Mapped[str]
    attempts: Mapped[int]
    error: Mapped[str | None]
    created_at_ms: Mapped[int]
    next_attempt_ms: Mapped[int | None]
    leased_until_ms: Mapped[int | None]
    last_attempt_ms: Mapped[int | None]
    alert_id: Mapped[str | None] = mapped_column(index=True)


class Alert(Model):
    """One rule, evaluated at every beat; `filters` is a JSON list, `formula` a JSON object.

    It has either an event with a measure, or a formula.

    `status` is `ok`, `firing`, `nodata` or `paused`, as of `evaluated_at_ms`. `told_at_ms` is the time of the last
    message that it fired or still fires, from which the cooldown counts. `last_data_at_ms` is the last beat whose
    window had an event; None if no window had one since the alert's definition last changed. `delayed_since_ms` is the
    first beat after that evaluation at which the event store was behind; None if there was none.
    """

    __tablename__ = "alerts"
    __table_args__ = (
        ForeignKeyConstraint(
            ["workspace_id", "environment"],
            ["environments.workspace_id", "environments.name"],
            ondelete="CASCADE",
        ),
        Index(None, "workspace_id", "environment"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str]
    environment: Mapped[str]
    name: Mapped[str]
    event: Mapped[str | None]
    measure: Mapped[str | None]
    property: Mapped[str | None]
    filters: Mapped[str]
    segment_id: Mapped[str | None] = mapped_column(ForeignKey("segments.id"), index=True)
    condition: Mapped[str]
    threshold: Mapped[float | None]
    window_minutes: Mapped[int]
    severity: Mapped[str]
    cooldown_minutes: Mapped[int]
    enabled: Mapped[bool]
    status: Mapped[str]
    evaluated_at_ms: Mapped[int | None]
    value: Mapped[float | None]
    told_at_ms: Mapped[int | None]
    created_at_ms: Mapped[int]
    updated_at_ms: Mapped[int]
    formula: Mapped[str | None]
    last_data_at_ms: Mapped[int | None]
    delayed_since_ms: Mapped[int | None]


class AlertRecipient(Model):
    """One channel that one alert notifies; `position` keeps the order in which they were given."""

    __tablename__ = "alert_recipients"

    alert_id: Mapped[str] = mapped_column(ForeignKey("alerts.id", ondelete="CASCADE"), primary_key=True)
    channel_id: Mapped[str] = mapped_column(
        ForeignKey("alert_channels.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    position: Mapped[int]


class Incident(Model):
    """The time during which an alert fires; the database itself refuses a second open one.

    `value` fired it, and `told` says whether a message was sent. `no_data_since_ms` is set during a gap without values,
    and `no_data_told` says whether a message was sent in it.
    """

    __tablename__ = "incidents"
    __table_args__ = (build_partial_index("uq_incidents_open", "alert_id", "resolved_at_ms IS NULL", is_unique=True),)

    id: Mapped[str] = mapped_column(primary_key=True)
    alert_id: Mapped[str] = mapped_column(ForeignKey("alerts.id", ondelete="CASCADE"))
    fired_at_ms: Mapped[int]
    resolved_at_ms: Mapped[int | None]
    value: Mapped[float | None]
    told: Mapped[bool]
    no_data_since_ms: Mapped[int | None]
    no_data_told: Mapped[bool | None]


class AlertActivity(Model):
    """One line of the history: an alert `fired` or `resolved`, or has an incident but no value any more: `nodata`.

    It keeps the state of that time, and stays when the alert is deleted. `environment` is None if it was deleted, or if
    the alert was deleted before this column existed.
    """

    __tablename__ = "alert_activity"
    __table_args__ = (Index(None, "workspace_id", "at_ms", "id"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    alert_id: Mapped[str]
    alert_name: Mapped[str]
    type: Mapped[str]
    value: Mapped[float | None]
    threshold: Mapped[float | None]
    condition: Mapped[str]
    severity: Mapped[str]
    at_ms: Mapped[int]
    environment: Mapped[str | None]
