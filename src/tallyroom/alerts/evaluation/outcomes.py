"""Stores what follows from a beat: status and value, incidents, history, and the messages to channels, in one go."""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.alerts.evaluation import history, repository
from tallyroom.alerts.evaluation.conditions import Sample
from tallyroom.alerts.evaluation.incidents import Transition
from tallyroom.alerts.evaluation.messages import AlertMessages, Announcement, Points
from tallyroom.alerts.evaluation.repository import AlertStatus, WatchedAlert
from tallyroom.core.ids import Ids
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Alert, Incident

MAX_CHARTS = 50
"""The most messages of one group and beat that have a chart, because each chart takes a query of its own."""


class Outcome(NamedTuple):
    """What an alert saw at a beat, and what follows from it."""

    alert: WatchedAlert
    sample: Sample
    transition: Transition

    @property
    def is_event(self) -> bool:
        """Whether more follows than a status and a value."""
        state, before = self.transition.state, self.alert.state
        ends_gap = state.no_data_since_ms != before.no_data_since_ms
        return bool(self.transition.change or self.transition.message or ends_gap)


class OutcomeWriter:
    """Stores outcomes.

    Args:
        database: has the alerts.
        messages: tells channels.
        ids: makes ids.
    """

    def __init__(self, database: Database, messages: AlertMessages, ids: Ids) -> None:
        self._database = database
        self._messages = messages
        self._ids = ids

    async def write(self, outcomes: Sequence[Outcome], beat_ms: int) -> None:
        """Store the outcomes of a beat, except those of alerts that somebody has changed since they were listed.

        Raises:
            Unavailable: the metadata cannot be written now; nothing was stored.
        """
        charts = await self._charts(outcomes, beat_ms)
        async with self._database.session(write=True) as db:
            valid_ids = await repository.find_unchanged(db, [outcome.alert for outcome in outcomes], beat_ms)
            current_outcomes = [outcome for outcome in outcomes if outcome.alert.id in valid_ids]
            await repository.record_statuses(db, [_status(outcome, beat_ms) for outcome in current_outcomes], beat_ms)
            for outcome in current_outcomes:
                if outcome.is_event:
                    await self._follow(db, outcome, charts.get(outcome.alert.id, ()), beat_ms)

    async def _charts(self, outcomes: Sequence[Outcome], beat_ms: int) -> dict[str, Points]:
        """Return the recent values of the alerts that have something to tell."""
        telling = [outcome.alert for outcome in outcomes if outcome.transition.message][:MAX_CHARTS]
        return {alert.id: await self._messages.points(alert, beat_ms) for alert in telling}

    async def _follow(self, db: Session, outcome: Outcome, points: Points, beat_ms: int) -> None:
        alert = await db.get_one(Alert, outcome.alert.id)
        incident = await self._incident(db, outcome, beat_ms)
        change, message = outcome.transition.change, outcome.transition.message
        if change is not None:
            await history.record(db, alert, change, outcome.sample.value, beat_ms, self._ids)
        if message is not None:
            announcement = Announcement(message, outcome.sample.value, beat_ms, points)
            await self._messages.tell(db, alert, incident, announcement)

    async def _incident(self, db: Session, outcome: Outcome, beat_ms: int) -> Incident:
        """Begin, go on with, or end the incident of an alert."""
        if outcome.transition.change == "fired":
            is_told = outcome.transition.state.is_told
            return await repository.open_incident(
                db, outcome.alert.id, beat_ms, outcome.sample, is_told=is_told, ids=self._ids
            )
        incident = await repository.get_open_incident(db, outcome.alert.id)
        state = outcome.transition.state
        incident.no_data_since_ms, incident.no_data_told = state.no_data_since_ms, state.no_data_told
        if outcome.transition.change == "resolved":
            incident.resolved_at_ms = beat_ms
        else:
            incident.told = state.is_told
        await db.flush()
        return incident


def _status(outcome: Outcome, beat_ms: int) -> AlertStatus:
    alert, sample, transition = outcome.alert, outcome.sample, outcome.transition
    last_data_at_ms = beat_ms if sample.events else alert.last_data_at_ms
    return AlertStatus(alert.id, transition.status, sample.value, transition.state.told_at_ms, last_data_at_ms)
