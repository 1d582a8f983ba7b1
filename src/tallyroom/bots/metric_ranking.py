"""The ranking of bots by one metric: the highest value first, then by numeric id (rules/statistics#ranks)."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from tallyroom.bots.ids import number_of
from tallyroom.bots.time_slices import sorted_in_slices

_ID_BITS = 66

_FEW = 500


class MetricRanking:
    """The ranks of bots by one metric, always up to date.

    One sorted list of numbers has room for 50,000 bots in 4 MB; a change moves half of it, which takes microseconds.
    The ids in the same order lie beside it, from the first time that somebody asks for them.
    """

    def __init__(self, values: Mapping[str, int] | None = None) -> None:
        self._keys = {bot_id: _key(bot_id, value) for bot_id, value in (values or {}).items()}
        self._sorted = sorted_in_slices(self._keys.values())
        self._ordered: list[str] | None = None

    def __len__(self) -> int:
        return len(self._sorted)

    def put(self, bot_id: str, value: int | None) -> None:
        """Set a bot's value; None removes the bot."""
        key = None if value is None else _key(bot_id, value)
        old = self._keys.pop(bot_id, None)
        if key is not None:
            self._keys[bot_id] = key
        if old != key:
            self._move(bot_id, old, key)

    def put_all(self, values: Mapping[str, int | None]) -> None:
        """Call `put` for each bot; many bots take one pass over the list instead of one pass each."""
        if len(values) <= _FEW:
            for bot_id, value in values.items():
                self.put(bot_id, value)
            return
        old = {key for bot_id in values if (key := self._keys.pop(bot_id, None)) is not None}
        new = {bot_id: _key(bot_id, value) for bot_id, value in values.items() if value is not None}
        self._keys |= new
        self._sorted = [key for key in self._sorted if key not in old]
        self._sorted += new.values()
        self._sorted.sort()
        self._ordered = None

    @property
    def ordered(self) -> Sequence[str]:
        """All bots that have a value, by rank; the next change may change the list."""
        if self._ordered is None:
            bots = {key: bot_id for bot_id, key in self._keys.items()}
            self._ordered = [bots[key] for key in self._sorted]
        return self._ordered

    def rank(self, bot_id: str) -> int | None:
        """Return the bot's rank, from 1; None if it has no value."""
        key = self._keys.get(bot_id)
        return None if key is None else bisect_left(self._sorted, key) + 1

    def page(self, offset: int, limit: int, *, descending: bool = False) -> list[str]:
        """Return `limit` bots from the `offset`-th on, sorted by rank, or from the last rank upwards."""
        if not descending:
            return list(self.ordered[offset : offset + limit])
        end = max(len(self._sorted) - offset, 0)
        return list(reversed(self.ordered[max(end - limit, 0) : end]))

    def _move(self, bot_id: str, old: int | None, key: int | None) -> None:
        if old is not None:
            at = bisect_left(self._sorted, old)
            del self._sorted[at]
            if self._ordered is not None:
                del self._ordered[at]
        if key is not None:
            at = bisect_left(self._sorted, key)
            self._sorted.insert(at, key)
            if self._ordered is not None:
                self._ordered.insert(at, bot_id)


def _key(bot_id: str, value: int) -> int:
    return (-value << _ID_BITS) + number_of(bot_id)
