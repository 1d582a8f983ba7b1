"""What an alert would have done (rules/alerts#preview)."""

from tallyroom.alerts.back_test.back_test import BackTest, BackTests
from tallyroom.alerts.rule import AlertRule
from tallyroom.alerts.rules.schemas import AlertPreviewOut, PastIncidentOut, PastPoint, WatchedIn
from tallyroom.alerts.rules.target_check import check_watched, rule_of
from tallyroom.auth.principals import SessionPrincipal
from tallyroom.core.notices import Notice, Notices, notices
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.queries.explanations import Explanations, in_time
from tallyroom.queries.question import Question
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database


class Previews:
    """Judges the past by rules that need not be saved.

    Args:
        database: has the environments and segments.
        back_tests: judges the past.
        reader: reads the event store, and knows whether it is whole.
    """

    def __init__(self, database: Database, back_tests: BackTests, reader: EventReader) -> None:
        self._database = database
        self._back_tests = back_tests
        self._reader = reader
        self._explanations = Explanations(reader)

    async def preview(self, principal: SessionPrincipal, body: WatchedIn) -> AlertPreviewOut:
        """Judge every minute of the past 30 days, and say what may be wrong with the rule.

        Raises:
            ValidationFailed: a field is wrong or does not fit the others.
            Unavailable: the event store cannot answer now, or not within its limits.
        """
        await check_watched(body)
        async with self._database.session(write=False) as db:
            rule = await rule_of(db, principal, body)
        scope = Scope(principal.workspace_id, body.environment)
        fresh = await self._reader.fresh()
        past = await self._back_tests.run(rule, scope)
        gaps = self._reader.notices(past.from_ms, past.until_ms, fresh=fresh)
        explanations = await in_time(self._explained(rule, scope, past)) if fresh else []
        return _out(past, notices([*(gaps or ()), *explanations]))

    async def _explained(self, rule: AlertRule, scope: Scope, past: BackTest) -> list[Notice]:
        window = Window(past.from_ms, past.until_ms)
        question = Question(window=window, now_ms=past.until_ms, filters=rule.filters)
        empty = not any(value for _at_ms, value in past.points)
        subject = rule.formula or rule.parts["a"]
        return await self._explanations.explain(subject, question, scope, empty=empty, begin_ms=past.from_ms)


def _out(past: BackTest, remarks: Notices) -> AlertPreviewOut:
    incidents = [
        PastIncidentOut(iso_ms(incident.fired_at_ms), iso_ms_or_none(incident.resolved_at_ms), incident.value)
        for incident in past.incidents
    ]
    return AlertPreviewOut(
        from_=iso_ms(past.from_ms),
        to=iso_ms(past.until_ms),
        fired=past.fired,
        incidents=incidents,
        points=[PastPoint(iso_ms(at_ms), value) for at_ms, value in past.points],
        notices=remarks,
    )
