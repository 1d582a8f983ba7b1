"""Stores what follows from a beat: status and value, incidents, history, and the messages to channels, in one go."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import msgspec

from tallyroom.alerts import history, repository
from tallyroom.alerts.back_test import BackTests
from tallyroom.alerts.conditions import Sample
from tallyroom.alerts.incidents import Transition
from tallyroom.alerts.repository import AlertStatus, WatchedAlert
from tallyroom.core.errors import RateLimited, Unavailable
from tallyroom.core.ids import Ids
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.db.connection import Database, Session
from tallyroom.db.models import Alert, Incident
from tallyroom.engine.values import Value, value_of
from tallyroom.notify.message import AlertMessage, MessageType

MOST_CHARTS = 50
"""The most messages of one group and beat that have a chart, because each chart takes a query of its own."""

_MOST_POINTS = 240

Enqueue = Callable[[Session, Sequence[str], AlertMessage], Awaitable[None]]
"""Puts a message to some channels into the outbox, within the transaction."""

Points = tuple[tuple[float, float], ...]
"""Seconds since 1970 UTC, and values."""


class Outcome(NamedTuple):
    """What an alert saw at a beat, and what follows from it."""

    alert: WatchedAlert
    seen: Sample
    transition: Transition


class OutcomeWriter:
    """Stores outcomes.

    Args:
        database: has the alerts.
        back_tests: finds the recent values, for the charts of messages.
        enqueue: takes the messages.
        ids: makes ids.
        public_url: the base of links in messages, without a trailing slash.
    """

    def __init__(self, database: Database, back_tests: BackTests, enqueue: Enqueue, ids: Ids, public_url: str) -> None:
        self._database = database
        self._back_tests = back_tests
        self._enqueue = enqueue
        self._ids = ids
        self._public_url = public_url

    async def write(self, outcomes: Sequence[Outcome], beat_ms: int) -> None:
        """Store the outcomes of a beat, except those of alerts that somebody has changed since they were listed.

        Raises:
            Unavailable: the metadata cannot be written now; nothing was stored.
        """
        charts = await self._charts(outcomes, beat_ms)
        async with self._database.session(write=True) as db:
            valid = await repository.find_unchanged(db, [outcome.alert for outcome in outcomes], beat_ms)
            kept = [outcome for outcome in outcomes if outcome.alert.id in valid]
            await repository.record_statuses(db, map(_status, kept), beat_ms)
            for outcome in kept:
                if outcome.transition.change or outcome.transition.message:
                    await self._follow(db, outcome, charts.get(outcome.alert.id, ()), beat_ms)

    async def _charts(self, outcomes: Sequence[Outcome], beat_ms: int) -> dict[str, Points]:
        """Return the recent values of the alerts that have something to tell."""
        telling = [outcome.alert for outcome in outcomes if outcome.transition.message][:MOST_CHARTS]
        return {alert.id: await self._points(alert, beat_ms) for alert in telling}

    async def _points(self, alert: WatchedAlert, beat_ms: int) -> Points:
        try:
            values = await self._back_tests.recent_values(alert.rule, alert.scope, beat_ms)
        except (Unavailable, RateLimited):  # a message without a chart is better than none
            return ()
        spacing = -(-len(values) // _MOST_POINTS)
        chosen = values[(len(values) - 1) % spacing :: spacing]
        return tuple((at_ms / 1000, float(value)) for at_ms, value in chosen if value is not None)

    async def _follow(self, db: Session, outcome: Outcome, points: Points, beat_ms: int) -> None:
        alert = await db.get_one(Alert, outcome.alert.id)
        incident = await self._incident(db, outcome, beat_ms)
        change, message = outcome.transition.change, outcome.transition.message
        if change is not None:
            await history.record(db, alert, change, outcome.seen.value, beat_ms, self._ids)
        if message is not None:
            told = self._message(alert, incident, message, outcome.seen.value, points, beat_ms)
            recipients = await repository.list_recipients(db, [alert.id])
            await self._enqueue(db, recipients[alert.id], told)

    async def _incident(self, db: Session, outcome: Outcome, beat_ms: int) -> Incident:
        """Begin, go on with, or end the incident of an alert."""
        if outcome.transition.change == "fired":
            told = outcome.transition.state.told
            return await repository.open_incident(db, outcome.alert.id, beat_ms, outcome.seen, told=told, ids=self._ids)
        incident = await repository.get_open_incident(db, outcome.alert.id)
        if outcome.transition.change == "resolved":
            incident.resolved_at_ms = beat_ms
        else:
            incident.told = outcome.transition.state.told
        await db.flush()
        return incident

    def _message(
        self, alert: Alert, incident: Incident, type_: MessageType, value: Value, points: Points, beat_ms: int
    ) -> AlertMessage:
        return AlertMessage(
            type=type_,
            timestamp=iso_ms(beat_ms),
            alert_id=alert.id,
            name=alert.name,
            severity=alert.severity,  # type: ignore[arg-type] # it was checked when it was stored
            environment=alert.environment,
            event=alert.event,
            measure=alert.measure,
            property=alert.property,
            formula=None if alert.formula is None else msgspec.json.decode(alert.formula),
            condition=alert.condition,
            threshold=value_of(alert.threshold),
            value=value,
            window_minutes=alert.window_minutes,
            fired_at=iso_ms(incident.fired_at_ms),
            resolved_at=iso_ms_or_none(incident.resolved_at_ms),
            url=f"{self._public_url}/alerts/{alert.id}",
            points=points,
        )


def _status(outcome: Outcome) -> AlertStatus:
    transition = outcome.transition
    return AlertStatus(outcome.alert.id, transition.status, outcome.seen.value, transition.state.told_at_ms)
