"""Erasures that several workers share, each of which erases the events of the spools that it keeps.

No row here references another table, so that erasing an environment blocks nothing.
"""

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model


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
