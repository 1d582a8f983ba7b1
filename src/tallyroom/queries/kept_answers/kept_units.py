"""The events of the units of a window and what each unit reached, which can be moved on to a later window."""

import asyncio
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence

import msgspec

from tallyroom.queries.kept_answers.stage_totals import StageTotals
from tallyroom.queries.unit_queries import CODE_BITS, LENGTH_BITS, MeasureUnit
from tallyroom.queries.window import Window

_UNITS_BETWEEN_PAUSES = 100
_BYTES_PER_CHANGED_UNIT = 200
_BYTES_PER_CHANGED_PLACE = 40


class KeptUnits(msgspec.Struct, frozen=True):
    """What a `UnitQuery` found: the totals of its units, and all of their places.

    `hashes`, `slots` and `places` are its units and places, with moments since `totals.origin_ms`. `changed_places` has
    the units that a later window changed, and those whose order of arrival may matter, with moments since 1970. A
    unit's places may include some before the window.
    """

    totals: StageTotals
    hashes: "array[int]"
    slots: "array[int]"
    places: "array[int]"
    changed_places: Mapping[int, Sequence[int]] = {}

    @property
    def byte_count(self) -> int:
        """How much memory the units take."""
        array_bytes = sum(len(words) * words.itemsize for words in (self.hashes, self.slots, self.places))
        changed_bytes = sum(
            _BYTES_PER_CHANGED_UNIT + _BYTES_PER_CHANGED_PLACE * len(places) for places in self.changed_places.values()
        )
        return self.totals.byte_count + array_bytes + changed_bytes

    async def move(
        self,
        window: Window,
        later: Window,
        parts: Sequence[Window],
        read_places: Mapping[int, Sequence[int]],
        measure_unit: MeasureUnit,
    ) -> "KeptUnits":
        """Return the units of a later window, while other tasks run.

        `read_places` are all places in the parts, in order, with moments since 1970, by the hash of their unit. A part
        has all events of a millisecond or none, so that places of other parts need no order of arrival.
        """
        totals, changed_places = self.totals.copy(), dict(self.changed_places)
        for number, (hash_, new_places) in enumerate(read_places.items(), 1):
            old_places = self._find_places(hash_)
            places = [place for place in old_places if not _is_in_any(parts, place)]
            places += [place for place in new_places if _is_in(later, place)]
            places.sort(key=_moment_of)  # without changing the order within a millisecond
            totals.remove(measure_unit([place for place in old_places if _is_in(window, place)]))
            totals.insert(measure_unit([place for place in places if _is_in(later, place)]))
            if places != [*old_places]:
                changed_places[hash_] = places
            if number % _UNITS_BETWEEN_PAUSES == 0:
                await asyncio.sleep(0)
        return msgspec.structs.replace(self, totals=totals, changed_places=changed_places)

    def add(self, places_by_hash: Mapping[int, Sequence[int]], measure_unit: MeasureUnit) -> "KeptUnits":
        """Return the units with the totals of some that were not counted, and their places in order, since 1970."""
        totals = self.totals.copy()
        for places in places_by_hash.values():
            totals.insert(measure_unit(places))
        return msgspec.structs.replace(self, totals=totals, changed_places=places_by_hash)

    def _find_places(self, hash_: int) -> Sequence[int]:
        """Return the places of a unit in order, with moments since 1970; none if it is unknown."""
        if hash_ in self.changed_places:
            return self.changed_places[hash_]
        index = bisect_left(self.hashes, hash_)
        if index == len(self.hashes) or self.hashes[index] != hash_:
            return []
        start, length = divmod(self.slots[index], 1 << LENGTH_BITS)
        origin = self.totals.origin_ms << CODE_BITS
        return [place + origin for place in self.places[start : start + length]]


def _moment_of(place: int) -> int:
    return place >> CODE_BITS


def _is_in(window: Window, place: int) -> bool:
    return window.from_ms <= place >> CODE_BITS <= window.until_ms


def _is_in_any(windows: Sequence[Window], place: int) -> bool:
    return any(_is_in(window, place) for window in windows)
