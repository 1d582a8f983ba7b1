"""Windows that slide are what adding each of them up anew gives."""

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tallyroom.alerts.back_test.sliding_window import slide_extremes, slide_sum_parts, slide_totals
from tallyroom.queries.exact_sums import SumParts

WINDOWS = st.integers(1, 6)


def windows(cells: list[Any], window: int) -> list[list[Any]]:
    return [cells[at - window + 1 : at + 1] for at in range(window - 1, len(cells))]


@given(st.lists(st.integers(0, 9), max_size=20), WINDOWS)
def test_totals(cells: list[int], window: int) -> None:
    assert slide_totals(cells, window) == [sum(each) for each in windows(cells, window)]


@given(st.lists(st.none() | st.floats(allow_nan=False), max_size=20), WINDOWS)
def test_extremes(cells: list[float | None], window: int) -> None:
    for is_minimum, pick in ((True, min), (False, max)):
        wanted = [pick((value for value in each if value is not None), default=None) for each in windows(cells, window)]
        assert slide_extremes(cells, window, is_minimum=is_minimum) == wanted


_PARTS = st.builds(
    SumParts,
    st.integers(-5, 5),
    st.dictionaries(st.sampled_from([1, 1024]), st.tuples(st.integers(0, 9), st.integers(1, 3)), max_size=2),
    st.integers(0, 5),
)


@given(st.lists(_PARTS, max_size=20), WINDOWS)
def test_parts(cells: list[SumParts], window: int) -> None:
    def added(parts: list[SumParts]) -> tuple[object, ...]:
        others = {
            upper: tuple(sum(each.bit_sums.get(upper, (0, 0))[place] for each in parts) for place in (0, 1))
            for upper in (1, 1024)
        }
        kept = {upper: each for upper, each in others.items() if each[1]}
        return sum(each.millionths for each in parts), kept, sum(each.number_count for each in parts)

    found = [(each.millionths, each.bit_sums, each.number_count) for each in slide_sum_parts(cells, window)]
    assert found == [added(each) for each in windows(cells, window)]


def test_the_object_stays_the_same_while_nothing_changes() -> None:
    first, second, third = slide_sum_parts([SumParts(5, {}), SumParts(0, {}), SumParts(0, {})], 1)
    assert first is not second
    assert second is third
    assert Fraction(second.millionths) == 0
