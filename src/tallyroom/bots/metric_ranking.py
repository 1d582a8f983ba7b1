"""The ranking of bots by one metric: the highest value first, then by numeric id (rules/statistics#ranks)."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from tallyroom.bots.ids import number_from_id
from tallyroom.bots.time_slices import sort_in_slices

_ID_BITS = 66

_MAX_SINGLE_PUTS = 500


class MetricRanking:
    """The ranks of bots by one metric, always up to date.

    One sorted list of numbers has room for 50,000 bots in 4 MB; a change moves half of it, in microseconds.
    """

    def __init__(self, value_by_bot_id: Mapping[str, int] | None = None) -> None:
        self._sort_key_by_bot_id = {
            bot_id: _build_sort_key(bot_id, value) for bot_id, value in (value_by_bot_id or {}).items()
        }
        self._sorted_keys = sort_in_slices(self._sort_key_by_bot_id.values())
        self._ordered_bot_ids: list[str] | None = None

    def __len__(self) -> int:
        return len(self._sorted_keys)

    def put_value(self, bot_id: str, value: int | None) -> None:
        """Set a bot's value; None removes the bot."""
        key = None if value is None else _build_sort_key(bot_id, value)
        old_key = self._sort_key_by_bot_id.pop(bot_id, None)
        if key is not None:
            self._sort_key_by_bot_id[bot_id] = key
        if old_key != key:
            self._move_key(bot_id, old_key, key)

    def put_values(self, value_by_bot_id: Mapping[str, int | None]) -> None:
        """Call `put_value` for each bot; many bots take one pass over the list instead of one pass each."""
        if len(value_by_bot_id) <= _MAX_SINGLE_PUTS:
            for bot_id, value in value_by_bot_id.items():
                self.put_value(bot_id, value)
            return
        old_keys = {
            key for bot_id in value_by_bot_id if (key := self._sort_key_by_bot_id.pop(bot_id, None)) is not None
        }
        new_key_by_bot_id = {
            bot_id: _build_sort_key(bot_id, value) for bot_id, value in value_by_bot_id.items() if value is not None
        }
        self._sort_key_by_bot_id |= new_key_by_bot_id
        self._sorted_keys = [key for key in self._sorted_keys if key not in old_keys]
        self._sorted_keys += new_key_by_bot_id.values()
        self._sorted_keys.sort()
        self._ordered_bot_ids = None

    @property
    def ordered_bot_ids(self) -> Sequence[str]:
        """All bots that have a value, by rank; the next change may change the list."""
        if self._ordered_bot_ids is None:
            bot_id_by_key = {key: bot_id for bot_id, key in self._sort_key_by_bot_id.items()}
            self._ordered_bot_ids = [bot_id_by_key[key] for key in self._sorted_keys]
        return self._ordered_bot_ids

    def rank(self, bot_id: str) -> int | None:
        """Return the bot's rank, from 1; None if it has no value."""
        key = self._sort_key_by_bot_id.get(bot_id)
        return None if key is None else bisect_left(self._sorted_keys, key) + 1

    def list_page(self, offset: int, limit: int, *, is_descending: bool = False) -> list[str]:
        """Return `limit` bots from the `offset`-th on, sorted by rank, or from the last rank upwards if descending."""
        if not is_descending:
            return list(self.ordered_bot_ids[offset : offset + limit])
        end = max(len(self._sorted_keys) - offset, 0)
        return list(reversed(self.ordered_bot_ids[max(end - limit, 0) : end]))

    def _move_key(self, bot_id: str, old_key: int | None, new_key: int | None) -> None:
        if old_key is not None:
            index = bisect_left(self._sorted_keys, old_key)
            del self._sorted_keys[index]
            if self._ordered_bot_ids is not None:
                del self._ordered_bot_ids[index]
        if new_key is not None:
            index = bisect_left(self._sorted_keys, new_key)
            self._sorted_keys.insert(index, new_key)
            if self._ordered_bot_ids is not None:
                self._ordered_bot_ids.insert(index, bot_id)


def _build_sort_key(bot_id: str, value: int) -> int:
    return (-value << _ID_BITS) + number_from_id(bot_id)
