"""Compares what the event store holds with what it should hold, and names what is missing."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from tallyroom.core.times import MAX_DATETIME_MS, month_bounds_ms
from tallyroom.storage.event_store.damage import Damage
from tallyroom.storage.event_store.detached_parts import DetachedPart
from tallyroom.storage.event_store.part_check import CheckedPart
from tallyroom.storage.event_store.tables import EVENTS
from tallyroom.storage.spool.event_counts import SpoolCounts
from tallyroom.storage.spool.expected_counts import UNKNOWN_MONTH, ExpectedCounts, SpoolMonth


class StoreComparison(NamedTuple):
    """The counts of the spool, and what the store must hold and does hold, at one moment."""

    spool_counts: SpoolCounts
    expected_counts: ExpectedCounts
    stored_by_spool_month: dict[SpoolMonth, int]

    @property
    def own_event_count(self) -> int:
        """The number of this spool's events in the store."""
        counts_by_spool_month, own_spool_id = self.stored_by_spool_month, self.spool_counts.spool
        return sum(count for (spool_id, _), count in counts_by_spool_month.items() if spool_id == own_spool_id)

    @property
    def missing_count(self) -> int:
        """The number of this spool's events that should be in the store but are not."""
        return self.spool_counts.expected_in_store - self.own_event_count


def count_other_spools_events(comparison: StoreComparison) -> Mapping[SpoolMonth, int]:
    """Return the events in the store that came through other spools and are not expected yet."""
    expected = comparison.expected_counts.expected_by_spool_month
    return {
        spool_month: event_count - expected.get(spool_month, 0)
        for spool_month, event_count in comparison.stored_by_spool_month.items()
        if spool_month[0] != comparison.spool_counts.spool and event_count > expected.get(spool_month, 0)
    }


def find_damages(comparison: StoreComparison, detached_parts: Sequence[DetachedPart]) -> Iterator[Damage]:
    """Yield the parts set aside and the missing rows, each event once if the parts record their row counts."""
    missing_count_by_month = comparison.expected_counts.count_missing(comparison.stored_by_spool_month)
    is_unknown_month_missing = UNKNOWN_MONTH in missing_count_by_month
    damages = [(part, part.build_damage()) for part in detached_parts]
    for part, damage in sorted(damages, key=lambda pair: pair[1].row_count is None):  # known row counts first
        month = int(part.partition) if part.table == EVENTS else UNKNOWN_MONTH
        counted_month = month if month in missing_count_by_month else UNKNOWN_MONTH
        if part.table != EVENTS or not comparison.expected_counts.is_known:
            yield damage
        elif month in missing_count_by_month or is_unknown_month_missing:
            missing_count = missing_count_by_month.get(counted_month, 0)
            row_count = max(0, missing_count) if damage.row_count is None else damage.row_count
            yield msgspec.structs.replace(damage, row_count=row_count or damage.row_count)
            missing_count_by_month[counted_month] = missing_count - row_count
    for month, missing_count in missing_count_by_month.items():
        if missing_count > 0:
            time_range = (0, MAX_DATETIME_MS) if month == UNKNOWN_MONTH else month_bounds_ms(month)
            yield Damage(EVENTS, "", "missing", missing_count, *time_range)


def build_unreadable_damage(part: CheckedPart) -> Damage:
    """Return the damage of a part that cannot be read."""
    month = part.part.partition("_")[0]
    time_range = month_bounds_ms(int(month)) if part.table == EVENTS else (0, MAX_DATETIME_MS)
    return Damage(part.table, part.part, "cannot be read", part.row_count, *time_range)
