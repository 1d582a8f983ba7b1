"""The installation: its stamp and its losses."""

from sqlalchemy import Integer
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model


class Installation(Model):
    """The metadata's stamp: one row, created by the first start.

    All three parts have reached `epoch` (0 before the first); until `begun` is settled, some may have it.
    """

    __tablename__ = "installation"

    id: Mapped[str] = mapped_column(primary_key=True)
    epoch: Mapped[int]
    begun: Mapped[int | None]


class Loss(Model):
    """A start that the operator allowed to continue without some data, and a sentence that says which data."""

    __tablename__ = "losses"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    at_ms: Mapped[int]
    what: Mapped[str]
