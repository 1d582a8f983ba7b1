"""Waiting mails in the metadata database."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, delete, func, or_, select, update

from tallyroom.core.shared_clock import MAX_CLOCK_SKEW_MS
from tallyroom.core.times import DAY_MS
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import WaitingMail

MAX_AGE_MS = DAY_MS
"""The age of a mail at which attempts stop. A mail that is due later than this has a wrong time."""

_SELECT_ANY_DUE = (
    "SELECT 1 FROM mail_outbox WHERE (next_attempt_ms <= ? OR next_attempt_ms > ?)"
    " AND (leased_until_ms IS NULL OR leased_until_ms <= ? OR leased_until_ms > ?) LIMIT 1"
)


async def count_waiting(db: Session) -> int:
    """Count all waiting mails."""
    return await db.scalar(select(func.count()).select_from(WaitingMail)) or 0


async def add_mail(db: Session, mail: WaitingMail) -> None:
    """Store a mail."""
    db.add(mail)
    await db.flush()


async def delete_mail(db: Session, mail_id: str) -> None:
    """Delete a mail, whichever worker sends it."""
    await db.execute(delete(WaitingMail).where(WaitingMail.id == mail_id))


async def is_any_due(database: Database, now_ms: int, lease_ms: int) -> bool:
    """Return True if a mail is due and not leased."""
    latest_lease_end_ms = now_ms + lease_ms + MAX_CLOCK_SKEW_MS
    return await database.look_up(_SELECT_ANY_DUE, now_ms, now_ms + MAX_AGE_MS, now_ms, latest_lease_end_ms) is not None


async def lease_mails(db: Session, now_ms: int, lease_ms: int, limit: int) -> Sequence[WaitingMail]:
    """Lease the due mails that are not leased, oldest first; the transaction writes."""
    lease_end_column, next_attempt_column = WaitingMail.leased_until_ms, WaitingMail.next_attempt_ms
    is_free = or_(
        lease_end_column.is_(None), lease_end_column <= now_ms, lease_end_column > now_ms + lease_ms + MAX_CLOCK_SKEW_MS
    )
    is_due = or_(next_attempt_column <= now_ms, next_attempt_column > now_ms + MAX_AGE_MS)
    query = select(WaitingMail).where(is_due, is_free).order_by(next_attempt_column, WaitingMail.id).limit(limit)
    mails = (await db.scalars(query)).all()
    for mail in mails:
        mail.leased_until_ms = now_ms + lease_ms
    await db.flush()
    return mails


async def postpone_mail(db: Session, mail: WaitingMail, next_attempt_ms: int) -> None:
    """Record a failed attempt, unless its lease has ended and another worker has the mail."""
    values = {"attempts": mail.attempts + 1, "next_attempt_ms": next_attempt_ms, "leased_until_ms": None}
    await db.execute(update(WaitingMail).where(_is_still_leased(mail)).values(values))


async def release_lease(db: Session, mail: WaitingMail) -> None:
    """Give up a lease, so that another worker can send the mail immediately."""
    await db.execute(update(WaitingMail).where(_is_still_leased(mail)).values(leased_until_ms=None))


def _is_still_leased(mail: WaitingMail) -> ColumnElement[bool]:
    return (WaitingMail.id == mail.id) & (WaitingMail.leased_until_ms == mail.leased_until_ms)
