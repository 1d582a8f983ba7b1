"""What waits in the queue, and what its handlers do with it (rules/safety#queue)."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, Protocol

from tallyroom.core.times import DAY_MS, HOUR_MS
from tallyroom.storage.metadata.connection import Session

ItemType = Literal["delivery", "mail_delivery", "mail", "digest", "job"]
"""A message to a channel, to a channel that is a mailbox, a mail, the mails of a digest, or a scheduled job."""


class NewItem(NamedTuple):
    """An item to queue: items of one `lane` are handled one at a time, and workspaces take turns.

    Attempts stop at an age that counts from `created_at_ms`. Only the handler of the type reads `payload`.
    """

    id: str
    type: ItemType
    lane: str
    created_at_ms: int
    workspace_id: str = ""
    payload: str = ""


class ClaimedItem(NamedTuple):
    """An item of the queue that this worker has leased; `attempts` counts the failed ones."""

    id: str
    type: ItemType
    lane: str
    workspace_id: str
    payload: str
    attempts: int
    created_at_ms: int


class Done(NamedTuple):
    """The work is done; the item is due again at `next_due_ms`, or ends if that is None."""

    next_due_ms: int | None = None


class Deferred(NamedTuple):
    """The attempt failed, but another may succeed, at the earliest after `retry_after_ms`."""

    reason: str
    retry_after_ms: int = 0


class Postponed(NamedTuple):
    """Something else must happen before the attempt; the item keeps its place, and its lane waits for `pause_ms`.

    The attempt does not count. The pause is shorter than a lease.
    """

    reason: str
    pause_ms: int


class Refused(NamedTuple):
    """The attempt failed, and so would every other."""

    reason: str


class Dropped(NamedTuple):
    """The work is not needed any more; nothing is recorded."""


Outcome = Done | Deferred | Postponed | Refused | Dropped


class HandlingLimits(NamedTuple):
    """How one worker handles the items of a type.

    Attributes:
        max_concurrent: how many items are handled at once.
        max_pause_ms: the longest pause between two attempts.
        max_age_ms: the age at which attempts stop; None if they never stop. An item that is due later than this has a
            wrong time.
        attempt_seconds: how long an attempt may take; None if there is no limit.
        stop_seconds: how long a stopping server waits for attempts in progress before it cancels them.
    """

    max_concurrent: int
    max_pause_ms: int
    max_age_ms: int | None
    attempt_seconds: float | None = None
    stop_seconds: float = 5.0


MESSAGE_LIMITS: Final = HandlingLimits(2, 3 * HOUR_MS, DAY_MS, attempt_seconds=45.0)
"""The limits of messages and mails; an attempt is shorter than a lease."""


class Handler(Protocol):
    """Handles the items of one type."""

    type: ItemType
    limits: HandlingLimits

    @property
    def item_ids(self) -> Sequence[str] | None:
        """The items that this worker handles, because others belong to other workers; None for all of the type."""
        ...

    async def run(self, item: ClaimedItem) -> Outcome:
        """Make one attempt. `Unavailable`, `RateLimited` and any unexpected error count as `Deferred`."""
        ...

    async def record(self, db: Session, item: ClaimedItem, outcome: Outcome) -> None:
        """Record an outcome, unless it is `Dropped`, in the transaction that ends or postpones the item.

        If another attempt would come too late, a `Deferred` arrives as `Refused`.
        """
        ...
