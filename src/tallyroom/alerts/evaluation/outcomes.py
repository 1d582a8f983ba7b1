"""Stores the results of a beat in one transaction: status and value, incidents, history, and messages to channels."""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.alerts.evaluation import repository
from tallyroom.alerts.evaluation.conditions import Sample
from tallyroom.alerts.evaluation.incidents import Transition
from tallyroom.alerts.evaluation.messages import AlertAnnouncer, Announcement, ChartPoints
from tallyroom.alerts.evaluation.repository import StatusUpdate, WatchedAlert
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Alert, Incident

MAX_CHARTS = 50
"""The most messages of one group and beat that have a chart, because each chart needs a separate query."""


class Outcome(NamedTuple):
    """What an alert saw at a beat, and what changes."""

    alert: WatchedAlert
    sample: Sample
    transition: Transition

    @property
    def has_consequences(self) -> bool:
        """Whether more changes than the status and the value."""
        state, previous_state = self.transition.state, self.alert.state
        is_gap_changed = state.no_data_since_ms != previous_state.no_data_since_ms
        return bool(self.transition.change or self.transition.message_type or is_gap_changed)


class OutcomeWriter:
    """Stores outcomes."""

    def __init__(self, database: Database, announcer: AlertAnnouncer, id_generator: IdGenerator) -> None:
        self._database = database
        self._announcer = announcer
        self._id_generator = id_generator

    async def write_outcomes(self, outcomes: Sequence[Outcome], beat_at_ms: int) -> None:
        """Store the outcomes of a beat, except of alerts changed since; after `Unavailable`, nothing is stored."""
        points_by_alert_id = await self._load_points_by_alert_id(outcomes, beat_at_ms)
        async with self._database.session(write=True) as db:
            still_due_ids = await repository.find_still_due_ids(db, [outcome.alert for outcome in outcomes], beat_at_ms)
            still_due_outcomes = [outcome for outcome in outcomes if outcome.alert.id in still_due_ids]
            await repository.record_statuses(
                db, [_build_status_update(outcome, beat_at_ms) for outcome in still_due_outcomes], beat_at_ms
            )
            for outcome in still_due_outcomes:
                if outcome.has_consequences:
                    await self._apply_outcome(db, outcome, points_by_alert_id.get(outcome.alert.id, ()), beat_at_ms)

    async def _load_points_by_alert_id(self, outcomes: Sequence[Outcome], beat_at_ms: int) -> dict[str, ChartPoints]:
        """Return the recent values of the alerts that send a message."""
        announced_alerts = [outcome.alert for outcome in outcomes if outcome.transition.message_type][:MAX_CHARTS]
        return {alert.id: await self._announcer.list_chart_points(alert, beat_at_ms) for alert in announced_alerts}

    async def _apply_outcome(self, db: Session, outcome: Outcome, points: ChartPoints, beat_at_ms: int) -> None:
        alert = await db.get_one(Alert, outcome.alert.id)
        incident = await self._update_incident(db, outcome, beat_at_ms)
        change, message_type = outcome.transition.change, outcome.transition.message_type
        if change is not None:
            await repository.record_activity(db, alert, change, outcome.sample.value, beat_at_ms, self._id_generator)
        if message_type is not None:
            announcement = Announcement(message_type, outcome.sample.value, beat_at_ms, points)
            await self._announcer.announce(db, alert, incident, announcement)

    async def _update_incident(self, db: Session, outcome: Outcome, beat_at_ms: int) -> Incident:
        """Begin, continue or end the incident of an alert."""
        alert_id, state, change = outcome.alert.id, outcome.transition.state, outcome.transition.change
        if change == "fired":
            ids, is_notified = self._id_generator, state.is_notified
            return await repository.open_incident(
                db, alert_id, beat_at_ms, outcome.sample, is_notified=is_notified, id_generator=ids
            )
        incident = await repository.get_open_incident(db, alert_id)
        incident.no_data_since_ms, incident.no_data_told = state.no_data_since_ms, state.is_no_data_notified
        if change == "resolved":
            incident.resolved_at_ms = beat_at_ms
        else:
            incident.told = state.is_notified
        await db.flush()
        return incident


def _build_status_update(outcome: Outcome, beat_at_ms: int) -> StatusUpdate:
    alert, sample, transition = outcome.alert, outcome.sample, outcome.transition
    last_data_at_ms = beat_at_ms if sample.event_count else alert.last_data_at_ms
    return StatusUpdate(alert.id, transition.status, sample.value, transition.state.notified_at_ms, last_data_at_ms)
