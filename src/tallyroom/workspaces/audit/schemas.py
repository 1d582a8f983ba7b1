"""What the audit log answers."""

from typing import Annotated

import msgspec
from msgspec import Meta

from tallyroom.core.times import MAX_DATETIME_MS


class InitiatorOut(msgspec.Struct, rename="camel"):
    """Who did it: `id` is null once the account is gone; the address is the one of that time."""

    id: str | None
    email: str


class EntryOut(msgspec.Struct, rename="camel"):
    """One action: `by` is null for the operator of the server, `subject` the id or name of what was acted on."""

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
