"""One page of the audit log."""

import msgspec

from tallyroom.core.paging import decode_cursor, encode_cursor
from tallyroom.core.times import iso_ms
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import AuditEntry
from tallyroom.workspaces.audit import repository
from tallyroom.workspaces.audit.schemas import AuditPosition, EntriesOut, EntryOut, InitiatorOut


async def list_entries(db: Session, workspace_id: str, limit: int, cursor: str | None) -> EntriesOut:
    """Return the newest entries, or the next ones after the cursor; raise `ValidationFailed` for any other cursor."""
    cursor_scope = ("audit", workspace_id)
    after_position = decode_cursor(cursor, AuditPosition, cursor_scope) if cursor else None
    entries = await repository.list_entries(db, workspace_id, limit + 1, after_position)
    page_entries = entries[:limit]
    last_position = AuditPosition(page_entries[-1].at_ms, page_entries[-1].id) if len(entries) > limit else None
    return EntriesOut(
        [_build_entry_out(entry) for entry in page_entries],
        encode_cursor(last_position, cursor_scope) if last_position else None,
    )


def _build_entry_out(entry: AuditEntry) -> EntryOut:
    return EntryOut(
        id=entry.id,
        at=iso_ms(entry.at_ms),
        by=None if entry.by_email is None else InitiatorOut(entry.by_user, entry.by_email),
        action=entry.action,
        subject=entry.subject,
        details=msgspec.Raw(entry.details.encode()),
    )
