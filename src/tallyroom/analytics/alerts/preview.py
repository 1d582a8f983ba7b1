"""What an alert would have done (rules/alerts#preview)."""

from tallyroom.alerts.back_test import BackTest, BackTests
from tallyroom.analytics.alerts.schemas import PastIncidentOut, PastPoint, PreviewOut, WatchedIn
from tallyroom.analytics.alerts.watched import check_watched, rule_of
from tallyroom.auth.tenant import SessionPrincipal
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.db.connection import Database
from tallyroom.store.scope import Scope


async def preview(
    database: Database, back_tests: BackTests, principal: SessionPrincipal, body: WatchedIn
) -> PreviewOut:
    """Judge every minute of the past 30 days by a rule that need not be saved.

    Raises:
        ValidationFailed: a field is wrong or does not fit the others.
        Unavailable: the event store cannot answer now, or not within its limits.
    """
    await check_watched(body)
    async with database.session(write=False) as db:
        rule = await rule_of(db, principal, body)
    return _out(await back_tests.run(rule, Scope(principal.workspace_id, body.environment)))


def _out(found: BackTest) -> PreviewOut:
    incidents = [
        PastIncidentOut(iso_ms(each.fired_at_ms), iso_ms_or_none(each.resolved_at_ms), each.value)
        for each in found.incidents
    ]
    return PreviewOut(
        from_=iso_ms(found.from_ms),
        to=iso_ms(found.until_ms),
        fired=found.fired,
        incidents=incidents,
        points=[PastPoint(iso_ms(at_ms), value) for at_ms, value in found.points],
    )
