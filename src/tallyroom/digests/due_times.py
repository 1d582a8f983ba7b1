"""Claims due times: each is stored once, with a mail for each recipient, before anything is sent.

See rules/digests#once-for-each-due-time.
"""

from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.digests import repository
from tallyroom.digests.calendar import DigestCadence, DigestCalendar
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Digest, DigestLetter, DigestSending
from tallyroom.storage.queue.item import NewItem
from tallyroom.storage.queue.repository import enqueue

HISTORY_MS = 90 * DAY_MS
"""How long the history of sent mails is kept."""


def calendar_of(digest: Digest) -> DigestCalendar:
    """Return when a digest is due."""
    cadence: DigestCadence = digest.cadence  # type: ignore[assignment] # only such are stored
    return DigestCalendar(cadence, digest.send_hour, digest.weekday, digest.day_of_month, digest.timezone)


async def claim_due_time(db: Session, digest_id: str, clock: Clock, id_generator: IdGenerator) -> DigestSending | None:
    """Claim the newest due time of a digest; None if another worker has claimed it.

    Earlier due times that were missed are skipped, and the digest is due again at the next one.
    """
    now_ms = clock.now_ms()
    digest_row = await repository.find_digest_with_dashboard(db, digest_id)
    if digest_row is None or digest_row.digest.next_due_ms is None or digest_row.digest.next_due_ms > now_ms:
        return None
    calendar = calendar_of(digest_row.digest)
    due_ms = calendar.latest_due_ms(now_ms)
    digest_row.digest.next_due_ms = calendar.next_due_ms(now_ms)
    await repository.forget_sendings(db, digest_id, now_ms - HISTORY_MS)
    return await _add_sending(db, digest_row.digest, due_ms, clock, id_generator)


async def bring_digest_forward(db: Session, digest_id: str, clock: Clock) -> None:
    """Make a digest due at its next time, if it waits for a later one because the clock was set back."""
    now_ms = clock.now_ms()
    digest_row = await repository.find_digest_with_dashboard(db, digest_id)
    if digest_row is not None and digest_row.digest.next_due_ms is not None:
        digest_row.digest.next_due_ms = min(
            digest_row.digest.next_due_ms, calendar_of(digest_row.digest).next_due_ms(now_ms)
        )


async def create_sending_now(db: Session, digest: Digest, clock: Clock, id_generator: IdGenerator) -> DigestSending:
    """Begin to send a digest regardless of its calendar."""
    due_ms = clock.now_ms()
    while due_ms % MINUTE_MS == 0 or await repository.find_sending(db, digest.id, due_ms):
        due_ms += 1  # whole minutes are for the calendar
    sending = await _add_sending(db, digest, due_ms, clock, id_generator)
    if sending is None:
        raise TypeError("a due time that was free is taken within one transaction")
    return sending


async def _add_sending(
    db: Session, digest: Digest, due_ms: int, clock: Clock, id_generator: IdGenerator
) -> DigestSending | None:
    """Store a sending with its mails; None if this due time has one."""
    if await repository.find_sending(db, digest.id, due_ms) is not None:
        return None
    now_ms = clock.now_ms()
    sending = DigestSending(id=id_generator.new(), digest_id=digest.id, due_ms=due_ms, created_at_ms=now_ms)
    recipients = await repository.list_recipients(db, [digest.id])
    await repository.add_rows(db, sending)
    mails = [
        DigestLetter(
            sending_id=sending.id,
            recipient=recipient.recipient,
            address=recipient.address,
            position=recipient.position,
            status=repository.WAITING,
            attempts=0,
            error=None,
            next_attempt_ms=None,
            sent_at_ms=None,
        )
        for recipient in recipients
        if recipient.unsubscribed_ms is None
    ]
    await repository.add_rows(db, *mails)
    workspace_id = digest.workspace_id
    new_item = NewItem(sending.id, "digest", lane=workspace_id, created_at_ms=now_ms, workspace_id=workspace_id)
    await enqueue(db, new_item, now_ms)
    return sending
