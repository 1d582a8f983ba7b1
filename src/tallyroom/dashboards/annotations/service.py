"""Annotations: marks on the charts of one environment (rules/boards#annotation, rules/boards#annotation-key)."""

from typing import Any

from msgspec import UNSET, UnsetType

from tallyroom.auth.principals import MemberPrincipal
from tallyroom.auth.scope import environment_of, sees_environment
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.core.ranges import END_MS
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.dashboards.annotations import repository
from tallyroom.dashboards.annotations.schemas import AnnotationChange, AnnotationIn, AnnotationOut
from tallyroom.rest.changes import apply_changes, find_changes
from tallyroom.rest.parameters import parse_time_ms
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Annotation

MAX_ANNOTATIONS = 10_000


async def list_annotations(
    db: Session, principal: MemberPrincipal, environment: str, from_: str | None, to: str | None
) -> list[AnnotationOut]:
    """List the annotations at least partly in `from_` <= time < `to`, sorted by time; raise `ValidationFailed`."""
    from_ms = None if from_ is None else parse_time_ms("from", from_)
    until_ms = None if to is None else parse_time_ms("to", to)
    if from_ms is not None and until_ms is not None and until_ms <= from_ms:
        raise ValidationFailed.at(["to"], "is not after from")
    environment_name = await environment_of(principal, environment, db)
    annotations = await repository.list_annotations(db, principal.workspace_id, environment_name, from_ms, until_ms)
    return [_build_annotation_out(annotation) for annotation in annotations]


async def put_annotation(
    db: Session, principal: MemberPrincipal, body: AnnotationIn, clock: Clock, id_generator: IdGenerator
) -> tuple[AnnotationOut, bool]:
    """Mark a moment or a period of time; return the annotation, and whether it is new.

    If the environment has an annotation with the key of `body`, it gets all fields of `body`. Raises `ValidationFailed`
    for an unknown environment or an invalid time, and `Conflict` if the workspace has `MAX_ANNOTATIONS`.
    """
    time_ms = _parse_time_field_ms("time", body.time)
    time_end_ms = None if body.time_end is None else _parse_time_field_ms("timeEnd", body.time_end)
    _check_time_order(time_ms, time_end_ms, "timeEnd")
    environment = await environment_of(principal, body.environment, db)
    values: dict[str, Any] = {
        "label": body.label,
        "description": body.description,
        "color": body.color,
        "time_ms": time_ms,
        "time_end_ms": time_end_ms,
    }
    annotation = body.key and await repository.find_annotation_by_key(db, principal.workspace_id, environment, body.key)
    if annotation:
        apply_changes(annotation, find_changes(annotation, values))
        return _build_annotation_out(annotation), False
    if await repository.count_annotations(db, principal.workspace_id) >= MAX_ANNOTATIONS:
        raise Conflict(f"This workspace has {MAX_ANNOTATIONS} annotations, the maximum. Delete one first.")
    annotation = Annotation(
        id=id_generator.new(),
        workspace_id=principal.workspace_id,
        environment=environment,
        key=body.key,
        **values,
        created_at_ms=clock.now_ms(),
    )
    await repository.add_annotation(db, annotation)
    return _build_annotation_out(annotation), True


async def change_annotation(
    db: Session, principal: MemberPrincipal, annotation_id: str, body: AnnotationChange
) -> AnnotationOut:
    """Change the fields in the body; raise `NotFound` without the annotation, `ValidationFailed` for a wrong time."""
    annotation = await _find_annotation(db, principal, annotation_id)
    values = {
        "label": body.label,
        "description": body.description,
        "color": body.color,
        "time_ms": _parse_changed_time_ms("time", body.time),
        "time_end_ms": _parse_changed_time_ms("timeEnd", body.time_end),
    }
    new_values = find_changes(annotation, values)
    _check_time_order(
        new_values.get("time_ms", annotation.time_ms),
        new_values.get("time_end_ms", annotation.time_end_ms),
        "time" if body.time_end is UNSET else "timeEnd",
    )
    apply_changes(annotation, new_values)
    return _build_annotation_out(annotation)


async def delete_annotation(db: Session, principal: MemberPrincipal, annotation_id: str) -> None:
    """Delete an annotation, or raise `NotFound`."""
    await repository.delete_annotation(db, await _find_annotation(db, principal, annotation_id))


async def _find_annotation(db: Session, principal: MemberPrincipal, annotation_id: str) -> Annotation:
    annotation = await repository.find_annotation(db, principal.workspace_id, annotation_id)
    if annotation is None or not sees_environment(principal, annotation.environment):
        raise NotFound("This workspace has no such annotation.")
    return annotation


def _parse_time_field_ms(field: str, text: str) -> int:
    time_ms = parse_timestamp(text)
    if time_ms is None:
        raise ValidationFailed.at([field], "is not an ISO 8601 date-time")
    if not 0 <= time_ms <= END_MS:
        raise ValidationFailed.at([field], "is not between 1970-01-01 and 2100-01-01")
    return time_ms


def _parse_changed_time_ms(field: str, text: str | UnsetType | None) -> int | UnsetType | None:
    return _parse_time_field_ms(field, text) if isinstance(text, str) else text


def _check_time_order(time_ms: int, time_end_ms: int | None, field: str) -> None:
    if time_end_ms is not None and time_end_ms < time_ms:
        raise ValidationFailed.at([field], "must not be before the start")


def _build_annotation_out(annotation: Annotation) -> AnnotationOut:
    return AnnotationOut(
        id=annotation.id,
        environment=annotation.environment,
        label=annotation.label,
        description=annotation.description,
        color=annotation.color,
        time=iso_ms(annotation.time_ms),
        time_end=iso_ms_or_none(annotation.time_end_ms),
        created_at=iso_ms(annotation.created_at_ms),
        key=annotation.key,
    )
