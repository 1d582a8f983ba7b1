"""What questions have read of each property, in the metadata.

A read counts less the older it is: by 1/e for each 14 days. So that counts can be added without reading them first, a
newer read counts more instead, and the sum is scaled down when it is looked at.
"""

import math
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from sqlalchemy import delete, select, text

from tallyroom.core.times import DAY_MS
from tallyroom.storage.event_store.property_columns.reads import MAX_PROPERTIES, ReadVolume
from tallyroom.storage.event_store.property_columns.slots import PropertyRead
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import PropertyReadTotal

DECAY_MS: Final = 14 * DAY_MS
_EPOCH_MS: Final = 1_767_225_600_000  # 2026-01-01, when a read of a byte counts as one

_ADD_READ = text(
    "INSERT INTO property_read_totals (map_name, prop_key, weight, read_ms)"
    " VALUES (:map_name, :prop_key, :weight, :read_ms) ON CONFLICT (map_name, prop_key)"
    " DO UPDATE SET weight = property_read_totals.weight + excluded.weight, read_ms = excluded.read_ms"
)


class PropertyUse(NamedTuple):
    """A property with the bytes that questions read of it, older ones counted less, and when one last did."""

    property_read: PropertyRead
    byte_count: float
    read_ms: int


async def add_reads(db: Session, volume_by_read: Mapping[PropertyRead, ReadVolume]) -> None:
    """Add what one worker's questions have read."""
    rows = [
        {"map_name": map_name, "prop_key": key, "weight": _weigh(volume), "read_ms": volume.read_ms}
        for (map_name, key), volume in sorted(volume_by_read.items())  # in one order, so that workers do not deadlock
    ]
    await db.execute(_ADD_READ, rows)


async def list_uses(db: Session, now_ms: int) -> list[PropertyUse]:
    """List the properties that questions have read, those with the most bytes first."""
    scale = math.exp((_EPOCH_MS - now_ms) / DECAY_MS)
    heaviest_first = PropertyReadTotal.weight.desc(), PropertyReadTotal.prop_key
    totals = await db.scalars(select(PropertyReadTotal).order_by(*heaviest_first).limit(MAX_PROPERTIES))
    return [
        PropertyUse(PropertyRead(total.map_name, total.prop_key), total.weight * scale, total.read_ms)
        for total in totals
    ]


async def forget_reads(db: Session, property_reads: Collection[PropertyRead]) -> None:
    """Forget what was read of some properties."""
    for map_name, key in property_reads:
        is_this_total = (PropertyReadTotal.map_name == map_name) & (PropertyReadTotal.prop_key == key)
        await db.execute(delete(PropertyReadTotal).where(is_this_total))


async def forget_old_reads(db: Session, before_ms: int) -> None:
    """Forget the properties that no question has read since a time."""
    await db.execute(delete(PropertyReadTotal).where(PropertyReadTotal.read_ms < before_ms))


def _weigh(volume: ReadVolume) -> float:
    return volume.byte_count * math.exp((volume.read_ms - _EPOCH_MS) / DECAY_MS)
