"""The audit log, page by page."""

from typing import Annotated

import msgspec
from msgspec import Meta

from tallyroom.core.paging import decode_cursor, encode_cursor
from tallyroom.core.times import MAX_DATETIME_MS, iso_ms
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import AuditEntry
from tallyroom.workspaces.audit import repository


class InitiatorOut(msgspec.Struct, rename="camel"):
    """The person who did it: `id` is null if the account was deleted; `email` is their address at that time."""

    id: str | None
    email: str


class EntryOut(msgspec.Struct, rename="camel"):
    """One action: `by` is null for the operator of the server; `subject` is the ID or name of the affected object."""

    id: str
    at: str
    by: InitiatorOut | None
    action: str
    subject: str
    details: msgspec.Raw


class EntriesOut(msgspec.Struct, rename="camel"):
    """A page of the log, newest first; `next` is the cursor of the following page."""

    entries: list[EntryOut]
    next: str | None


class AuditPosition(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where a page of the log ended."""

    at_ms: Annotated[int, Meta(ge=0, le=MAX_DATETIME_MS)]
    id: str


async def list_entries(db: Session, workspace_id: str, limit: int, cursor: str | None) -> EntriesOut:
    """Return the newest entries, or the next ones after the cursor; raise `ValidationFailed` for any other cursor."""
    cursor_scope = ("audit", workspace_id)
    after_position = decode_cursor(cursor, AuditPosition, cursor_scope) if cursor else None
    after = (after_position.at_ms, after_position.id) if after_position else None
    entries = await repository.list_entries(db, workspace_id, limit + 1, after)
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
