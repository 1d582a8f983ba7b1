"""Known losses of data."""

from sqlalchemy import Integer
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.db.models.declarative import Model


class Loss(Model):
    """A start that the operator allowed to continue without some data, and a sentence that says which."""

    __tablename__ = "losses"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    at_ms: Mapped[int]
    what: Mapped[str]
