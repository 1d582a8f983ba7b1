"""The messages of alerts to their channels, with recent values for charts (rules/alerts#message-content)."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from tallyroom.alerts.channel_types.message import AlertMessage, MessageType
from tallyroom.alerts.evaluation import repository
from tallyroom.alerts.evaluation.repository import WatchedAlert
from tallyroom.alerts.rule import AlertRule
from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.queries.values import Value, to_answer_value
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Alert, Incident

_MAX_POINTS = 240

Enqueue = Callable[[Session, Sequence[str], AlertMessage], Awaitable[None]]
"""Puts a message to some channels into the outbox, within the transaction."""

ChartPoints = tuple[tuple[float, float], ...]
"""Seconds since 1970 UTC, and values."""


class RecentValues(Protocol):
    """Finds the values of a rule at the last beats (back_test/back_test.py)."""

    async def list_recent_values(self, rule: AlertRule, scope: Scope, until_ms: int) -> list[tuple[int, Value]]:
        """Return the moments and values, oldest first; raise Unavailable or RateLimited if they cannot be found now."""
        ...


class Announcement(NamedTuple):
    """What to report about an incident: the value at a moment, the values up to it, and whether someone resolved it."""

    type: MessageType
    value: Value
    at_ms: int
    points: ChartPoints
    by_hand: bool = False


class AlertAnnouncer:
    """Writes messages; `public_url` is the base of their links, without a trailing slash."""

    def __init__(self, recent_values: RecentValues, enqueue: Enqueue, public_url: str) -> None:
        self._recent_values = recent_values
        self._enqueue = enqueue
        self._public_url = public_url

    async def list_chart_points(self, alert: WatchedAlert, until_ms: int) -> ChartPoints:
        """Return the values of the last window; none if they cannot be found now."""
        try:
            recent_values = await self._recent_values.list_recent_values(alert.rule, alert.scope, until_ms)
        except (Unavailable, RateLimited):  # a message without a chart is better than none
            return ()
        stride = -(-len(recent_values) // _MAX_POINTS)
        spread_values = recent_values[(len(recent_values) - 1) % stride :: stride]
        return tuple((at_ms / 1000, float(value)) for at_ms, value in spread_values if value is not None)

    async def announce(self, db: Session, alert: Alert, incident: Incident, announcement: Announcement) -> None:
        """Write a message to the channels of an alert, in the same transaction as the change that it reports."""
        message = AlertMessage(
            type=announcement.type,
            timestamp=iso_ms(announcement.at_ms),
            alert_id=alert.id,
            name=alert.name,
            severity=alert.severity,  # type: ignore[arg-type] # it was checked when it was stored
            environment=alert.environment,
            event=alert.event,
            measure=alert.measure,
            property=alert.property,
            formula=None if alert.formula is None else msgspec.json.decode(alert.formula),
            condition=alert.condition,
            threshold=to_answer_value(alert.threshold),
            value=announcement.value,
            window_minutes=alert.window_minutes,
            fired_at=iso_ms(incident.fired_at_ms),
            resolved_at=iso_ms_or_none(incident.resolved_at_ms),
            no_data_since=iso_ms_or_none(incident.no_data_since_ms),
            by_hand=announcement.by_hand,
            url=f"{self._public_url}/alerts/{alert.id}?w={alert.workspace_id}",
            points=announcement.points,
        )
        channel_ids_by_alert = await repository.list_channel_ids_by_alert(db, [alert.id])
        await self._enqueue(db, channel_ids_by_alert[alert.id], message)
