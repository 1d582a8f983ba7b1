"""What several workers share: keys and grants, on which they agree before they accept events, and erasures.

No row here references another table: a worker records what has already happened, and that must not fail.
"""

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model, build_partial_index

_HAS_POSITION = text("queue_position IS NOT NULL")


class IdempotencyKey(Model):
    """The key of one request with the body's fingerprint, and the spool of the worker that has taken it.

    `accepted`, the number of events, and `received_ms`, the last receipt, are None until the events are durable. So is
    `queue_position`, which is always None without a `queue`, below `api_key_id`; the newest key has the highest one.
    """

    __tablename__ = "idempotency_keys"
    __table_args__ = (
        build_partial_index("ix_idempotency_keys_open", "spool", "accepted IS NULL"),
        build_partial_index("ix_idempotency_keys_single", "at_ms", "queue_position IS NULL"),
        Index("ix_idempotency_keys_queue", "api_key_id", "queue", "queue_position", sqlite_where=_HAS_POSITION),
    )

    workspace_id: Mapped[str] = mapped_column(primary_key=True)
    environment: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    fingerprint: Mapped[str]
    spool: Mapped[int]
    accepted: Mapped[int | None]
    received_ms: Mapped[int | None]
    at_ms: Mapped[int]
    api_key_id: Mapped[str | None]
    queue: Mapped[str | None]
    queue_position: Mapped[int | None]


class IdempotencyQueue(Model):
    """A queue of an API key's idempotency keys: its newest position, and when it got it."""

    __tablename__ = "idempotency_queues"
    __table_args__ = (Index(None, "used_ms"), Index(None, "api_key_id", "used_ms"))

    api_key_id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    last_position: Mapped[int]
    used_ms: Mapped[int]


class EventGrant(Model):
    """How many events of a UTC month one worker may count, and how many it has counted; both can change at any time.

    On the plan without a cap, it may have counted more.
    """

    __tablename__ = "event_grants"

    workspace_id: Mapped[str] = mapped_column(primary_key=True)
    month: Mapped[int] = mapped_column(primary_key=True)
    spool: Mapped[int] = mapped_column(primary_key=True)
    granted: Mapped[int]
    used: Mapped[int]


class SharedErasure(Model):
    """An erasure under way, of an actor or (None) of an environment, and the number of events erased so far."""

    __tablename__ = "shared_erasures"

    id: Mapped[str] = mapped_column(primary_key=True)
    workspace_id: Mapped[str]
    environment: Mapped[str]
    actor: Mapped[str | None]
    erased: Mapped[int]
    asked_at_ms: Mapped[int]


class ErasurePart(Model):
    """The part of an erasure that the worker on one spool has not done yet."""

    __tablename__ = "erasure_parts"
    __table_args__ = (Index(None, "spool"),)

    erasure_id: Mapped[str] = mapped_column(primary_key=True)
    spool: Mapped[int] = mapped_column(primary_key=True)
