"""Lines fed to listings, on their way into the event store."""

from sqlalchemy import Index, Integer
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class FeedOutbox(Model):
    """Lines for one table of the event store, written in the transaction that accepted them.

    They are deleted when the store has them.
    """

    __tablename__ = "feed_outbox"
    __table_args__ = (Index(None, "table_name", "id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    table_name: Mapped[str]
    lines: Mapped[bytes]
