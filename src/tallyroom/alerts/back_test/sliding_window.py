"""Windows that slide over minutes: each step adds one minute and takes one away, so that none is added up anew.

All functions take one cell for each minute and return one value for each complete window, the first of which ends with
cell number `window - 1`.
"""

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
    """Return the lowest or the highest value of each window; None where it has none."""
    extremes: list[float | None] = []
    candidates: deque[tuple[int, float]] = deque()  # of rising rank; the first is the extreme
    for index, cell in enumerate(cells):
        if cell is not None:
            while candidates and (candidates[-1][1] >= cell if is_minimum else candidates[-1][1] <= cell):
                candidates.pop()
            candidates.append((index, cell))
        if candidates and candidates[0][0] <= index - window_size:
            candidates.popleft()
        extremes.append(candidates[0][1] if candidates else None)
    return extremes[window_size - 1 :]


def slide_parts(cells: Sequence[SumParts], window_size: int) -> Iterator[SumParts]:
    """Yield the exact sum of each window; the same object again while nothing changes."""
    total = _RunningParts()
    for index, cell in enumerate(cells):
        total.add(cell, 1)
        if index >= window_size:
            total.add(cells[index - window_size], -1)
        if index >= window_size - 1:
            yield total.to_parts()


class _RunningParts:
    """A sum from which earlier parts can be taken away without loss, because all of them are whole numbers."""

    def __init__(self) -> None:
        self._millionths = 0
        self._count = 0
        self._lower_sums: Counter[int] = Counter()
        self._number_counts: Counter[int] = Counter()
        self._parts: SumParts | None = None

    def add(self, parts: SumParts, sign: int) -> None:
        if not (parts.millionths or parts.bit_sums or parts.count):
            return
        self._parts = None
        self._millionths += sign * parts.millionths
        self._count += sign * parts.count
        for upper, (lower, numbers) in parts.bit_sums.items():
            self._lower_sums[upper] += sign * lower
            self._number_counts[upper] += sign * numbers

    def to_parts(self) -> SumParts:
        if self._parts is None:
            bit_sums = {
                upper: (self._lower_sums[upper], numbers) for upper, numbers in self._number_counts.items() if numbers
            }
            self._parts = SumParts(self._millionths, bit_sums, self._count)
        return self._parts
