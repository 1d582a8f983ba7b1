"""The installation: its stamp and its losses."""

from sqlalchemy import Integer
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model


class Installation(Model):
    """The metadata's stamp: one row with the `epoch` that all parts have reached, and one that some have `begun`."""

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
