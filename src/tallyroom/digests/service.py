"""The rules of digests: dashboards by mail, at the due times of a calendar (rules/digests#digest)."""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from tallyroom.auth.audit import Action, record
from tallyroom.auth.principals import KeyPrincipal, MemberPrincipal
from tallyroom.auth.repository import find_workspace
from tallyroom.auth.scope import sees_environment
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Conflict, NotFound, ValidationFailed
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import iso_ms, iso_ms_or_none
from tallyroom.core.timezones import check_timezone
from tallyroom.dashboards.widgets.service import find_dashboard
from tallyroom.dashboards.widgets.sources import check_dashboard_sources
from tallyroom.digests import repository
from tallyroom.digests.due_times import calendar_of, create_sending_now
from tallyroom.digests.recipients import check_recipients, list_addresses, mask_recipients, replace_recipients
from tallyroom.digests.repository import WAITING
from tallyroom.digests.schemas import DigestChange, DigestIn, DigestOut, MailOut, SendingOut
from tallyroom.rest.changes import apply_changes, find_changes
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Digest, DigestLetter, DigestRecipient, DigestSending
from tallyroom.storage.queue.repository import list_due_ms_by_id

MAX_DIGESTS = 100
"""The most digests of a workspace."""

_MAX_SENDINGS = 50
_SECRET_CHARACTERS = 43  # 256 bits
_DAY_FIELD_BY_CADENCE = {"weekly": "weekday", "monthly": "day_of_month"}


async def list_digests(
    db: Session, principal: KeyPrincipal | MemberPrincipal, dashboard_id: str | None
) -> list[DigestOut]:
    """List the digests of a dashboard or of all, oldest first; a key sees the digests of its environment, masked.

    Raises `NotFound` if the workspace, or the environment of the key or token, has no such dashboard.
    """
    if dashboard_id is not None:
        await find_dashboard(db, principal, dashboard_id)
    digests = await repository.list_digests(db, principal.workspace_id, dashboard_id, principal.environment)
    recipients = await repository.list_recipients(db, [digest.id for digest in digests])
    digests_out = [_digest_out(digest, [row for row in recipients if row.digest_id == digest.id]) for digest in digests]
    return [mask_recipients(digest) for digest in digests_out] if isinstance(principal, KeyPrincipal) else digests_out


async def create_digest(
    db: Session, principal: MemberPrincipal, body: DigestIn, clock: Clock, id_generator: IdGenerator
) -> DigestOut:
    """Create a digest of a dashboard.

    Raises `NotFound` if the dashboard does not exist, `ValidationFailed` for an address that cannot receive mail or is
    repeated, a day that does not fit the cadence or an unknown time zone, and `Conflict` if the workspace has
    `MAX_DIGESTS`.
    """
    check_recipients(body.recipients)
    dashboard = await find_dashboard(db, principal, body.dashboard_id)
    await check_dashboard_sources(db, principal, dashboard.id)
    if await repository.count_digests(db, principal.workspace_id) >= MAX_DIGESTS:
        raise Conflict(f"This workspace has {MAX_DIGESTS} digests, the maximum. Delete one first.")
    now_ms = clock.now_ms()
    digest = Digest(
        id=id_generator.new(),
        workspace_id=principal.workspace_id,
        dashboard_id=dashboard.id,
        name=body.name,
        cadence=body.cadence,
        send_hour=body.send_hour,
        weekday=body.weekday,
        day_of_month=body.day_of_month,
        timezone=await _find_workspace_timezone(db, principal) if body.timezone is None else body.timezone,
        enabled=body.enabled,
        token_secret=id_generator.base62(_SECRET_CHARACTERS),
        last_sent_ms=None,
        next_due_ms=None,
        created_at_ms=now_ms,
        updated_at_ms=now_ms,
    )
    _check_calendar(digest)
    _set_next_due(digest, now_ms)
    await repository.add_rows(db, digest)
    await replace_recipients(db, digest, body.recipients)
    await _record_action(db, principal, Action.DIGEST_CREATE, digest, clock, id_generator)
    return await _load_digest_out(db, digest)


async def change_digest(
    db: Session, principal: MemberPrincipal, digest_id: str, body: DigestChange, clock: Clock, id_generator: IdGenerator
) -> DigestOut:
    """Change the fields in the body; a new cadence clears the day of the old one.

    Raises `NotFound` if the digest does not exist, and `ValidationFailed` as `create_digest` does.
    """
    digest = await _find_digest(db, principal, digest_id)
    await check_dashboard_sources(db, principal, digest.dashboard_id)
    values = msgspec.structs.asdict(body)
    recipients = values.pop("recipients")
    for cadence, field in _DAY_FIELD_BY_CADENCE.items():
        if body.cadence not in {UNSET, cadence} and values[field] is UNSET:
            values[field] = None
    new_values = find_changes(digest, values)
    apply_changes(digest, new_values)
    _check_calendar(digest)
    now_ms = clock.now_ms()
    if new_values.keys() - {"name"}:
        _set_next_due(digest, now_ms)
    if recipients is not UNSET:
        check_recipients(recipients)
        await replace_recipients(db, digest, recipients)
    if new_values or recipients is not UNSET:
        digest.updated_at_ms = now_ms
        await _record_action(db, principal, Action.DIGEST_UPDATE, digest, clock, id_generator)
    return await _load_digest_out(db, digest)


async def delete_digest(
    db: Session, principal: MemberPrincipal, digest_id: str, clock: Clock, id_generator: IdGenerator
) -> None:
    """Delete a digest, or raise `NotFound`; mails that wait for another attempt are not sent any more."""
    digest = await _find_digest(db, principal, digest_id)
    await _record_action(db, principal, Action.DIGEST_DELETE, digest, clock, id_generator)
    await repository.delete_rows(db, digest)


async def request_sending(
    db: Session, principal: MemberPrincipal, digest_id: str, clock: Clock, id_generator: IdGenerator
) -> SendingOut:
    """Queue a digest to be sent now, enabled or not, or raise `NotFound`."""
    digest = await _find_digest(db, principal, digest_id)
    await check_dashboard_sources(db, principal, digest.dashboard_id)
    sending = await create_sending_now(db, digest, clock, id_generator)
    await _record_action(db, principal, Action.DIGEST_SEND, digest, clock, id_generator)
    return (await _list_sendings_out(db, [sending]))[0]


async def list_sendings(db: Session, principal: MemberPrincipal, digest_id: str) -> list[SendingOut]:
    """List the status of the newest mails of a digest, or raise `NotFound`."""
    await _find_digest(db, principal, digest_id)
    return await _list_sendings_out(db, await repository.list_sendings(db, digest_id, _MAX_SENDINGS))


async def check_digest_visible(db: Session, principal: MemberPrincipal, digest_id: str) -> None:
    """Raise `NotFound` for a digest that the principal cannot see.

    Raises `Forbidden` if the mail has a value of an external source, and the token is limited.
    """
    digest = await _find_digest(db, principal, digest_id)
    await check_dashboard_sources(db, principal, digest.dashboard_id)


async def _find_digest(db: Session, principal: MemberPrincipal, digest_id: str) -> Digest:
    digest_row = await repository.find_digest_with_dashboard(db, digest_id)
    is_in_workspace = digest_row is not None and digest_row.digest.workspace_id == principal.workspace_id
    if digest_row is None or not is_in_workspace or not sees_environment(principal, digest_row.dashboard.environment):
        raise NotFound("This workspace has no such digest.")
    return digest_row.digest


async def _find_workspace_timezone(db: Session, principal: MemberPrincipal) -> str:
    workspace = await find_workspace(db, principal.workspace_id)
    return workspace.timezone if workspace else "UTC"


def _check_calendar(digest: Digest) -> None:
    """Refuse a day that does not fit the cadence, and an unknown time zone."""
    for cadence, field in _DAY_FIELD_BY_CADENCE.items():
        path: list[str | int] = ["dayOfMonth" if field == "day_of_month" else field]
        if cadence == digest.cadence and getattr(digest, field) is None:
            raise ValidationFailed.at(path, f"is required for a {cadence} digest")
        if cadence != digest.cadence and getattr(digest, field) is not None:
            raise ValidationFailed.at(path, f"is only valid for a {cadence} digest")
    check_timezone(digest.timezone, ["timezone"])


def _set_next_due(digest: Digest, now_ms: int) -> None:
    """Make a digest due at its next time after now, or never while it is not enabled."""
    digest.next_due_ms = calendar_of(digest).next_due_ms(now_ms) if digest.enabled else None


async def _record_action(
    db: Session, principal: MemberPrincipal, action: Action, digest: Digest, clock: Clock, id_generator: IdGenerator
) -> None:
    recipients = list_addresses(await repository.list_recipients(db, [digest.id]))
    name = digest.name
    if name is None and (digest_row := await repository.find_digest_with_dashboard(db, digest.id)):
        name = digest_row.dashboard.name
    details = {"name": name, "dashboardId": digest.dashboard_id, "recipients": ", ".join(recipients)}
    await record(db, principal, action, digest.id, details, clock=clock, id_generator=id_generator)


async def _load_digest_out(db: Session, digest: Digest) -> DigestOut:
    return _digest_out(digest, await repository.list_recipients(db, [digest.id]))


def _digest_out(digest: Digest, recipients: Sequence[DigestRecipient]) -> DigestOut:
    return DigestOut(
        id=digest.id,
        dashboard_id=digest.dashboard_id,
        name=digest.name,
        cadence=digest.cadence,
        send_hour=digest.send_hour,
        weekday=digest.weekday,
        day_of_month=digest.day_of_month,
        timezone=digest.timezone,
        recipients=list_addresses(recipients),
        unsubscribed=list_addresses(recipients, has_unsubscribed=True),
        enabled=digest.enabled,
        last_sent_at=iso_ms_or_none(digest.last_sent_ms),
        next_send_at=iso_ms_or_none(digest.next_due_ms),
    )


async def _list_sendings_out(db: Session, sendings: Sequence[DigestSending]) -> list[SendingOut]:
    sending_ids = [sending.id for sending in sendings]
    mails = await repository.list_mails(db, sending_ids)
    due_ms_by_sending_id = await list_due_ms_by_id(db, sending_ids)
    return [
        SendingOut(
            sending.id,
            iso_ms(sending.due_ms),
            [_mail_out(mail, due_ms_by_sending_id.get(sending.id)) for mail in mails if mail.sending_id == sending.id],
        )
        for sending in sendings
    ]


def _mail_out(mail: DigestLetter, sending_due_ms: int | None) -> MailOut:
    return MailOut(
        recipient=mail.address,
        status=mail.status,
        attempts=mail.attempts,
        error=mail.error,
        sent_at=iso_ms_or_none(mail.sent_at_ms),
        next_attempt_at=iso_ms_or_none(mail.next_attempt_ms or sending_due_ms) if mail.status == WAITING else None,
    )
