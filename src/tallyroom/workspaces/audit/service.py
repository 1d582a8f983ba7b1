"""One page of the audit log."""

import msgspec

from tallyroom.core.paging import decode_cursor, encode_cursor
from tallyroom.core.times import iso_ms
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import AuditEntry
from tallyroom.workspaces.audit import repository
from tallyroom.workspaces.audit.schemas import AuditPosition, EntriesOut, EntryOut, InitiatorOut


async def list_entries(db: Session, workspace_id: str, limit: int, cursor: str | None) -> EntriesOut:
    """Return the newest entries, or the next ones after the cursor.

    Raises:
        ValidationFailed: the cursor does not belong to this list.
    """
    question = ("audit", workspace_id)
    after = decode_cursor(cursor, AuditPosition, question) if cursor else None
    entries = await repository.list_entries(db, workspace_id, limit + 1, after)
    page = entries[:limit]
    last = AuditPosition(page[-1].at_ms, page[-1].id) if len(entries) > limit else None
    return EntriesOut([_out(entry) for entry in page], encode_cursor(last, question) if last else None)


def _out(entry: AuditEntry) -> EntryOut:
    return EntryOut(
        id=entry.id,
        at=iso_ms(entry.at_ms),
        by=None if entry.by_email is None else InitiatorOut(entry.by_user, entry.by_email),
        action=entry.action,
        subject=entry.subject,
        details=msgspec.Raw(entry.details.encode()),
    )
