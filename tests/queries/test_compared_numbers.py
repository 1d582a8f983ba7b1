"""A change is a fraction of the value before, where there is one."""

import pytest

from tallyroom.queries.compared_numbers import relative_change
from tallyroom.queries.values import Value


@pytest.mark.parametrize(
    ("value", "previous", "delta"),
    [
        (5, 4, 0.25),
        (0, 4, -1),
        (-2, -4, 0.5),
        (4, 0, None),
        (4, None, None),
        (None, 4, None),
        (1e308, 5e-324, None),  # beyond the range of doubles
    ],
)
def test_the_change(value: Value, previous: Value, delta: float | None) -> None:
    assert relative_change(value, previous) == delta
