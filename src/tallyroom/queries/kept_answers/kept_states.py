"""Units and their states: a window that ends later adds to the states of the units with new events."""

import asyncio
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from tallyroom.queries.kept_answers.cache import UNKEEPABLE_BYTES
from tallyroom.queries.kept_answers.kept_rows import KeepingContext
from tallyroom.queries.kept_answers.kept_windows import fetch_content
from tallyroom.queries.state_queries import StateCounts, StateQuery, UnitStates, read_unit_states
from tallyroom.queries.window import Window

_FEW_UNITS = 1_000
_MIN_SAVED = 4  # with more than this fraction of the units to read again, all are read
_MAX_ADDED_UNITS = 20_000  # each takes about ten times as much memory as the others
_BYTES_PER_ADDED_UNIT = 150
_UNITS_BETWEEN_PAUSES = 500


async def fetch_state_counts(context: KeepingContext, query: StateQuery) -> StateCounts | None:
    """Return how many units are in each state; None if they are not kept now."""
    states = await fetch_content(context, _StateForm(context, query))
    return None if states is None else StateCounts(states.count_by_state)


class _KeptStates(msgspec.Struct, frozen=True):
    """The units that were read first, in the order of their hashes, and those that came later."""

    count_by_state: Mapping[int, int]
    hashes: "array[int]"
    states: "array[int]"
    added_states: Mapping[int, int] = {}

    @property
    def unit_count(self) -> int:
        """The number of units."""
        return len(self.hashes) + len(self.added_states)

    @property
    def byte_count(self) -> int:
        """How much memory the units take; not all of very many were read, so these cannot be kept."""
        if sum(self.count_by_state.values()) != self.unit_count:
            return UNKEEPABLE_BYTES
        array_bytes = sum(len(words) * words.itemsize for words in (self.hashes, self.states))
        return array_bytes + _BYTES_PER_ADDED_UNIT * len(self.added_states)


class _StateForm:
    def __init__(self, context: KeepingContext, query: StateQuery) -> None:
        self.sql = query.units_sql
        self.parameters = query.parameters
        self.windows = [query.window]
        self._context = context
        self._query = query

    async def read(self) -> _KeptStates:
        """Read all units."""
        return _KeptStates(*await self._read_parts(self.windows))

    async def move(
        self, kept_states: _KeptStates, windows: Sequence[Window], parts: Sequence[Window]
    ) -> _KeptStates | None:
        """Return the units of a window that ends later; None if it also begins later, or too many units changed."""
        if windows[0].from_ms != self.windows[0].from_ms:
            return None
        new_states = await self._read_parts(parts)
        new_count = sum(new_states.count_by_state.values())
        if new_count > max(_FEW_UNITS, kept_states.unit_count // _MIN_SAVED) or new_count != len(new_states.hashes):
            return None
        moved_states = await self._merge(kept_states, new_states)
        return None if len(moved_states.added_states) > _MAX_ADDED_UNITS else moved_states

    async def _merge(self, kept_states: _KeptStates, new_states: UnitStates) -> _KeptStates:
        counts, states, added_states = (
            Counter(kept_states.count_by_state),
            kept_states.states[:],
            dict(kept_states.added_states),
        )
        for number, (hash_, new_state) in enumerate(zip(new_states.hashes, new_states.states, strict=True), 1):
            index = bisect_left(kept_states.hashes, hash_)
            is_in_order = index < len(kept_states.hashes) and kept_states.hashes[index] == hash_
            state = states[index] if is_in_order else added_states.get(hash_)
            merged_state = new_state if state is None else self._query.merge_states(state, new_state)
            if state is not None:
                counts[state] -= 1
            counts[merged_state] += 1
            if is_in_order:
                states[index] = merged_state
            else:
                added_states[hash_] = merged_state
            if number % _UNITS_BETWEEN_PAUSES == 0:
                await asyncio.sleep(0)
        return _KeptStates(counts, kept_states.hashes, states, added_states)

    async def _read_parts(self, parts: Sequence[Window]) -> UnitStates:
        return read_unit_states(await self._context.fetch_binary(*self._query.build_sql(parts)) if parts else b"")
