"""Whether a value is more or less frequent behind a number than chance explains (rules/questions#differences)."""

import math
from fractions import Fraction
from typing import NamedTuple

_NEGLIGIBLE = 1e-6  # of a tail


class Sample(NamedTuple):
    """How many of all events or units have a value, and how many of the drawn, which are some of them."""

    total_count: int
    marked_count: int
    drawn_count: int
    hit_count: int

    @property
    def share(self) -> float:
        """The part of the drawn that have the value."""
        return self.hit_count / self.drawn_count

    @property
    def everybody(self) -> float:
        """The part of all that have the value."""
        return self.marked_count / self.total_count

    @property
    def lift(self) -> float:
        """How many times as frequent the value is among the drawn as among all."""
        return self.hit_count * self.total_count / (self.drawn_count * self.marked_count)

    @property
    def excess(self) -> Fraction:
        """How many more of the drawn have the value than if it were as frequent as among all."""
        return self.hit_count - Fraction(self.drawn_count * self.marked_count, self.total_count)


def is_significant(sample: Sample, max_probability: float) -> bool:
    """Return whether the probability of such a result is below a limit; most results are refused at little cost."""
    return 2 * _find_result_probability(sample) < max_probability and find_probability(sample) < max_probability


def find_probability(sample: Sample) -> float:
    """Return the probability that a draw by chance differs as much, in either direction.

    It is twice the smaller tail of the hypergeometric distribution, within a thousandth, and at most 1.
    """
    find_ratio, step = (_ratio_of_next, 1) if sample.excess > 0 else (_ratio_of_previous, -1)
    tail, term, hit_count, ratio = 1.0, 1.0, sample.hit_count, 0.0
    while term > _NEGLIGIBLE * tail * (1 - ratio):
        ratio = find_ratio(sample, hit_count)
        term *= ratio
        tail += term
        hit_count += step
    return min(2 * _find_result_probability(sample) * tail, 1.0)


def _ratio_of_next(sample: Sample, hit_count: int) -> float:
    """Return how many times as probable one more hit is; 0 if there can be no more."""
    total_count, marked_count, drawn_count, _ = sample
    other_missed_count = total_count - marked_count - drawn_count + hit_count + 1
    return (marked_count - hit_count) * (drawn_count - hit_count) / ((hit_count + 1) * other_missed_count)


def _ratio_of_previous(sample: Sample, hit_count: int) -> float:
    """Return how many times as probable one hit less is; 0 if there can be no less."""
    total_count, marked_count, drawn_count, _ = sample
    other_missed_count = total_count - marked_count - drawn_count + hit_count
    return hit_count * other_missed_count / ((marked_count - hit_count + 1) * (drawn_count - hit_count + 1))


def _find_result_probability(sample: Sample) -> float:
    total_count, marked_count, drawn_count, hit_count = sample
    return math.exp(
        _log_choices(marked_count, hit_count)
        + _log_choices(total_count - marked_count, drawn_count - hit_count)
        - _log_choices(total_count, drawn_count)
    )


def _log_choices(total_count: int, chosen_count: int) -> float:
    return math.lgamma(total_count + 1) - math.lgamma(chosen_count + 1) - math.lgamma(total_count - chosen_count + 1)
