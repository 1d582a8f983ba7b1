"""Compares what the event store holds with what it should hold, and names what is gone."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from tallyroom.core.times import MAX_DATETIME_MS, month_bounds_ms
from tallyroom.storage.event_store.damage import Damage
from tallyroom.storage.event_store.detached_parts import DetachedPart
from tallyroom.storage.event_store.part_check import CheckedPart
from tallyroom.storage.event_store.tables import EVENTS, HIDDEN_EVENTS
from tallyroom.storage.spool.event_counts import SpoolNumbers
from tallyroom.storage.spool.expected_counts import UNKNOWN_MONTH, ExpectedCounts, SpoolMonth


class StoreCount(NamedTuple):
    """The numbers of spool and store at one moment.

    Attributes:
        numbers: the spool's counts.
        stock: what the store must hold.
        store_events: what the store holds.
    """

    numbers: SpoolNumbers
    stock: ExpectedCounts
    store_events: dict[SpoolMonth, int]

    @property
    def own_event_count(self) -> int:
        """The number of this spool's events in the store."""
        return sum(events for (spool, _), events in self.store_events.items() if spool == self.numbers.spool)

    @property
    def missing(self) -> int:
        """The number of this spool's events that should be in the store and are not."""
        return self.numbers.expected - self.own_event_count


def find_other_spools_events(count: StoreCount) -> Mapping[SpoolMonth, int]:
    """Return the events in the store that did not come through this spool and are not in the stock yet."""
    return {
        heap: events - count.stock.event_counts.get(heap, 0)
        for heap, events in count.store_events.items()
        if heap[0] != count.numbers.spool and events > count.stock.event_counts.get(heap, 0)
    }


def find_losses(count: StoreCount, parts: Sequence[DetachedPart]) -> Iterator[Damage]:
    """Yield what is set aside and what is missing, each event once as far as the parts tell their number of rows."""
    missing_counts = count.stock.count_missing(count.store_events)
    is_any_month_missing = UNKNOWN_MONTH in missing_counts
    damages = [(part, part.damage()) for part in parts]
    for part, damage in sorted(damages, key=lambda pair: pair[1].rows is None):  # parts that know their rows first
        month = int(part.partition) if part.table == EVENTS else UNKNOWN_MONTH
        key = month if month in missing_counts else UNKNOWN_MONTH
        if part.table != EVENTS or not count.stock.is_known:
            yield damage
        elif month in missing_counts or is_any_month_missing:
            rows = damage.rows if damage.rows is not None else max(0, missing_counts.get(key, 0))
            yield msgspec.structs.replace(damage, rows=rows or damage.rows)
            missing_counts[key] = missing_counts.get(key, 0) - rows
    for month, events in missing_counts.items():
        if events > 0:
            time_range = (0, MAX_DATETIME_MS) if month == UNKNOWN_MONTH else month_bounds_ms(month)
            yield Damage(EVENTS, "", "missing", events, *time_range)


def has_part_of(parts: Sequence[DetachedPart], table: str) -> bool:
    """Return whether a part of the table is among these."""
    return any(part.table == table for part in parts)


def find_unhidden_damage(event_count: int) -> Iterator[Damage]:
    """Yield the damage if events are no longer hidden although nobody has shown them."""
    if event_count:
        yield Damage(HIDDEN_EVENTS, "", "missing", event_count)


def build_damage(part: CheckedPart) -> Damage:
    """Return the damage of a part that cannot be read."""
    month = part.part.partition("_")[0]
    time_range = month_bounds_ms(int(month)) if part.table == EVENTS else (0, MAX_DATETIME_MS)
    return Damage(part.table, part.part, "cannot be read", part.rows, *time_range)
