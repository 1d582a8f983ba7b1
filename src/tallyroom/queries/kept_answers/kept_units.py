"""The events of the units of a window and what each unit reached, which can be moved on to a later window."""

import asyncio
from array import array
from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence

import msgspec

from tallyroom.queries.unit_queries import CODE_BITS, LENGTH_BITS, MeasureUnit, UnitTotals
from tallyroom.queries.window import Window

_UNITS_BETWEEN_PAUSES = 100


class KeptUnits(msgspec.Struct, frozen=True, array_like=True):
    """What a `UnitQuery` found: `hashes`, `slots` and `places` are its units and places, with moments since an origin.

    `changed_places` has the units that a later window changed, with moments since 1970. A unit's places may include
    some from before the window.
    """

    revision_by_day: dict[int, bytes]
    window: Window
    origin_ms: int
    first_count: int
    numbers: list[bytes]
    hashes: bytes
    slots: bytes
    places: bytes
    changed_places: dict[int, list[int]]

    @property
    def totals(self) -> UnitTotals:
        """What all units reached."""
        numbers = [array("Q", stage_numbers) for stage_numbers in self.numbers]
        return UnitTotals([self.first_count, *map(len, numbers)], numbers)

    async def move(
        self,
        window: Window,
        parts: Sequence[Window],
        read_places: Mapping[int, Sequence[int]],
        measure_unit: MeasureUnit,
        revision_by_day: dict[int, bytes],
    ) -> "KeptUnits | None":
        """Return the units of a later window, while other tasks run; None if one of them cannot be measured.

        `read_places` are all places in the parts, in order, with moments since 1970, by the hash of their unit.
        """
        finder = _PlaceFinder(self)
        counts, numbers = self.totals
        first_count, changed_places = counts[0], dict(self.changed_places)
        for number, (hash_, new_places) in enumerate(read_places.items(), 1):
            old_places = finder.find_places(hash_)
            remaining_places = [place for place in old_places if not _is_in_any(parts, place >> CODE_BITS)]
            places = sorted([*remaining_places, *(place for place in new_places if _is_in(window, place >> CODE_BITS))])
            old_numbers = measure_unit([place for place in old_places if place >> CODE_BITS >= self.window.from_ms])
            new_numbers = measure_unit([place for place in places if place >> CODE_BITS >= window.from_ms])
            if old_numbers is None or new_numbers is None:
                return None
            first_count += len(new_numbers[:1]) - len(old_numbers[:1])
            for stage_numbers, old_number in zip(numbers, old_numbers[1:], strict=False):
                stage_numbers.pop(bisect_left(stage_numbers, old_number))
            for stage_numbers, new_number in zip(numbers, new_numbers[1:], strict=False):
                insort(stage_numbers, new_number)
            if places != old_places:
                changed_places[hash_] = places
            if number % _UNITS_BETWEEN_PAUSES == 0:
                await asyncio.sleep(0)
        return msgspec.structs.replace(
            self,
            revision_by_day=revision_by_day,
            window=window,
            first_count=first_count,
            numbers=[stage_numbers.tobytes() for stage_numbers in numbers],
            changed_places=changed_places,
        )


class _PlaceFinder:
    def __init__(self, units: KeptUnits) -> None:
        self._units = units
        self._hashes = array("Q", units.hashes)
        self._slots = memoryview(units.slots).cast("Q")
        self._places = memoryview(units.places).cast("Q")

    def find_places(self, hash_: int) -> list[int]:
        """Return the places of a unit in order, with moments since 1970; none if it is unknown."""
        changed_places = self._units.changed_places.get(hash_)
        if changed_places is not None:
            return changed_places
        index = bisect_left(self._hashes, hash_)
        if index == len(self._hashes) or self._hashes[index] != hash_:
            return []
        start, length = divmod(self._slots[index], 1 << LENGTH_BITS)
        origin = self._units.origin_ms << CODE_BITS
        return [place + origin for place in self._places[start : start + length]]


def _is_in(window: Window, moment_ms: int) -> bool:
    return window.from_ms <= moment_ms <= window.until_ms


def _is_in_any(windows: Sequence[Window], moment_ms: int) -> bool:
    return any(_is_in(window, moment_ms) for window in windows)
