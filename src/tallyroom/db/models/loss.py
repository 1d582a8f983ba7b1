"""What was lost and is known to be."""

from sqlalchemy import Integer
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class Loss(Model):
    """A start that the operator let go on without something, and what that was, as a sentence."""

    __tablename__ = "losses"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    at_ms: Mapped[int]
    what: Mapped[str]
