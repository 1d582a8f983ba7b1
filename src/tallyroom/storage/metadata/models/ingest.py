"""What the workers of an installation must agree on before they accept events.

No row here points to another table: a worker writes down what has happened already, which must not fail.
"""

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model

_IS_OPEN = text("accepted IS NULL")


class IdempotencyKey(Model):
    """The key of one request, and the spool of the worker that has taken it.

    `accepted` is the number of events, and `received_ms` when the last of them was received; both are None until they
    are durable. `fingerprint` is that of the body.
    """

    __tablename__ = "idempotency_keys"
    __table_args__ = (
        Index(None, "at_ms"),
        Index("ix_idempotency_keys_open", "spool", sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN),
    )

    workspace_id: Mapped[str] = mapped_column(primary_key=True)
    environment: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    fingerprint: Mapped[str]
    spool: Mapped[int]
    accepted: Mapped[int | None]
    received_ms: Mapped[int | None]
    at_ms: Mapped[int]


class EventGrant(Model):
    """How many events of a UTC month one worker may count, and how many it has counted; both can change at any time.

    What it has counted may be more, on the plan that has no cap.
    """

    __tablename__ = "event_grants"

    workspace_id: Mapped[str] = mapped_column(primary_key=True)
    month: Mapped[int] = mapped_column(primary_key=True)
    spool: Mapped[int] = mapped_column(primary_key=True)
    granted: Mapped[int]
    used: Mapped[int]
