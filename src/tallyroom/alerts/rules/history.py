"""On which of the last 30 days each alert fired (rules/alerts#history)."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from tallyroom.alerts.rules import repository
from tallyroom.alerts.rules.repository import DayCounts
from tallyroom.alerts.rules.schemas import AlertHistory, AlertHistoryOut, FiringDay
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.repository import find_workspace
from tallyroom.auth.scope import environment_of
from tallyroom.core.clock import Clock
from tallyroom.queries.calendar import day_start_ms, local_time
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Alert

HISTORY_DAYS = 30


class Calendar(NamedTuple):
    """The last days of a workspace, oldest first; `starts_ms` has the moment at which each begins."""

    zone: ZoneInfo
    days: list[date]
    starts_ms: list[int]

    def day_of(self, time_ms: int) -> date:
        """Return the day that the workspace's clocks show at a moment."""
        return local_time(time_ms, self.zone).date()


async def list_history(
    db: Session, principal: MemberPrincipal, environment: str | None, clock: Clock
) -> AlertHistoryOut:
    """Return the history of the alerts of an environment, or of all that the principal sees, oldest alert first."""
    if environment is not None or principal.environment is not None:
        environment = await environment_of(principal, environment, db)
    workspace = await find_workspace(db, principal.workspace_id)
    calendar = build_calendar(clock.now_ms(), workspace.timezone if workspace else "UTC")
    alerts = await repository.list_alerts(db, principal.workspace_id, environment)
    counts_by_alert = await repository.count_activity_by_day(db, principal.workspace_id, calendar.starts_ms)
    return AlertHistoryOut(
        from_=calendar.days[0].isoformat(),
        to=calendar.days[-1].isoformat(),
        alerts=[_history_of(alert, counts_by_alert.get(alert.id, {}), calendar) for alert in alerts],
    )


def build_calendar(now_ms: int, timezone: str) -> Calendar:
    """Return the last 30 days, today included, by the clocks of a zone (IANA)."""
    zone = ZoneInfo(timezone)
    today = local_time(now_ms, zone).date()
    days = [today - timedelta(days=age) for age in reversed(range(HISTORY_DAYS))]
    return Calendar(zone, days, [day_start_ms(day, zone) for day in days])


def list_firing_days(counts_by_day: Mapping[int, DayCounts], *, is_firing: bool) -> list[tuple[int, int]]:
    """Return the days, by their index, on which an alert fired at any time, and the incidents that began on each.

    Whether an incident was open when a day began follows from the present, day by day backwards.
    """
    firing_days: list[tuple[int, int]] = []
    is_open = is_firing
    for day in reversed(range(HISTORY_DAYS)):
        fired_count, resolved_count = counts_by_day.get(day, DayCounts(0, 0))
        is_open_at_start = is_open - fired_count + resolved_count > 0
        if fired_count or is_open_at_start:
            firing_days.append((day, fired_count))
        is_open = is_open_at_start
    return firing_days[::-1]


def _history_of(alert: Alert, counts_by_day: Mapping[int, DayCounts], calendar: Calendar) -> AlertHistory:
    days: Sequence[date] = calendar.days
    evaluated_at_ms = alert.evaluated_at_ms
    return AlertHistory(
        alert_id=alert.id,
        known_from=max(calendar.day_of(alert.created_at_ms), days[0]).isoformat(),
        known_until=None if evaluated_at_ms is None else calendar.day_of(evaluated_at_ms).isoformat(),
        firing_days=[
            FiringDay(days[day].isoformat(), fired_count)
            for day, fired_count in list_firing_days(counts_by_day, is_firing=alert.status == "firing")
        ],
    )
