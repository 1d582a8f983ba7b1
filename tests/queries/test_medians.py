"""Medians of several sorted lists are those of one list."""

import random
import statistics
from array import array
from collections.abc import Sequence

import pytest

from tallyroom.queries.medians import (
    ALL_NUMBERS,
    NO_NUMBERS,
    Band,
    BandNumbers,
    OutsideBand,
    find_median,
    find_middle,
)

NUMBERS = (0.0, -0.0, 1.0, -1.0, 0.1, -2.5, 1e-320, -1e-320, 1e308, -1e308, 3.5, 7.0, 2.0**53)


def in_band(numbers: Sequence[float], band: Band = ALL_NUMBERS) -> BandNumbers:
    """What is read of some numbers."""
    return BandNumbers(
        sum(number < band.lowest for number in numbers),
        sum(number > band.highest for number in numbers),
        array("d", sorted(number for number in numbers if band.lowest <= number <= band.highest)),
    )


@pytest.mark.parametrize("seed", range(50))
def test_the_median_of_parts_is_that_of_all_numbers(seed: int) -> None:
    chance = random.Random(seed)
    numbers = [chance.choice(NUMBERS) for _ in range(chance.randrange(1, 40))]
    parts: list[list[float]] = [[] for _ in range(5)]
    for number in numbers:
        chance.choice(parts).append(number)
    lower, upper = statistics.median_low(numbers), statistics.median_high(numbers)
    assert find_median([in_band(part) for part in parts]) == lower + 0.5 * (upper - lower)


@pytest.mark.parametrize("seed", range(50))
def test_the_median_follows_from_the_numbers_near_it(seed: int) -> None:
    chance = random.Random(seed)
    numbers = [chance.gauss(0, 1) for _ in range(chance.randrange(1, 60))]
    band = Band(*sorted(chance.choices(numbers, k=2)))
    middle = {statistics.median_low(numbers), statistics.median_high(numbers)}
    parts = [in_band(numbers[start::3], band) for start in range(3)]
    if all(band.lowest <= number <= band.highest for number in middle):
        assert find_median(parts) == find_median([in_band(numbers)])
    else:
        with pytest.raises(OutsideBand):
            find_median(parts)


def test_there_is_no_median_of_nothing_nor_beyond_the_range_of_a_double() -> None:
    assert find_median([NO_NUMBERS, NO_NUMBERS]) is None
    assert find_median([in_band([-1.7e308, 1.7e308])]) is None


def test_the_median_of_integers_is_in_the_middle() -> None:
    assert find_middle([]) is None
    assert find_middle([1, 2, 9]) == 2
    assert find_middle([1, 2, 5, 9]) == 3.5
