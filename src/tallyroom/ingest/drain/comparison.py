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


class Count(NamedTuple):
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
    def own(self) -> int:
        """The number of this spool's events in the store."""
        return sum(events for (spool, _), events in self.store_events.items() if spool == self.numbers.spool)

    @property
    def missing(self) -> int:
        """The number of this spool's events that should be in the store and are not."""
        return self.numbers.expected - self.own


def of_other_spools(count: Count) -> Mapping[SpoolMonth, int]:
    """Return the events in the store that did not come through this spool and are not in the stock yet."""
    return {
        heap: events - count.stock.event_counts.get(heap, 0)
        for heap, events in count.store_events.items()
        if heap[0] != count.numbers.spool and events > count.stock.event_counts.get(heap, 0)
    }


def losses(count: Count, parts: Sequence[DetachedPart]) -> Iterator[Damage]:
    """Yield what is set aside and what is missing, each event once as far as the parts tell their number of rows."""
    missing = count.stock.count_missing(count.store_events)
    anywhere = UNKNOWN_MONTH in missing
    damages = [(part, part.damage()) for part in parts]
    for part, damage in sorted(damages, key=lambda pair: pair[1].rows is None):  # parts that know their rows first
        month = int(part.partition) if part.table == EVENTS else UNKNOWN_MONTH
        key = month if month in missing else UNKNOWN_MONTH
        if part.table != EVENTS or not count.stock.is_known:
            yield damage
        elif month in missing or anywhere:
            rows = damage.rows if damage.rows is not None else max(0, missing.get(key, 0))
            yield msgspec.structs.replace(damage, rows=rows or damage.rows)
            missing[key] = missing.get(key, 0) - rows
    for month, events in missing.items():
        if events > 0:
            span = (0, MAX_DATETIME_MS) if month == UNKNOWN_MONTH else month_bounds_ms(month)
            yield Damage(EVENTS, "", "missing", events, *span)


def is_any_of(parts: Sequence[DetachedPart], table: str) -> bool:
    """Return whether a part of the table is among these."""
    return any(part.table == table for part in parts)


def no_longer_hidden(events: int) -> Iterator[Damage]:
    """Yield the damage if events are no longer hidden although nobody has shown them."""
    if events:
        yield Damage(HIDDEN_EVENTS, "", "missing", events)


def unreadable(part: CheckedPart) -> Damage:
    """Return the damage of a part that cannot be read."""
    month = part.part.partition("_")[0]
    span = month_bounds_ms(int(month)) if part.table == EVENTS else (0, MAX_DATETIME_MS)
    return Damage(part.table, part.part, "cannot be read", part.rows, *span)
