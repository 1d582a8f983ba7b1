"""Numbers in full, for sentences and mails; `number_format.py` writes short ones."""

import math
from decimal import Decimal

_HUGE_VALUE = 1e15
_TINY_VALUE = 1e-6
_MAX_DECIMALS = 4


def format_full_number(value: float) -> str:
    """Write a number in full, a long fraction rounded; only a huge or tiny float has a power of ten."""
    if isinstance(value, int):
        return f"{value:,}"
    if abs(value) >= _HUGE_VALUE or 0 < abs(value) < _TINY_VALUE:
        return f"{value:g}"
    exact_decimal = Decimal(repr(value))
    exponent = exact_decimal.normalize().as_tuple().exponent
    if isinstance(exponent, int) and -exponent > _MAX_DECIMALS:
        decimal_count = 2 if abs(value) >= 1 else 2 - math.floor(math.log10(abs(value)))
        exact_decimal = round(exact_decimal, decimal_count)
    return f"{exact_decimal.normalize():,f}"
