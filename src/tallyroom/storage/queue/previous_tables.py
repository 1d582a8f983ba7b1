"""Moves into the queue what workers of the previous version wrote, and still write, in their tables.

That version kept messages to channels, mails, the mails of digests and scheduled jobs in four tables, each with its
own due time. A row is moved once its lease has ended, in one transaction, after which no worker of that version
finds it due. Delete this module, and those columns, when no such worker can run any more.
"""

import logging
import math
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute

from tallyroom.core import failpoints
from tallyroom.core.clock import Clock
from tallyroom.core.errors import Unavailable
from tallyroom.core.shared_clock import MAX_CLOCK_SKEW_MS
from tallyroom.core.times import DAY_MS
from tallyroom.storage.metadata.connection import Database, Session
from tallyroom.storage.metadata.models import (
    AlertChannel,
    Delivery,
    Digest,
    DigestLetter,
    DigestSending,
    ScheduledJob,
    WaitingMail,
    WorkItem,
)

_HOLDER_ID = "queue"

_log = logging.getLogger(__name__)

_PAUSE_SECONDS = 1.0
_MAX_ROWS = 200  # moved at once, because other writes wait for it

_SELECT_ANY = """
    SELECT 1 FROM mail_outbox WHERE (leased_until_ms IS NULL OR leased_until_ms <= ? OR leased_until_ms > ?)
    UNION ALL SELECT 1 FROM deliveries WHERE next_attempt_ms IS NOT NULL
        AND (leased_until_ms IS NULL OR leased_until_ms <= ? OR leased_until_ms > ?)
    UNION ALL SELECT 1 FROM digest_letters WHERE next_attempt_ms <= ? OR next_attempt_ms > ? LIMIT 1
"""


class PreviousWork:
    """Moves what is there, at most once a second, at the time of `clock`."""

    def __init__(self, database: Database, clock: Clock, lease_ms: int) -> None:
        self._database = database
        self._clock = clock
        self._lease_ms = lease_ms
        self._moved_at = -math.inf

    async def move(self) -> None:
        """Move some of the work, if there is any; only `Unavailable` is raised, so that the queue itself goes on."""
        if self._clock.monotonic() - self._moved_at < _PAUSE_SECONDS:
            return
        self._moved_at = self._clock.monotonic()
        try:
            if await has_work(self._database, self._clock.now_ms(), self._lease_ms):
                async with self._database.session(write=True) as db:
                    await move_work(db, self._clock.now_ms(), self._lease_ms)
                    failpoints.hit("queue.move")
                failpoints.hit("queue.moved")
        except Unavailable:
            raise
        except Exception:  # noqa: BLE001 # what is in the queue already must not wait for it
            _log.exception("work queued by an earlier version could not be moved to the queue")


async def has_work(database: Database, now_ms: int, lease_ms: int) -> bool:
    """Return True if an earlier table has rows to move."""
    lease_bounds = now_ms, now_ms + lease_ms + MAX_CLOCK_SKEW_MS
    return await database.look_up(_SELECT_ANY, *lease_bounds, *lease_bounds, now_ms, now_ms + DAY_MS) is not None


async def move_work(db: Session, now_ms: int, lease_ms: int) -> None:
    """Move some of the messages and mails that no worker of the previous version has leased."""
    await _move_mails(db, now_ms, lease_ms)
    await _move_deliveries(db, now_ms, lease_ms)
    await _move_digests(db, now_ms)


async def _move_mails(db: Session, now_ms: int, lease_ms: int) -> None:
    query = select(WaitingMail).where(_is_free(WaitingMail.leased_until_ms, now_ms, lease_ms))
    mails = (await db.scalars(query.limit(_MAX_ROWS))).all()
    for mail in mails:
        await _add_item(
            db,
            WorkItem(
                id=mail.id,
                type="mail",
                lane=mail.id,
                workspace_id="",
                payload=mail.letter,
                attempts=mail.attempts,
                created_at_ms=mail.created_at_ms,
                due_ms=mail.next_attempt_ms,
            ),
        )
    await db.execute(delete(WaitingMail).where(WaitingMail.id.in_([mail.id for mail in mails])))


async def _move_deliveries(db: Session, now_ms: int, lease_ms: int) -> None:
    query = select(Delivery, AlertChannel).join(AlertChannel, AlertChannel.id == Delivery.channel_id)
    is_movable = Delivery.next_attempt_ms.is_not(None) & _is_free(Delivery.leased_until_ms, now_ms, lease_ms)
    for delivery, channel in (await db.execute(query.where(is_movable).limit(_MAX_ROWS))).all():
        await _add_item(
            db,
            WorkItem(
                id=delivery.id,
                type="mail_delivery" if channel.type == "email" else "delivery",
                lane=channel.id,
                workspace_id=channel.workspace_id,
                payload=delivery.message,
                attempts=delivery.attempts,
                created_at_ms=delivery.created_at_ms,
                due_ms=delivery.next_attempt_ms,
            ),
        )
        delivery.next_attempt_ms = delivery.leased_until_ms = None
    await db.flush()


async def _move_digests(db: Session, now_ms: int) -> None:
    """Move the sendings with due mails; a due time in the future may be the lease of an attempt in progress."""
    is_due = or_(DigestLetter.next_attempt_ms <= now_ms, DigestLetter.next_attempt_ms > now_ms + DAY_MS)
    query = (
        select(DigestLetter, DigestSending, Digest.workspace_id)
        .join(DigestSending, DigestSending.id == DigestLetter.sending_id)
        .join(Digest, Digest.id == DigestSending.digest_id)
    )
    for mail, sending, workspace_id in (await db.execute(query.where(is_due).limit(_MAX_ROWS))).all():
        await _add_item(
            db,
            WorkItem(
                id=sending.id,
                type="digest",
                lane=workspace_id,
                workspace_id=workspace_id,
                payload="",
                attempts=mail.attempts,
                created_at_ms=sending.created_at_ms,
                due_ms=now_ms,
            ),
        )
        mail.next_attempt_ms = None
    await db.flush()


async def _add_item(db: Session, new_item: WorkItem) -> None:
    """Add an item, or make the waiting item with this id due as early as the new one."""
    item = await db.get(WorkItem, new_item.id)
    if item is None:
        db.add(new_item)
    else:
        item.due_ms = min(item.due_ms, new_item.due_ms)
    await db.flush()


class PreviousJob(NamedTuple):
    """A job of the previous version: when it is due, and until when a worker of that version runs it, if one does."""

    due_ms: int
    other_lease_end_ms: int | None


async def has_jobs(db: Session, names: Sequence[str]) -> bool:
    """Return True if the previous version had one of these jobs."""
    return await db.scalar(select(ScheduledJob.name).where(ScheduledJob.name.in_(names)).limit(1)) is not None


async def hold_job(db: Session, name: str, now_ms: int, lease_ms: int, *, is_alone: bool) -> PreviousJob | None:
    """Lease a job of the previous version, so that only the queue runs it; None if that version had no such job.

    `is_alone` means that there is only one server, so that the job is deleted instead.
    """
    job = await db.get(ScheduledJob, name)
    if job is None:
        return None
    previous_job = PreviousJob(job.due_ms, None)
    lease_end_ms, latest_end_ms = job.leased_until_ms or 0, now_ms + lease_ms + MAX_CLOCK_SKEW_MS
    if is_alone:
        await db.delete(job)
    elif job.leased_by != _HOLDER_ID and now_ms < lease_end_ms <= latest_end_ms:
        return previous_job._replace(other_lease_end_ms=lease_end_ms)
    else:
        job.leased_by, job.leased_until_ms = _HOLDER_ID, now_ms + lease_ms
    await db.flush()
    return previous_job


async def record_job(db: Session, name: str, next_due_ms: int) -> None:
    """Record when a job is due next where workers of the previous version look."""
    await db.execute(update(ScheduledJob).where(ScheduledJob.name == name).values(due_ms=next_due_ms, failures=0))


def _is_free(lease_end: InstrumentedAttribute[int | None], now_ms: int, lease_ms: int) -> ColumnElement[bool]:
    return or_(lease_end.is_(None), lease_end <= now_ms, lease_end > now_ms + lease_ms + MAX_CLOCK_SKEW_MS)
