"""What an alert would have done (rules/alerts#preview)."""

from msgspec import UNSET

from tallyroom.alerts.back_test.back_test import BackTest, BackTester
from tallyroom.alerts.rule import AlertRule
from tallyroom.alerts.rules.schemas import AlertPreviewIn, AlertPreviewOut, PastIncidentOut, PastMinutes, PastPoint
from tallyroom.alerts.rules.target_check import build_rule, check_rule_body
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.core.notices import Notice, Notices, notices_or_unset
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.queries.explanations import Explainer, explain_within_limit
from tallyroom.queries.question import Question
from tallyroom.queries.window import Window
from tallyroom.storage.event_store.reader import EventReader
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Database


class AlertPreviewer:
    """Judges the past by rules that need not be saved."""

    def __init__(self, database: Database, back_tester: BackTester, reader: EventReader) -> None:
        self._database = database
        self._back_tester = back_tester
        self._reader = reader
        self._explainer = Explainer(reader)

    async def preview(self, principal: MemberPrincipal, body: AlertPreviewIn) -> AlertPreviewOut:
        """Judge every minute of the past 30 days, and report what may be wrong with the rule.

        Raises `ValidationFailed`, or `Unavailable` if the event store cannot answer within its limits.
        """
        await check_rule_body(body)
        async with self._database.session(write=False) as db:
            rule = await build_rule(db, principal, body)
        scope = Scope(principal.workspace_id, body.environment)
        is_fresh = await self._reader.catch_up(scope=scope)
        back_test = await self._back_tester.run(rule, scope)
        gap_notices = self._reader.notices(back_test.from_ms, back_test.until_ms, is_fresh=is_fresh)
        explanations = await explain_within_limit(self._explain(rule, scope, back_test)) if is_fresh else []
        preview_notices = notices_or_unset([*(gap_notices or ()), *explanations])
        return _preview_out(back_test, preview_notices, has_minutes=body.minutes)

    async def _explain(self, rule: AlertRule, scope: Scope, back_test: BackTest) -> list[Notice]:
        window = Window(back_test.from_ms, back_test.until_ms)
        question = Question(window=window, now_ms=back_test.until_ms, filters=rule.filters)
        is_empty = not any(value for _at_ms, value in back_test.points)
        config = rule.formula or rule.measure_by_part_name["a"]
        return await self._explainer.explain_config(
            config, question, scope, is_empty=is_empty, shown_from_ms=back_test.from_ms
        )


def _preview_out(back_test: BackTest, preview_notices: Notices, *, has_minutes: bool) -> AlertPreviewOut:
    return AlertPreviewOut(
        from_=iso_ms(back_test.from_ms),
        to=iso_ms(back_test.until_ms),
        fired=back_test.fired_count,
        incidents=[
            PastIncidentOut(iso_ms(incident.fired_at_ms), iso_ms_or_none(incident.resolved_at_ms), incident.value)
            for incident in back_test.incidents
        ],
        points=[PastPoint(iso_ms(at_ms), value) for at_ms, value in back_test.points],
        minutes=PastMinutes(*back_test.minutes) if has_minutes else UNSET,
        notices=preview_notices,
    )
