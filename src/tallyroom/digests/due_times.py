"""Claims due times: each is written down once, with a mail for each recipient, before anything is sent.

See rules/digests#once-for-each-due-time.
"""

from tallyroom.core.clock import Clock
from tallyroom.core.ids import Ids
from tallyroom.core.times import DAY_MS, MINUTE_MS
from tallyroom.digests import repository
from tallyroom.digests.calendar import Calendar, DigestCadence
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import Digest, DigestLetter, DigestSending

KEPT_MS = 90 * DAY_MS
"""How long it is known which mails were sent."""


def calendar_of(digest: Digest) -> Calendar:
    """Return when a digest is due."""
    cadence: DigestCadence = digest.cadence  # type: ignore[assignment] # only such are stored
    return Calendar(cadence, digest.send_hour, digest.weekday, digest.day_of_month, digest.timezone)


async def claim_due(db: Session, digest_id: str, clock: Clock, ids: Ids) -> DigestSending | None:
    """Claim the newest due time of a digest; None if somebody else has claimed it.

    Due times that were missed before it are passed over, and the digest is due again at the next one.
    """
    now = clock.now_ms()
    placed_digest = await repository.find_digest(db, digest_id)
    if placed_digest is None or placed_digest.digest.next_due_ms is None or placed_digest.digest.next_due_ms > now:
        return None
    calendar = calendar_of(placed_digest.digest)
    due = calendar.latest(now)
    placed_digest.digest.next_due_ms = calendar.following(now)
    await repository.forget_sendings(db, digest_id, now - KEPT_MS)
    return await _begin(db, placed_digest.digest, due, clock, ids)


async def bring_forward(db: Session, digest_id: str, clock: Clock) -> None:
    """Make a digest due at its next time, if it waits for a later one because the clock was set back."""
    now = clock.now_ms()
    placed_digest = await repository.find_digest(db, digest_id)
    if placed_digest is not None and placed_digest.digest.next_due_ms is not None:
        placed_digest.digest.next_due_ms = min(
            placed_digest.digest.next_due_ms, calendar_of(placed_digest.digest).following(now)
        )


async def begin_now(db: Session, digest: Digest, clock: Clock, ids: Ids) -> DigestSending:
    """Begin to send a digest regardless of its calendar."""
    due = clock.now_ms()
    while due % MINUTE_MS == 0 or await repository.find_sending(db, digest.id, due):
        due += 1  # whole minutes are for the calendar
    sending = await _begin(db, digest, due, clock, ids)
    if sending is None:
        raise TypeError("a due time that was free is taken within one transaction")
    return sending


async def _begin(db: Session, digest: Digest, due_ms: int, clock: Clock, ids: Ids) -> DigestSending | None:
    """Write down a sending with its mails; None if this due time has one."""
    if await repository.find_sending(db, digest.id, due_ms) is not None:
        return None
    now = clock.now_ms()
    sending = DigestSending(id=ids.new(), digest_id=digest.id, due_ms=due_ms, created_at_ms=now)
    recipients = await repository.list_recipients(db, [digest.id])
    await repository.add(db, sending)
    letters = [
        DigestLetter(
            sending_id=sending.id,
            recipient=recipient.recipient,
            address=recipient.address,
            position=recipient.position,
            status=repository.WAITING,
            attempts=0,
            error=None,
            next_attempt_ms=now,
            sent_at_ms=None,
        )
        for recipient in recipients
        if recipient.unsubscribed_ms is None
    ]
    await repository.add(db, *letters)
    return sending
