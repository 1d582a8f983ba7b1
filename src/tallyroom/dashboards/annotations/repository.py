"""Annotations in the metadata database. The workspace is always the caller's."""

from collections.abc import Sequence

from sqlalchemy import func, select

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Annotation


async def list_annotations(
    db: Session, workspace_id: str, environment: str, from_ms: int | None, until_ms: int | None
) -> Sequence[Annotation]:
    """List the annotations of an environment that lie at least partly in ``[from_ms, until_ms[``, sorted by time."""
    query = select(Annotation).where(Annotation.workspace_id == workspace_id, Annotation.environment == environment)
    if from_ms is not None:
        query = query.where(func.coalesce(Annotation.time_end_ms, Annotation.time_ms) >= from_ms)
    if until_ms is not None:
        query = query.where(Annotation.time_ms < until_ms)
    return (await db.scalars(query.order_by(Annotation.time_ms, Annotation.id))).all()


async def find_annotation(db: Session, workspace_id: str, annotation_id: str) -> Annotation | None:
    """Find the annotation with this id, if it belongs to the workspace."""
    query = select(Annotation).where(Annotation.workspace_id == workspace_id, Annotation.id == annotation_id)
    return await db.scalar(query)


async def find_annotation_by_key(db: Session, workspace_id: str, environment: str, key: str) -> Annotation | None:
    """Find the annotation with this key in an environment."""
    is_in_environment = (Annotation.workspace_id == workspace_id) & (Annotation.environment == environment)
    return await db.scalar(select(Annotation).where(is_in_environment, Annotation.key == key))


async def count_annotations(db: Session, workspace_id: str) -> int:
    """Count the workspace's annotations."""
    query = select(func.count()).select_from(Annotation).where(Annotation.workspace_id == workspace_id)
    return await db.scalar(query) or 0


async def add_annotation(db: Session, annotation: Annotation) -> None:
    """Store a new annotation."""
    db.add(annotation)
    await db.flush()


async def delete_annotation(db: Session, annotation: Annotation) -> None:
    """Delete an annotation."""
    await db.delete(annotation)
    await db.flush()
