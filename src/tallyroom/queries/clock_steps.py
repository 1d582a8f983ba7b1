"""The hours and minutes of a time zone's clocks, as buckets of a chart (rules/questions#buckets)."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import chain

import msgspec

from tallyroom.queries.clocks import OffsetChange, find_offset_changes
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.window import Window


class ClockSteps(msgspec.Struct, frozen=True, dict=True):
    """The hours or minutes that a window touches; `step_ms` is the usual length of one.

    An hour begins when the clocks show a full hour, or when a change by a part of an hour skips one. So an hour that
    they repeat is two, and a change by half an hour makes one of 30 or 90 minutes. The same holds for minutes.
    """

    window: Window
    step_ms: int
    timezone: str

    @cached_property
    def edges_ms(self) -> Sequence[int]:
        """The first millisecond of each step in order, and the end of the last one (exclusive)."""
        first_index = self._count_starts(self.window.from_ms) - 1
        starts_ms = [*chain.from_iterable(self._start_ranges)]
        return starts_ms[first_index : self._count_starts(self.window.until_ms) + 1]

    def count(self) -> int:
        """Return the number of steps, which can be millions, without listing them."""
        return self._count_starts(self.window.until_ms) - self._count_starts(self.window.from_ms) + 1

    @cached_property
    def numbers(self) -> Sequence[int]:
        """The number of each step in order, as `number_sql` computes it."""
        starts_ms = self.edges_ms[:-1]
        if self._ahead_ms is None:
            return starts_ms
        return [(start_ms + self._ahead_ms) // self.step_ms for start_ms in starts_ms]

    def number_sql(self, parameters: QueryParameters) -> str:
        """Return SQL for the number of the step of an event in the window."""
        ms_sql = "toUnixTimestamp64Milli(timestamp)"
        if self._ahead_ms is None:
            return f"roundDown({ms_sql}, {parameters.bind_integers('starts_ms', [*self.edges_ms[:-1]])})"
        if self._ahead_ms:
            ms_sql += f" + {parameters.bind_integer('ahead_ms', self._ahead_ms)}"
        return f"toUInt32(intDiv({ms_sql}, {parameters.bind_integer('step_ms', self.step_ms)}))"

    @cached_property
    def _ahead_ms(self) -> int | None:
        """How much earlier than in UTC each step begins; None if a clock change alters this."""
        all_ahead_ms = {change.offset_ms % self.step_ms for change in self._offset_changes}
        return all_ahead_ms.pop() if len(all_ahead_ms) == 1 else None

    @cached_property
    def _offset_changes(self) -> list[OffsetChange]:
        """The offsets from UTC in the window, and around it to the start of the first step and the end of the last."""
        return find_offset_changes(self.window.from_ms - self._margin_ms, self._end_ms, self.timezone)

    @property
    def _margin_ms(self) -> int:
        return 2 * self.step_ms  # no step is longer, even if the clocks are put back during it

    @property
    def _end_ms(self) -> int:
        return self.window.until_ms + self._margin_ms

    @cached_property
    def _start_ranges(self) -> list[range]:
        """The starts of the steps in the window and around it, in order."""
        next_changes_ms = [*(change.since_ms for change in self._offset_changes[1:]), self._end_ms + 1]
        start_ranges = []
        offset_before_ms = self._offset_changes[0].offset_ms
        for change, next_change_ms in zip(self._offset_changes, next_changes_ms, strict=True):
            if self._skips_start(change, offset_before_ms):
                start_ranges.append(range(change.since_ms, change.since_ms + 1))
            full_step_ms = change.since_ms + -(change.since_ms + change.offset_ms) % self.step_ms
            start_ranges.append(range(full_step_ms, next_change_ms, self.step_ms))
            offset_before_ms = change.offset_ms
        return start_ranges

    def _skips_start(self, change: OffsetChange, offset_before_ms: int) -> bool:
        """Return whether the clocks are put forward by a part of a step, and to past the start of one."""
        is_by_part = (change.offset_ms - offset_before_ms) % self.step_ms != 0
        past_start_ms = (change.since_ms + change.offset_ms) % self.step_ms
        return is_by_part and 0 < past_start_ms <= change.offset_ms - offset_before_ms

    def _count_starts(self, ms: int) -> int:
        """Return how many steps of `_start_ranges` begin at or before `ms`."""
        return sum(bisect_right(starts_ms, ms) for starts_ms in self._start_ranges)
