"""What the units of a window reached, from which one unit after the other can be taken out and put in again."""

from array import array
from bisect import bisect_left, bisect_right, insort

import msgspec

from tallyroom.queries.unit_queries import UnitProgress


class StageTotals(msgspec.Struct):
    """How many units are at the first stage, and the numbers of the later ones, in ascending order.

    `waiting_moments` are those from which the time of the units at each stage but the last counts, in ascending order,
    in milliseconds since `origin_ms`.
    """

    first_count: int
    numbers: "list[array[int]]"
    waiting_moments: "list[array[int]]"
    origin_ms: int

    @property
    def byte_count(self) -> int:
        """How much memory they take."""
        return sum(len(words) * words.itemsize for words in (*self.numbers, *self.waiting_moments))

    def copy(self) -> "StageTotals":
        """Return totals that change without these."""
        numbers = [stage_numbers[:] for stage_numbers in self.numbers]
        waiting_moments = [moments[:] for moments in self.waiting_moments]
        return StageTotals(self.first_count, numbers, waiting_moments, self.origin_ms)

    def count_waiting(self, deadline_ms: int) -> list[int]:
        """Return how many units at each stage but the last have time that counts from a moment after a deadline."""
        deadline = deadline_ms - self.origin_ms
        return [len(moments) - bisect_right(moments, deadline) for moments in self.waiting_moments]

    def insert(self, progress: UnitProgress) -> None:
        """Add a unit."""
        self.first_count += len(progress.numbers[:1])
        for stage_numbers, number in zip(self.numbers, progress.numbers[1:], strict=False):
            insort(stage_numbers, number)
        if progress.waiting_since_ms is not None:
            insort(self.waiting_moments[len(progress.numbers) - 1], progress.waiting_since_ms - self.origin_ms)

    def remove(self, progress: UnitProgress) -> None:
        """Take out a unit that got so far."""
        self.first_count -= len(progress.numbers[:1])
        for stage_numbers, number in zip(self.numbers, progress.numbers[1:], strict=False):
            stage_numbers.pop(bisect_left(stage_numbers, number))
        if progress.waiting_since_ms is not None:
            moments = self.waiting_moments[len(progress.numbers) - 1]
            moments.pop(bisect_left(moments, progress.waiting_since_ms - self.origin_ms))
