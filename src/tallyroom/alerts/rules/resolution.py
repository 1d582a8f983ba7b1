"""Incidents that people resolve (rules/alerts#incidents)."""

from tallyroom.alerts.evaluation.incidents import status_without_incident
from tallyroom.alerts.evaluation.messages import AlertAnnouncer, Announcement, ChartPoints
from tallyroom.alerts.evaluation.repository import WatchedAlert, close_incident, get_watched_alert
from tallyroom.alerts.rules.schemas import AlertOut
from tallyroom.alerts.rules.service import build_alert_out, find_alert, record_alert_action
from tallyroom.auth.audit import Action
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.recheck import recheck_role
from tallyroom.auth.roles import Role
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.metadata.connection import Database

_NO_OPEN_INCIDENT = "This alert has no open incident."


class IncidentResolver:
    """Resolves incidents by hand."""

    def __init__(
        self,
        database: Database,
        reader: EventReader,
        announcer: AlertAnnouncer,
        clock: Clock,
        id_generator: IdGenerator,
    ) -> None:
        self._database = database
        self._reader = reader
        self._announcer = announcer
        self._clock = clock
        self._id_generator = id_generator

    async def resolve(self, principal: MemberPrincipal, alert_id: str) -> AlertOut:
        """End the open incident of an alert; raises `NotFound`, or `Conflict` if it has no open incident."""
        watched_alert = await self._find_firing(principal, alert_id)
        now_ms = self._clock.now_ms()
        points = await self._list_chart_points(watched_alert, now_ms) if watched_alert.state.is_notified else ()
        async with self._database.session(write=True) as db:
            await recheck_role(db, principal, self._clock, Role.DEVELOPER)
            alert = await find_alert(db, principal, alert_id)
            incident = await close_incident(db, alert, now_ms, self._id_generator)
            if incident is None:
                raise Conflict(_NO_OPEN_INCIDENT)
            alert.status = status_without_incident(alert.value)
            alert.updated_at_ms = max(now_ms, alert.updated_at_ms + 1)  # makes a running evaluation skip it
            if incident.told:
                announcement = Announcement("alert.resolved", alert.value, now_ms, points, by_hand=True)
                await self._announcer.announce(db, alert, incident, announcement)
            await record_alert_action(db, principal, Action.ALERT_RESOLVE, alert, self._clock, self._id_generator)
            return await build_alert_out(db, alert)

    async def _list_chart_points(self, alert: WatchedAlert, now_ms: int) -> ChartPoints:
        """Return the values of the last window; none if the newest would be too low because events are late."""
        is_fresh = await self._reader.catch_up(scope=alert.scope)
        return await self._announcer.list_chart_points(alert, now_ms) if is_fresh else ()

    async def _find_firing(self, principal: MemberPrincipal, alert_id: str) -> WatchedAlert:
        async with self._database.session(write=False) as db:
            alert = await find_alert(db, principal, alert_id)
            watched_alert = await get_watched_alert(db, alert.id)
        if not watched_alert.state.is_firing:
            raise Conflict(_NO_OPEN_INCIDENT)
        return watched_alert
