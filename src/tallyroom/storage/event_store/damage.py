"""What is missing from the event store, for operators to repair and answers to mention (rules/safety#damaged-parts)."""

import logging
from collections.abc import Iterable

import msgspec

from tallyroom.core.notices import Notice
from tallyroom.core.times import MAX_DATETIME_MS, iso_ms
from tallyroom.storage.event_store.tables import EVENT_TABLES, HIDDEN_EVENTS

_MAX_LISTED = 5

_log = logging.getLogger(__name__)


class Damage(msgspec.Struct, frozen=True, order=True):
    """Rows that answers lack."""

    table: str
    part: str  # "" if no named part is left
    problem: str
    row_count: int | None = None  # None if unknown
    from_ms: int = 0
    until_ms: int = MAX_DATETIME_MS  # inclusive

    def __str__(self) -> str:
        part_path = f"{self.table}/{self.part}" if self.part else self.table
        rows_text = "" if self.row_count is None else f", {self.row_count:,} rows"
        is_unlimited = (self.from_ms, self.until_ms) == (0, MAX_DATETIME_MS)
        time_text = "" if is_unlimited else f" from {iso_ms(self.from_ms)} to {iso_ms(self.until_ms)}"
        return f"{part_path}: {self.problem}{rows_text}{time_text}"


class DamageList:
    """All damage that the last check found; any thread may read it."""

    def __init__(self) -> None:
        self.entries: tuple[Damage, ...] = ()
        self.change_count = 0  # how often `entries` has changed since the start

    def replace(self, damages: Iterable[Damage]) -> None:
        """Replace the damage with the result of a new check, and log new damage."""
        previous_entries, self.entries = self.entries, tuple(sorted(damages, key=str))
        if self.entries == previous_entries:
            return
        self.change_count += 1
        for damage in self.entries:
            if damage not in previous_entries:
                _log.error("a part of the event store is damaged", extra={"damage": str(damage)})
        if not self.entries:
            _log.warning("the event store is complete again")

    def notices(self, from_ms: int, until_ms: int) -> list[Notice]:
        """Return the notices for an answer about events from `from_ms` to `until_ms`, both inclusive."""
        damages = [
            damage
            for damage in self.entries
            if damage.table in EVENT_TABLES and damage.from_ms <= until_ms and damage.until_ms >= from_ms
        ]
        if not damages:
            return []
        if all(damage.table == HIDDEN_EVENTS for damage in damages):
            return [Notice("incomplete_data", "This answer may include hidden events: their list is damaged.")]
        months = sorted({iso_ms(damage.from_ms)[:7] for damage in damages if damage.until_ms != MAX_DATETIME_MS})
        months_text = f", with events of {', '.join(months)}" if months else ""
        text = f"Events may be missing from this answer: a part of the event store is damaged{months_text}."
        return [Notice("incomplete_data", text)]

    def summary(self) -> str:
        """Return all damage in one line; "" if there is none."""
        texts = [str(damage) for damage in self.entries[:_MAX_LISTED]]
        more_count = len(self.entries) - len(texts)
        return "; ".join([*texts, f"and {more_count} more"] if more_count else texts)
