"""Digests, their recipients and their mails in the metadata database."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import delete, func, or_, select, update

from tallyroom.core.times import DAY_MS
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import Dashboard, Digest, DigestLetter, DigestRecipient, DigestSending, Widget

WAITING = "waiting"

_SELECT_RECIPIENT_SECRETS = """
    SELECT token_secret, recipient FROM digests JOIN digest_recipients ON digest_id = digests.id WHERE digests.id = ?
"""

_MAX_WAIT_MS_BY_CADENCE = {"daily": 3 * DAY_MS, "weekly": 9 * DAY_MS, "monthly": 34 * DAY_MS}
"""The longest that a digest waits for its next time; clocks have skipped a whole day."""


class DigestWithDashboard(NamedTuple):
    """A digest and its dashboard."""

    digest: Digest
    dashboard: Dashboard


async def list_digests(
    db: Session, workspace_id: str, dashboard_id: str | None, environment: str | None
) -> Sequence[Digest]:
    """List the digests of a dashboard or of all, of the dashboards of an environment or of all; oldest first."""
    query = select(Digest).join(Dashboard, Dashboard.id == Digest.dashboard_id)
    query = query.where(Digest.workspace_id == workspace_id)
    if dashboard_id is not None:
        query = query.where(Digest.dashboard_id == dashboard_id)
    if environment is not None:
        query = query.where(Dashboard.environment == environment)
    return (await db.scalars(query.order_by(Digest.created_at_ms, Digest.id))).all()


async def count_digests(db: Session, workspace_id: str) -> int:
    """Count the workspace's digests."""
    query = select(func.count()).select_from(Digest).where(Digest.workspace_id == workspace_id)
    return await db.scalar(query) or 0


async def find_digest_with_dashboard(db: Session, digest_id: str) -> DigestWithDashboard | None:
    """Find a digest of any workspace, with its dashboard."""
    query = select(Digest, Dashboard).join(Dashboard, Dashboard.id == Digest.dashboard_id)
    row = (await db.execute(query.where(Digest.id == digest_id))).one_or_none()
    return row and DigestWithDashboard(row[0], row[1])


async def list_recipients(db: Session, digest_ids: Sequence[str]) -> Sequence[DigestRecipient]:
    """List the recipients of digests in the order in which they were given, including those who unsubscribed."""
    query = select(DigestRecipient).where(DigestRecipient.digest_id.in_(digest_ids))
    return (await db.scalars(query.order_by(DigestRecipient.position, DigestRecipient.recipient))).all()


async def is_subscribed(db: Session, digest_id: str, recipient: str) -> bool:
    """Return whether an address in lower case gets a digest."""
    row = await db.get(DigestRecipient, (digest_id, recipient))
    return row is not None and row.unsubscribed_ms is None


async def look_up_recipient_secrets(database: Database, digest_id: str) -> list[tuple[str, str]]:
    """List the recipients of a digest in lower case, each with the digest's secret, without a transaction."""
    return [
        (secret, recipient) for secret, recipient in await database.look_up_all(_SELECT_RECIPIENT_SECRETS, digest_id)
    ]


async def list_widgets(db: Session, dashboard_id: str) -> Sequence[Widget]:
    """List the widgets of a dashboard, sorted by position."""
    return (await db.scalars(select(Widget).where(Widget.dashboard_id == dashboard_id).order_by(Widget.position))).all()


async def add_rows(db: Session, *rows: Digest | DigestRecipient | DigestSending | DigestLetter) -> None:
    """Store new rows."""
    db.add_all(rows)
    await db.flush()


async def delete_rows(db: Session, *rows: Digest | DigestRecipient) -> None:
    """Delete rows; a digest is deleted with its recipients and mails."""
    for row in rows:
        await db.delete(row)
    await db.flush()


async def list_due_digest_ids(db: Session, now_ms: int) -> Sequence[str]:
    """List the ids of the digests that are due, longest waiting first."""
    query = select(Digest.id).where(Digest.next_due_ms <= now_ms)
    return (await db.scalars(query.order_by(Digest.next_due_ms, Digest.id))).all()


async def list_misdated_digest_ids(db: Session, now_ms: int) -> Sequence[str]:
    """List the ids of the digests that are due later than their cadence allows: the clock was set back."""
    is_misdated = or_(
        *(
            (Digest.cadence == cadence) & (Digest.next_due_ms > now_ms + max_wait_ms)
            for cadence, max_wait_ms in _MAX_WAIT_MS_BY_CADENCE.items()
        )
    )
    return (await db.scalars(select(Digest.id).where(is_misdated))).all()


async def find_sending(db: Session, digest_id: str, due_ms: int) -> DigestSending | None:
    """Find the sending of a due time."""
    is_of_due_time = (DigestSending.digest_id == digest_id) & (DigestSending.due_ms == due_ms)
    return await db.scalar(select(DigestSending).where(is_of_due_time))


async def list_sendings(db: Session, digest_id: str, limit: int) -> Sequence[DigestSending]:
    """List the newest sendings of a digest, newest first."""
    query = select(DigestSending).where(DigestSending.digest_id == digest_id)
    return (await db.scalars(query.order_by(DigestSending.due_ms.desc()).limit(limit))).all()


async def list_mails(db: Session, sending_ids: Sequence[str]) -> Sequence[DigestLetter]:
    """List the mails of sendings in the order of their recipients."""
    query = select(DigestLetter).where(DigestLetter.sending_id.in_(sending_ids))
    return (await db.scalars(query.order_by(DigestLetter.position))).all()


async def forget_sendings(db: Session, digest_id: str, before_ms: int) -> None:
    """Delete the sendings of a digest that were due before a moment, with their mails."""
    is_old = (DigestSending.digest_id == digest_id) & (DigestSending.due_ms < before_ms)
    await db.execute(delete(DigestSending).where(is_old))


async def get_sending(db: Session, sending_id: str) -> DigestSending | None:
    """Return the sending with this id."""
    return await db.get(DigestSending, sending_id)


async def list_waiting_mails(db: Session, sending_id: str) -> Sequence[DigestLetter]:
    """List the mails of a sending that wait in the queue."""
    is_waiting = (DigestLetter.sending_id == sending_id) & (DigestLetter.status == WAITING)
    query = select(DigestLetter).where(is_waiting, DigestLetter.next_attempt_ms.is_(None))
    return (await db.scalars(query.order_by(DigestLetter.position))).all()


async def is_waiting(db: Session, mail: DigestLetter) -> bool:
    """Return whether a mail still waits in the queue, now that others may have sent it."""
    stored_mail = await db.get(DigestLetter, (mail.sending_id, mail.recipient))
    return stored_mail is not None and stored_mail.status == WAITING and stored_mail.next_attempt_ms is None


async def mark_mail(db: Session, mail: DigestLetter, **values: str | int | None) -> None:
    """Record how an attempt to send a waiting mail ended."""
    is_this_mail = (DigestLetter.sending_id == mail.sending_id) & (DigestLetter.recipient == mail.recipient)
    await db.execute(update(DigestLetter).where(is_this_mail, DigestLetter.status == WAITING).values(**values))


async def mark_digest_sent(db: Session, digest_id: str, now_ms: int) -> None:
    """Record that a mail of a digest was sent."""
    await db.execute(update(Digest).where(Digest.id == digest_id).values(last_sent_ms=now_ms))
