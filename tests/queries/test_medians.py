"""Medians of several sorted lists are those of one list."""

import random
import statistics
from array import array

import pytest

from tallyroom.queries.medians import find_median, find_middle

NUMBERS = (0.0, -0.0, 1.0, -1.0, 0.1, -2.5, 1e-320, -1e-320, 1e308, -1e308, 3.5, 7.0, 2.0**53)


@pytest.mark.parametrize("seed", range(50))
def test_the_median_of_parts_is_that_of_all_numbers(seed: int) -> None:
    chance = random.Random(seed)
    numbers = [chance.choice(NUMBERS) for _ in range(chance.randrange(1, 40))]
    parts: list[list[float]] = [[] for _ in range(5)]
    for number in numbers:
        chance.choice(parts).append(number)
    lower, upper = statistics.median_low(numbers), statistics.median_high(numbers)
    assert find_median([array("d", sorted(part)) for part in parts]) == lower + 0.5 * (upper - lower)


def test_there_is_no_median_of_nothing_nor_beyond_the_range_of_a_double() -> None:
    assert find_median([array("d"), array("d")]) is None
    assert find_median([array("d", [-1.7e308, 1.7e308])]) is None


def test_the_median_of_integers_is_in_the_middle() -> None:
    assert find_middle([]) is None
    assert find_middle([1, 2, 9]) == 2
    assert find_middle([1, 2, 5, 9]) == 3.5
