"""The audit log in the metadata database. The workspace is always the caller's own."""

from collections.abc import Sequence

from sqlalchemy import select, tuple_

from tallyroom.analytics.audit.schemas import AuditPosition
from tallyroom.db.connection import Session
from tallyroom.db.models import AuditEntry


async def list_entries(db: Session, workspace_id: str, limit: int, after: AuditPosition | None) -> Sequence[AuditEntry]:
    """List the newest `limit` entries, or the next ones after the position `after`."""
    position = tuple_(AuditEntry.at_ms, AuditEntry.id)
    older = () if after is None else (position < (after.at_ms, after.id),)
    found = await db.scalars(
        select(AuditEntry)
        .where(AuditEntry.workspace_id == workspace_id, *older)
        .order_by(AuditEntry.at_ms.desc(), AuditEntry.id.desc())
        .limit(limit)
    )
    return found.all()
