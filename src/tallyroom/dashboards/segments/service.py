"""Segments: saved filters of one environment, which cannot be deleted while in use (rules/boards#segment-in-use)."""

import msgspec
from msgspec import UNSET

from tallyroom.auth.principals import KeyPrincipal, MemberPrincipal
from tallyroom.auth.scope import environment_of, sees_environment
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import iso_ms
from tallyroom.dashboards.segments import repository
from tallyroom.dashboards.segments.schemas import SegmentChange, SegmentIn, SegmentOut, SegmentRow
from tallyroom.dashboards.widgets.configs import encode_checked_filters
from tallyroom.dashboards.words import join_names
from tallyroom.queries.filters import read_filters
from tallyroom.rest.changes import apply_changes, find_changes
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Segment

MAX_SEGMENTS = 500


async def list_segments(
    db: Session, principal: KeyPrincipal | MemberPrincipal, environment: str | None
) -> list[SegmentRow]:
    """List the segments that the principal can see, oldest first; raise `Forbidden` or `ValidationFailed`."""
    if principal.environment is not None or environment is not None:
        environment = await environment_of(principal, environment, db)
    segments = await repository.list_segments(db, principal.workspace_id, environment)
    widget_count_by_segment_id = await repository.count_widgets_by_segment(db, principal.workspace_id)
    alert_count_by_segment_id = await repository.count_alerts_by_segment(db, principal.workspace_id)
    return [
        SegmentRow(
            **msgspec.structs.asdict(_build_segment_out(segment)),
            widget_count=widget_count_by_segment_id.get(segment.id, 0),
            alert_count=alert_count_by_segment_id.get(segment.id, 0),
        )
        for segment in segments
    ]


async def create_segment(
    db: Session, principal: MemberPrincipal, body: SegmentIn, clock: Clock, id_generator: IdGenerator
) -> SegmentOut:
    """Save filters under a name; raise `ValidationFailed`, or `Conflict` after `MAX_SEGMENTS`."""
    filters = await encode_checked_filters(body.filters)
    environment = await environment_of(principal, body.environment, db)
    if await repository.count_segments(db, principal.workspace_id) >= MAX_SEGMENTS:
        raise Conflict(f"This workspace has {MAX_SEGMENTS} segments, the maximum. Delete one first.")
    now_ms = clock.now_ms()
    segment = Segment(
        id=id_generator.new(),
        workspace_id=principal.workspace_id,
        environment=environment,
        name=body.name,
        filters=filters,
        created_at_ms=now_ms,
        updated_at_ms=now_ms,
    )
    await repository.add_segment(db, segment)
    return _build_segment_out(segment)


async def change_segment(
    db: Session, principal: MemberPrincipal, segment_id: str, body: SegmentChange, clock: Clock
) -> SegmentOut:
    """Rename a segment or replace its filters; raise `NotFound`, or `ValidationFailed` for an invalid filter."""
    segment = await _find_segment(db, principal, segment_id)
    filters = UNSET if body.filters is UNSET else await encode_checked_filters(body.filters)
    if new_values := find_changes(segment, {"name": body.name, "filters": filters}):
        apply_changes(segment, new_values | {"updated_at_ms": clock.now_ms()})
    return _build_segment_out(segment)


async def delete_segment(db: Session, principal: MemberPrincipal, segment_id: str) -> None:
    """Delete a segment, or raise `NotFound`; raise `Conflict` if widgets or alerts use it."""
    segment = await _find_segment(db, principal, segment_id)
    if widgets := await repository.list_using_widgets(db, segment.id):
        raise Conflict(f"Widgets use this segment: {join_names(map(str, widgets))}. Remove it from them first.")
    if alert_names := await repository.list_using_alert_names(db, segment.id):
        quoted_names = join_names(f'"{name}"' for name in alert_names)
        raise Conflict(f"Alerts use this segment: {quoted_names}. Remove it from them first.")
    await repository.delete_segment(db, segment)


async def _find_segment(db: Session, principal: MemberPrincipal, segment_id: str) -> Segment:
    segment = await repository.find_segment(db, principal.workspace_id, segment_id)
    if segment is None or not sees_environment(principal, segment.environment):
        raise NotFound("This workspace has no such segment.")
    return segment


def _build_segment_out(segment: Segment) -> SegmentOut:
    return SegmentOut(
        id=segment.id,
        name=segment.name,
        environment=segment.environment,
        filters=read_filters(segment.filters),
        created_at=iso_ms(segment.created_at_ms),
        updated_at=iso_ms(segment.updated_at_ms),
    )
