"""Whether two ways of asking found the same."""

from math import isclose
from typing import Any

_LAST_DIGITS = 1e-13  # SQL by hand divides doubles; the product divides exactly and rounds once


def check_same(answer: Any, found: Any, at: str = "answer") -> None:
    """End with a sentence when something of `found` is otherwise in `answer`, which may say more."""
    if isinstance(found, dict):
        for key, value in found.items():
            check_same(answer[key], value, f"{at}.{key}")
    elif isinstance(found, list):
        if len(answer) != len(found):
            raise SystemExit(f"{at}: {len(answer)} by the product, {len(found)} by hand")
        for index, (one, other) in enumerate(zip(answer, found, strict=True)):
            check_same(one, other, f"{at}[{index}]")
    elif isinstance(answer, float) and isinstance(found, float) and isclose(answer, found, rel_tol=_LAST_DIGITS):
        return
    elif answer != found:
        raise SystemExit(f"{at}: {answer!r} by the product, {found!r} by hand")
