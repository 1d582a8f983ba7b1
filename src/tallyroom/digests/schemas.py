"""What the digest routes take and answer (rules/digests#digest)."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tallyroom.digests.calendar import DigestCadence
from tallyroom.rest.fields import Email, Name

MAX_RECIPIENTS = 20

Hour = Annotated[int, Meta(ge=0, le=23)]
Weekday = Annotated[int, Meta(ge=0, le=6)]
DayOfMonth = Annotated[int, Meta(ge=1, le=31)]
Addresses = Annotated[list[Email], Meta(min_length=1, max_length=MAX_RECIPIENTS)]


class DigestIn(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a new digest; `weekday` (0 is Sunday) is for weekly digests, `dayOfMonth` for monthly digests."""

    dashboard_id: str
    cadence: DigestCadence
    recipients: Addresses
    name: Name | None = None
    send_hour: Hour = 9
    weekday: Weekday | None = None
    day_of_month: DayOfMonth | None = None
    timezone: str | None = None
    enabled: bool = True


class DigestChange(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Body of a change: absent fields stay the same, `recipients` replaces the whole list, and null clears `name`."""

    name: Name | UnsetType | None = UNSET
    cadence: DigestCadence | UnsetType = UNSET
    send_hour: Hour | UnsetType = UNSET
    weekday: Weekday | UnsetType | None = UNSET
    day_of_month: DayOfMonth | UnsetType | None = UNSET
    timezone: str | UnsetType = UNSET
    recipients: Addresses | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET


class DigestOut(msgspec.Struct, rename="camel"):
    """A digest: `nextSendAt` is null while it is not enabled; people who unsubscribed are no longer recipients."""

    id: str
    dashboard_id: str
    name: str | None
    cadence: str
    send_hour: int
    weekday: int | None
    day_of_month: int | None
    timezone: str
    recipients: list[str]
    unsubscribed: list[str]
    enabled: bool
    last_sent_at: str | None
    next_send_at: str | None


class DigestsOut(msgspec.Struct, rename="camel"):
    """Digests of the workspace, oldest first."""

    digests: list[DigestOut]


class MailOut(msgspec.Struct, rename="camel"):
    """An email to one recipient: `status` is `waiting`, `sent`, `failed`, or `dropped` if they unsubscribed first."""

    recipient: str
    status: str
    attempts: int
    error: str | None
    sent_at: str | None
    next_attempt_at: str | None


class SendingOut(msgspec.Struct, rename="camel"):
    """The emails of one due time, or of one request to send."""

    id: str
    due_at: str
    mails: list[MailOut]


class SendingsOut(msgspec.Struct, rename="camel"):
    """The newest sendings of a digest, newest first."""

    sendings: list[SendingOut]


class DigestPreviewOut(msgspec.Struct, rename="camel"):
    """The email as it would be sent now; its pictures are part of `html`."""

    subject: str
    html: str
    text: str
