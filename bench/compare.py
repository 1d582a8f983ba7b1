"""Whether two ways of asking found the same."""

import math
from typing import Any


def check_same(answer: Any, found: Any, at: str = "answer") -> None:
    """End with a sentence when something of `found` is otherwise in `answer`, which may say more.

    Numbers may differ in the last digits: sums are added up in another order.
    """
    if isinstance(found, dict):
        for key, value in found.items():
            check_same(answer[key], value, f"{at}.{key}")
    elif isinstance(found, list):
        if len(answer) != len(found):
            raise SystemExit(f"{at}: {len(answer)} by the product, {len(found)} by hand")
        for place, (one, other) in enumerate(zip(answer, found, strict=True)):
            check_same(one, other, f"{at}[{place}]")
    elif not _alike(answer, found):
        raise SystemExit(f"{at}: {answer!r} by the product, {found!r} by hand")


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9)
    return bool(one == other)
