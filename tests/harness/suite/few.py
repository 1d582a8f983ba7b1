"""Tables of which the default suite tries a few rows, evenly spread, and `make test-long` all of them."""

from collections.abc import Iterable
from typing import Any

import pytest


def few(count: int, names: str | tuple[str, ...], rows: Iterable[Any], **options: Any) -> pytest.MarkDecorator:
    """Parametrize a test as `pytest.mark.parametrize` does, with all but `count` of the rows marked as long.

    The first row and the last are among the few, if there are at least two.
    """
    table = list(rows)
    one = isinstance(names, str) and "," not in names
    step = (len(table) - 1) / (count - 1) if count > 1 else len(table)
    kept = {round(step * number) for number in range(count)}
    marked = [row if at in kept else _long(row, one=one) for at, row in enumerate(table)]
    return pytest.mark.parametrize(names, marked, **options)


def _long(row: Any, *, one: bool) -> Any:
    if hasattr(row, "marks"):  # made by `pytest.param`
        return pytest.param(*row.values, marks=[*row.marks, pytest.mark.long], id=row.id)
    return pytest.param(*((row,) if one else row), marks=pytest.mark.long)
