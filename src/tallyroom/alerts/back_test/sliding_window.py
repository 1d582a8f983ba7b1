"""Windows that slide over minutes: each step adds one minute and takes one away, so that none is added up anew.

All functions take one cell for each minute and return one value for each complete window, the first of which ends with
cell number `window - 1`.
"""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from itertools import accumulate

from tallyroom.queries.exact_sums import SumParts


def sliding_totals(cells: Sequence[int], window: int) -> list[int]:
    """Return the sum of each window."""
    sums = [0, *accumulate(cells)]
    return [after - before for before, after in zip(sums, sums[window:], strict=False)]


def sliding_extremes(cells: Sequence[float | None], window: int, *, lowest: bool) -> list[float | None]:
    """Return the lowest or the highest value of each window; None where it has none."""
    extremes: list[float | None] = []
    candidates: deque[tuple[int, float]] = deque()  # of rising rank; the first is the extreme
    for index, cell in enumerate(cells):
        if cell is not None:
            while candidates and (candidates[-1][1] >= cell if lowest else candidates[-1][1] <= cell):
                candidates.pop()
            candidates.append((index, cell))
        if candidates and candidates[0][0] <= index - window:
            candidates.popleft()
        extremes.append(candidates[0][1] if candidates else None)
    return extremes[window - 1 :]


def sliding_parts(cells: Sequence[SumParts], window: int) -> Iterator[SumParts]:
    """Yield the exact sum of each window; the same object again while nothing changes."""
    total = _RunningParts()
    for index, cell in enumerate(cells):
        total.change(cell, 1)
        if index >= window:
            total.change(cells[index - window], -1)
        if index >= window - 1:
            yield total.parts()


class _RunningParts:
    """A sum from which earlier parts can be taken away without loss, because all of them are whole numbers."""

    def __init__(self) -> None:
        self._millionths = 0
        self._count = 0
        self._lower: Counter[int] = Counter()
        self._numbers: Counter[int] = Counter()
        self._parts: SumParts | None = None

    def change(self, parts: SumParts, sign: int) -> None:
        if not (parts.millionths or parts.bit_sums or parts.count):
            return
        self._parts = None
        self._millionths += sign * parts.millionths
        self._count += sign * parts.count
        for upper, (lower, numbers) in parts.bit_sums.items():
            self._lower[upper] += sign * lower
            self._numbers[upper] += sign * numbers

    def parts(self) -> SumParts:
        if self._parts is None:
            bit_sums = {upper: (self._lower[upper], numbers) for upper, numbers in self._numbers.items() if numbers}
            self._parts = SumParts(self._millionths, bit_sums, self._count)
        return self._parts
