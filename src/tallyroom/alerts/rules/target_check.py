"""Checks the rule of an alert (rules/alerts#alert)."""

import math
from collections.abc import Sequence

from tallyroom.alerts.rule import AlertRule
from tallyroom.alerts.rules.schemas import WatchedIn
from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.scope import environment_of
from tallyroom.core.errors import ValidationFailed
from tallyroom.queries.counted_measure import CountedMeasure, check_counted_measure
from tallyroom.queries.filters import Filter
from tallyroom.queries.formula_parts import check_formula
from tallyroom.queries.measures import Measure
from tallyroom.queries.patterns import check_patterns
from tallyroom.queries.repository import find_segment_filters
from tallyroom.storage.event_store.scope import Scope
from tallyroom.storage.metadata.connection import Session

_CHANGE_CONDITIONS = {"rises", "drops", "anomaly"}


async def check_rule_body(body: WatchedIn) -> None:
    """Check a rule without the metadata; raises `ValidationFailed`, or `Unavailable` if too many checks wait."""
    _check_measure(body)
    await check_patterns(body.filters, ["filters"])
    await check_patterns(body.formula, ["formula"])
    if body.condition == "nodata":
        return
    if body.threshold is None:
        raise ValidationFailed.at(["threshold"], f"is required by {body.condition}")
    if not math.isfinite(body.threshold):
        raise ValidationFailed.at(["threshold"], "is out of range")
    if body.condition in _CHANGE_CONDITIONS and body.threshold < 0:
        raise ValidationFailed.at(["threshold"], f"must not be negative for {body.condition}")


def read_measure(body: WatchedIn) -> Measure | None:
    """Return the measure, which is `count` by default; None if there is a formula."""
    return body.measure or ("count" if body.formula is None else None)


def _check_measure(body: WatchedIn) -> None:
    if body.formula is None:
        if body.event is None:
            raise ValidationFailed.at(["event"], "is required unless formula is given")
        measure, filters = body.measure or "count", body.filters or ()
        counted_measure = CountedMeasure(event=body.event, measure=measure, property=body.property, filters=filters)
        check_counted_measure(counted_measure, [])
        return
    for name in ("event", "measure", "property", "filters"):
        if getattr(body, name) is not None:
            raise ValidationFailed.at([name], "must not be combined with formula")
    check_formula(body.formula, ["formula"])


async def build_rule(db: Session, principal: MemberPrincipal, body: WatchedIn) -> AlertRule:
    """Return the rule of a body with the filters of its segment, or raise `ValidationFailed` if one is missing."""
    environment = await environment_of(principal, body.environment, db)
    segment_filters = await _find_segment_filters(db, principal.workspace_id, environment, body.segment_id)
    return AlertRule(
        event=body.event,
        measure=read_measure(body),
        property=body.property,
        formula=body.formula,
        filters=(*(body.filters or ()), *segment_filters),
        condition=body.condition,
        threshold=body.threshold,
        window_minutes=body.window_minutes,
    )


async def _find_segment_filters(
    db: Session, workspace_id: str, environment: str, segment_id: str | None
) -> Sequence[Filter]:
    if segment_id is None:
        return ()
    filters = await find_segment_filters(db, Scope(workspace_id, environment), segment_id)
    if filters is None:
        raise ValidationFailed.at(["segmentId"], "is not a segment of this environment")
    return filters
