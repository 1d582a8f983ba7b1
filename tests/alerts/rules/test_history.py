"""On which days alerts fired, from what they did (rules/alerts#history)."""

from datetime import UTC, date, datetime
from random import Random
from typing import Any

import pytest

from conftest import FakeClock
from harness.oracles.alert_rules import DAY_MS, rule
from harness.servers.small_app import founder
from harness.stores.alert_evaluation import Site
from harness.stores.event_store import NOW_MS, EventStore
from tallyroom.alerts.rules.history import HISTORY_DAYS, build_calendar, list_firing_days, list_history
from tallyroom.alerts.rules.repository import DayCounts
from tallyroom.alerts.rules.schemas import AlertHistory, AlertHistoryOut, FiringDay
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.ids import IdGenerator
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database
from tallyroom.storage.metadata.models import AlertActivity

__all__ = ["founder"]

TODAY = datetime.fromtimestamp(NOW_MS / 1000, UTC).date()


def days_ago(days: int) -> str:
    return date.fromordinal(TODAY.toordinal() - days).isoformat()


@pytest.fixture
async def site(database: Database, event_store: EventStore, founder: MemberPrincipal) -> Site:
    """Alerts of the founder's workspace."""
    site = Site(database, event_store)
    site.scope = Scope(founder.workspace_id, "production")
    return site


async def note(site: Site, alert_id: str, *entries: tuple[str, float]) -> None:
    """Write what an alert did; each entry has a type and how many days ago it was."""
    fields: dict[str, Any] = {"alert_id": alert_id, "workspace_id": site.scope.workspace_id, "alert_name": "Many"}
    fields |= {"condition": "above", "severity": "warning", "environment": site.scope.environment}
    async with site.database.session(write=True) as db:
        for type_, days in entries:
            at_ms = NOW_MS - round(days * DAY_MS)
            db.add(AlertActivity(id=IdGenerator().new(), type=type_, at_ms=at_ms, **fields))


async def history_of(site: Site, founder: MemberPrincipal, environment: str | None = None) -> AlertHistoryOut:
    async with site.database.session(write=False) as db:
        return await list_history(db, founder, environment, FakeClock(NOW_MS))


async def test_days_have_their_incidents_and_what_stayed_open(site: Site, founder: MemberPrincipal) -> None:
    old = {"evaluated_at_ms": NOW_MS - 2 * DAY_MS}
    quiet, busy = await site.add(rule()), await site.add(rule(), status="firing", **old)
    await note(site, busy, ("resolved", 28), ("fired", 5), ("nodata", 4), ("resolved", 3), ("fired", 0), ("fired", 40))
    found = await history_of(site, founder)
    assert (found.from_, found.to) == (days_ago(29), days_ago(0))
    [of_quiet, of_busy] = sorted(found.alerts, key=lambda each: [quiet, busy].index(each.alert_id))
    assert of_quiet == AlertHistory(quiet, days_ago(0), None, [])
    still_open = [FiringDay(days_ago(days), 0) for days in (29, 28)]
    later = [FiringDay(days_ago(days), fired) for days, fired in ((5, 1), (4, 0), (3, 0), (0, 1))]
    assert of_busy == AlertHistory(busy, days_ago(0), days_ago(2), still_open + later)


async def test_another_environment_and_a_deleted_alert_are_left_out(site: Site, founder: MemberPrincipal) -> None:
    alert_id = await site.add(rule())
    await note(site, "deleted", ("fired", 1))
    assert [each.alert_id for each in (await history_of(site, founder, "production")).alerts] == [alert_id]
    assert (await history_of(site, founder, "development")).alerts == []


def test_days_follow_the_clocks_of_the_workspace() -> None:
    after_change = round(datetime(2026, 11, 2, 4, 30, tzinfo=UTC).timestamp() * 1000)
    calendar = build_calendar(after_change, "America/New_York")
    assert (len(calendar.days), calendar.days[-1]) == (HISTORY_DAYS, date(2026, 11, 1))
    starts = [datetime.fromtimestamp(start_ms / 1000, UTC).hour for start_ms in calendar.starts_ms]
    assert starts == [4] * HISTORY_DAYS  # 1 November begins in summer time
    assert calendar.day_of(after_change + 30 * 60_000) == date(2026, 11, 2)


def test_random_incidents_fire_on_the_days_that_they_touch() -> None:
    random = Random("incidents")
    for _ in range(300):
        ends = sorted(random.sample(range(-20, HISTORY_DAYS * 4), 2 * random.randint(0, 9)))
        incidents = [(start // 4, end // 4) for start, end in zip(ends[::2], ends[1::2], strict=True)]
        is_firing = bool(incidents) and random.random() < 0.5
        if is_firing:
            incidents[-1] = (incidents[-1][0], HISTORY_DAYS)
        fired = [sum(start == day for start, _ in incidents) for day in range(HISTORY_DAYS)]
        resolved = [sum(end == day for _, end in incidents) for day in range(HISTORY_DAYS)]
        counts = {
            day: DayCounts(fired[day], resolved[day]) for day in range(HISTORY_DAYS) if fired[day] or resolved[day]
        }
        expected = [
            (day, fired[day]) for day in range(HISTORY_DAYS) if any(start <= day <= end for start, end in incidents)
        ]
        assert list_firing_days(counts, is_firing=is_firing) == expected, incidents
