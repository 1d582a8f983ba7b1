"""Whether two ways of asking found the same."""

from math import isclose
from typing import Any

_LAST_DIGITS = 1e-13  # SQL by hand divides doubles; the product divides exactly and rounds once


def check_same(product_value: Any, by_hand_value: Any, path: str = "answer") -> None:
    """End with a sentence when something of `by_hand_value` is otherwise in `product_value`, which may say more."""
    if isinstance(by_hand_value, dict):
        for key, value in by_hand_value.items():
            check_same(product_value[key], value, f"{path}.{key}")
    elif isinstance(by_hand_value, list):
        if len(product_value) != len(by_hand_value):
            raise SystemExit(f"{path}: {len(product_value)} by the product, {len(by_hand_value)} by hand")
        for index, (product_item, by_hand_item) in enumerate(zip(product_value, by_hand_value, strict=True)):
            check_same(product_item, by_hand_item, f"{path}[{index}]")
    elif (
        isinstance(product_value, float)
        and isinstance(by_hand_value, float)
        and isclose(product_value, by_hand_value, rel_tol=_LAST_DIGITS)
    ):
        return
    elif product_value != by_hand_value:
        raise SystemExit(f"{path}: {product_value!r} by the product, {by_hand_value!r} by hand")
