"""Incidents that people resolve (rules/alerts#incidents)."""

from tallyroom.alerts.evaluation import history
from tallyroom.alerts.evaluation.incidents import status_without_incident
from tallyroom.alerts.evaluation.messages import AlertMessages, Announcement
from tallyroom.alerts.evaluation.repository import WatchedAlert, get_watched
from tallyroom.alerts.rules.schemas import AlertOut
from tallyroom.alerts.rules.service import find_alert, shown
from tallyroom.auth.audit import Action, record
from tallyroom.auth.principals import SessionPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict
from tallyroom.core.ids import Ids
from tallyroom.storage.metadata.connection import Database


class Resolutions:
    """Resolves incidents by hand.

    Args:
        database: has the alerts.
        messages: tells the channels.
        clock: gives the time.
        ids: makes ids.
    """

    def __init__(self, database: Database, messages: AlertMessages, clock: Clock, ids: Ids) -> None:
        self._database = database
        self._messages = messages
        self._clock = clock
        self._ids = ids

    async def resolve(self, principal: SessionPrincipal, alert_id: str) -> AlertOut:
        """End the open incident of an alert; the next beat begins another if the condition is still true.

        Raises:
            NotFound: the workspace has no such alert.
            Conflict: the alert has no open incident.
        """
        watched_alert = await self._watched(principal, alert_id)
        now_ms = self._clock.now_ms()
        points = await self._messages.points(watched_alert, now_ms) if watched_alert.state.is_told else ()
        async with self._database.session(write=True) as db:
            await recheck_role(db, principal, self._clock, Role.DEVELOPER)
            alert = await find_alert(db, principal, alert_id)
            incident = await history.close_incident(db, alert, now_ms, self._ids)
            if incident is None:
                raise _nothing_open()
            alert.status = status_without_incident(alert.value)
            alert.updated_at_ms = max(now_ms, alert.updated_at_ms + 1)  # an evaluation under way knows the incident
            if incident.told:
                announcement = Announcement("alert.resolved", alert.value, now_ms, points, by_hand=True)
                await self._messages.tell(db, alert, incident, announcement)
            details = {"name": alert.name}
            await record(db, principal, Action.ALERT_RESOLVE, alert.id, details, clock=self._clock, ids=self._ids)
            return await shown(db, alert)

    async def _watched(self, principal: SessionPrincipal, alert_id: str) -> WatchedAlert:
        async with self._database.session(write=False) as db:
            alert = await find_alert(db, principal, alert_id)
            watched_alert = await get_watched(db, alert.id)
        if not watched_alert.state.firing:
            raise _nothing_open()
        return watched_alert


def _nothing_open() -> Conflict:
    return Conflict("This alert has no open incident.")
