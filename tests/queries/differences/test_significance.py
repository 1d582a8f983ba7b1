"""The probability of a result by chance (rules/questions#differences)."""

from fractions import Fraction
from random import Random

import pytest

from harness.oracles.differences import exact_probability
from tallyroom.queries.differences.significance import Sample, find_probability, is_significant
from tallyroom.queries.differences.value_counts import MAX_PROBABILITY, MIN_DEVIATIONS


def draw_sample(source: Random) -> Sample:
    total = source.randint(1, 300)
    marked, drawn = source.randint(1, total), source.randint(1, total)
    hits = source.randint(max(0, drawn + marked - total), min(drawn, marked))
    return Sample(total, marked, drawn, hits)


def test_it_is_the_exact_one_within_a_thousandth() -> None:
    source = Random(1)
    for _ in range(3_000):
        sample = draw_sample(source)
        exact = float(exact_probability(*sample))
        if exact < 0.1:  # above, nothing is shown
            assert find_probability(sample) == pytest.approx(exact, rel=1e-3), sample


def test_a_limit_decides() -> None:
    source = Random(2)
    for _ in range(1_000):
        sample = draw_sample(source)
        exact = exact_probability(*sample)
        for limit in (1e-3, 1e-6, 1e-12):
            if abs(exact / limit - 1) > 1e-3:
                assert is_significant(sample, limit) == (exact < limit), sample


def test_results_near_what_is_expected_are_never_significant() -> None:
    """The store leaves them out by this much simpler rule."""
    source = Random(3)
    for _ in range(20_000):
        total, marked, drawn, hits = sample = draw_sample(source)
        expected = marked * drawn / total
        variance = expected * (1 - marked / total) * (1 - drawn / total)
        if (hits - expected) ** 2 <= MIN_DEVIATIONS**2 * variance:
            assert not is_significant(sample, MAX_PROBABILITY), sample


def test_ten_million_events() -> None:
    """By the normal distribution, 3,000 more than 300,000 ± 435 are 6.9 deviations."""
    probability = find_probability(Sample(10_000_000, 3_000_000, 1_000_000, 303_000))
    assert probability == pytest.approx(5.43e-12, rel=1e-2)


def test_how_a_sample_differs() -> None:
    sample = Sample(total_count=200, marked_count=50, drawn_count=20, hit_count=10)
    assert (sample.share, sample.everybody, sample.lift, sample.excess) == (0.5, 0.25, 2.0, Fraction(5))
