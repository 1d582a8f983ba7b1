"""What questions read of properties."""

from sqlalchemy import BigInteger, Double
from sqlalchemy.orm import Mapped, mapped_column

from tallyroom.storage.metadata.models.declarative import Model


class PropertyReadTotal(Model):
    """How much questions have read of a property in one of the maps of the event store.

    `weight` is in bytes, each of which counts more the later it was read (operations/property_columns/repository.py).
    """

    __tablename__ = "property_read_totals"

    map_name: Mapped[str] = mapped_column(primary_key=True)
    prop_key: Mapped[str] = mapped_column(primary_key=True)
    weight: Mapped[float] = mapped_column(Double)
    read_ms: Mapped[int] = mapped_column(BigInteger)
