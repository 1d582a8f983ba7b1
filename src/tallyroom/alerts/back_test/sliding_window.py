"""Windows that slide over minutes: each step adds one minute and removes one, so that no window is summed again.

All functions accept a cell for each minute and return a value for each complete window.
"""

import operator
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from itertools import accumulate

from tallyroom.queries.exact_sums import SumParts


def slide_totals(cells: Sequence[int], window_size: int) -> list[int]:
    """Return the sum of each window."""
    prefix_sums = [0, *accumulate(cells)]
    return [
        sum_after - sum_before for sum_before, sum_after in zip(prefix_sums, prefix_sums[window_size:], strict=False)
    ]


def slide_extremes(cells: Sequence[float | None], window_size: int, *, is_minimum: bool) -> list[float | None]:
    """Return the lowest or the highest value of each window; None for a window without values."""
    extremes: list[float | None] = []
    indexed_candidates: deque[tuple[int, float]] = deque()  # of rising rank; the first is the extreme
    is_no_better = operator.ge if is_minimum else operator.le
    for index, cell in enumerate(cells):
        if cell is not None:
            while indexed_candidates and is_no_better(indexed_candidates[-1][1], cell):
                indexed_candidates.pop()
            indexed_candidates.append((index, cell))
        if indexed_candidates and indexed_candidates[0][0] <= index - window_size:
            indexed_candidates.popleft()
        extremes.append(indexed_candidates[0][1] if indexed_candidates else None)
    return extremes[window_size - 1 :]


def slide_sum_parts(cells: Sequence[SumParts], window_size: int) -> Iterator[SumParts]:
    """Yield the exact sum of each window; the same object again while nothing changes."""
    running_sum = _RunningSum()
    for index, cell in enumerate(cells):
        running_sum.add(cell, 1)
        if index >= window_size:
            running_sum.add(cells[index - window_size], -1)
        if index >= window_size - 1:
            yield running_sum.to_sum_parts()


class _RunningSum:
    """A sum from which earlier parts can be subtracted exactly, because all of them are whole numbers."""

    def __init__(self) -> None:
        self._millionths = 0
        self._number_count = 0
        self._lower_sum_by_upper: Counter[int] = Counter()
        self._number_count_by_upper: Counter[int] = Counter()
        self._sum_parts: SumParts | None = None

    def add(self, sum_parts: SumParts, sign: int) -> None:
        if not (sum_parts.millionths or sum_parts.bit_sums or sum_parts.number_count):
            return
        self._sum_parts = None
        self._millionths += sign * sum_parts.millionths
        self._number_count += sign * sum_parts.number_count
        for upper, (lower_sum, number_count) in sum_parts.bit_sums.items():
            self._lower_sum_by_upper[upper] += sign * lower_sum
            self._number_count_by_upper[upper] += sign * number_count

    def to_sum_parts(self) -> SumParts:
        if self._sum_parts is None:
            bit_sums = {
                upper: (self._lower_sum_by_upper[upper], number_count)
                for upper, number_count in self._number_count_by_upper.items()
                if number_count
            }
            self._sum_parts = SumParts(self._millionths, bit_sums, self._number_count)
        return self._sum_parts
