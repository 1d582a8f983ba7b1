"""What questions have read of each property, in the metadata.

A read counts less the older it is: by 1/e for each 14 days. So that counts can be added without reading them first, a
newer read counts more instead, and the sum is scaled down when it is looked at.
"""

import math
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from sqlalchemy import delete, func, select, text, update

from tallyroom.core.times import DAY_MS
from tallyroom.storage.event_store.property_columns.reads import MAX_PROPERTIES, ReadVolume
from tallyroom.storage.event_store.property_columns.slots import PropertyRead
from tallyroom.storage.metadata.connection import Session
from tallyroom.storage.metadata.models import PropertyReadTotal

DECAY_MS: Final = 14 * DAY_MS
_EPOCH_MS: Final = 1_767_225_600_000  # 2026-01-01, when a read of a byte counts as one
_MAX_EXPONENT: Final = 600.0  # until 2048, or if a clock is wrong; a number can be somewhat larger

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
        {
            "map_name": map_name,
            "prop_key": key,
            "weight": volume.byte_count * _weigh_byte(volume.read_ms),
            "read_ms": volume.read_ms,
        }
        for (map_name, key), volume in sorted(volume_by_read.items())  # in one order, so that workers do not deadlock
    ]
    await db.execute(_ADD_READ, rows)


async def list_uses(db: Session, now_ms: int, column_keys: Collection[str] = ()) -> list[PropertyUse]:
    """List the properties that questions have read most, and all with `column_keys`; the most bytes come first."""
    weight = PropertyReadTotal.weight
    least_heavy_weight = select(weight).order_by(weight.desc()).offset(MAX_PROPERTIES - 1).limit(1).scalar_subquery()
    is_heavy = weight >= func.coalesce(least_heavy_weight, 0)
    totals = await db.scalars(
        select(PropertyReadTotal)
        .where(is_heavy | PropertyReadTotal.prop_key.in_(column_keys))
        .order_by(weight.desc(), PropertyReadTotal.prop_key, PropertyReadTotal.map_name)
    )
    return [
        PropertyUse(PropertyRead(total.map_name, total.prop_key), total.weight / _weigh_byte(now_ms), total.read_ms)
        for total in totals
    ]


async def rewind_reads(db: Session, now_ms: int) -> None:
    """Treat reads that a clock, since set back, has dated in the future as reads of now."""
    is_future = PropertyReadTotal.read_ms > now_ms + DAY_MS
    for read_ms in list(await db.scalars(select(PropertyReadTotal.read_ms).where(is_future).distinct())):
        weight = PropertyReadTotal.weight * (_weigh_byte(now_ms) / _weigh_byte(read_ms))
        is_of_time = PropertyReadTotal.read_ms == read_ms
        await db.execute(update(PropertyReadTotal).where(is_of_time).values(weight=weight, read_ms=now_ms))


async def forget_reads(db: Session, property_reads: Collection[PropertyRead]) -> None:
    """Forget what was read of some properties."""
    for map_name, key in property_reads:
        is_this_total = (PropertyReadTotal.map_name == map_name) & (PropertyReadTotal.prop_key == key)
        await db.execute(delete(PropertyReadTotal).where(is_this_total))


async def forget_old_reads(db: Session, before_ms: int) -> None:
    """Forget the properties that no question has read since a time."""
    await db.execute(delete(PropertyReadTotal).where(PropertyReadTotal.read_ms < before_ms))


def _weigh_byte(read_ms: int) -> float:
    """Return how much a byte counts that was read at a time."""
    exponent = (read_ms - _EPOCH_MS) / DECAY_MS
    return math.exp(max(-_MAX_EXPONENT, min(_MAX_EXPONENT, exponent)))
