"""The audit log in the metadata database. The workspace is always the caller's."""

from collections.abc import Sequence

from sqlalchemy import select, tuple_

from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import AuditEntry


async def list_entries(
    db: Session, workspace_id: str, limit: int, after: tuple[int, str] | None
) -> Sequence[AuditEntry]:
    """List the newest `limit` entries, or the next ones after the one with this time and id."""
    entry_position = tuple_(AuditEntry.at_ms, AuditEntry.id)
    is_older = () if after is None else (entry_position < after,)
    entries = await db.scalars(
        select(AuditEntry)
        .where(AuditEntry.workspace_id == workspace_id, *is_older)
        .order_by(AuditEntry.at_ms.desc(), AuditEntry.id.desc())
        .limit(limit)
    )
    return entries.all()
