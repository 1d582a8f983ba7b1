"""Numbers as people read them: 12.3k, 0.05, 1.2e18 (fixtures/charts/numbers.json)."""

import math

_MINUS = "\u2212"  # the minus sign, as wide as a plus, where a hyphen is short
_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))
_LARGEST = 1e15  # beyond, and below the smallest, with an exponent
_SMALLEST = 1e-4
_DIGITS = 3
_FEW_THOUSANDS = 10_000  # numbers below it are read as easily without a unit
_LEAST_OF_UNIT = 0.01  # a step below it would need many decimals; thousands are written out then


def short(value: float) -> str:
    """A value with three significant digits at most, whole below ten thousand, with a unit from there on."""
    size = abs(value)
    if value == 0:
        return "0"
    if not _SMALLEST <= size < _LARGEST:
        return _with_exponent(value, _DIGITS - 1)
    if _UNITS[-1][0] <= round(size) < _FEW_THOUSANDS:
        return _even(value, 0)
    for unit, letter in _UNITS:
        if size >= unit * 0.9995:
            return _plain(value / unit, _DIGITS - 1 - math.floor(math.log10(max(size / unit, 1)))) + letter
    return _plain(value, _DIGITS - 1 - math.floor(math.log10(size)))


def tick(value: float, step: float, largest: float) -> str:
    """A value of an axis, with just the digits that tell it from its neighbours.

    Args:
        value: what to write.
        step: how far the next value is.
        largest: the largest size on the axis, by which all of it is written.
    """
    if value == 0:
        return "0"
    if step < _SMALLEST or largest >= _LARGEST:
        digits = math.floor(math.log10(abs(value))) - math.floor(math.log10(step)) + _decimals(step)[1]
        digits += not math.isclose(value / step, round(value / step))  # the largest number there is
        return _with_exponent(value, min(max(digits, 0), 15))
    for unit, letter in _UNITS:
        readable = largest < _FEW_THOUSANDS and step < unit
        if largest >= unit and step >= unit * _LEAST_OF_UNIT and not readable:
            return _even(value / unit, _decimals(step / unit)[0]) + letter
    return _even(value, _decimals(step)[0])


def _decimals(step: float) -> tuple[int, int]:
    """How many decimals a round step needs, and how many digits behind its first one."""
    power = math.floor(math.log10(step) + 1e-9)
    behind = 0 if math.isclose(step / 10.0**power, round(step / 10.0**power)) else 1
    return max(behind - power, 0), behind


def _plain(value: float, decimals: int) -> str:
    """With at most so many decimals."""
    text = f"{value:.{min(max(decimals, 0), 15)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return ("0" if text == "-0" else text).replace("-", _MINUS)


def _even(value: float, decimals: int) -> str:
    """With just so many decimals, as its neighbours have them."""
    return f"{value:,.{min(decimals, 15)}f}".replace("-", _MINUS)


def _with_exponent(value: float, decimals: int) -> str:
    mantissa, exponent = f"{value:.{decimals}e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{mantissa}e{int(exponent)}".replace("-", _MINUS)
