"""Numbers as people read them: 12.3k, 0.05, 1.2e18 (fixtures/charts/numbers.json)."""

import math

_MINUS = "\u2212"  # the minus sign, as wide as a plus, where a hyphen is short
_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))
_LARGEST = 1e15  # beyond, and below the smallest, with an exponent
_SMALLEST = 1e-4
_LARGEST_WRITTEN_OUT = 1e18  # of values that differ only in what an exponent would hide far behind the point
_SMALLEST_WRITTEN_OUT = 1e-3
_LITTLE = 1e-5  # a share of the largest value
_MOST_DECIMALS = 20
_MOST_DIGITS = 16  # behind the first; no number has more
_FEW_APART = 4  # values that so few short texts would tell apart are written longer
_MORE_DIGITS = 2  # behind the first of what they span
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


def told(value: float, lowest: float, highest: float) -> str:
    """A value among others, which span `lowest` to `highest`: short, unless most of them were the same text then."""
    span, size = highest - lowest, max(abs(lowest), abs(highest))
    if value == 0 or not 0 < span < _FEW_APART * _apart(size):
        return short(value)
    power = math.floor(math.log10(span)) - _MORE_DIGITS
    if _has_exponents(span, size):
        return _with_exponent(value, min(math.floor(math.log10(abs(value))) - power, _MOST_DIGITS))
    return _plain(value, -power)


def _apart(size: float) -> float:
    """How far values of a size are from each other when they are just not the same in short."""
    if _UNITS[-1][0] <= round(size) < _FEW_THOUSANDS:
        return 1.0
    return 10.0 ** max(math.floor(math.log10(size)) - _DIGITS + 1, -300)


def _has_exponents(step: float, largest: float) -> bool:
    """Whether values `step` apart, up to a size, are written with exponents."""
    if largest >= _LARGEST:
        return largest >= _LARGEST_WRITTEN_OUT or step >= largest * _LITTLE
    return step < _SMALLEST and largest < _SMALLEST_WRITTEN_OUT


def tick(value: float, step: float, largest: float) -> str:
    """A value of an axis, with just the digits that tell it from its neighbours.

    Args:
        value: what to write.
        step: how far the next value is.
        largest: the largest size on the axis, by which all of it is written.
    """
    if value == 0:
        return "0"
    if _has_exponents(step, largest):
        digits = math.floor(math.log10(abs(value))) - math.floor(math.log10(step)) + _decimals(step)[1]
        digits += not math.isclose(value / step, round(value / step))  # the largest number there is
        return _with_exponent(value, min(max(digits, 0), _MOST_DIGITS))
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
    text = f"{value:,.{min(max(decimals, 0), _MOST_DECIMALS)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return ("0" if text == "-0" else text).replace("-", _MINUS)


def _even(value: float, decimals: int) -> str:
    """With just so many decimals, as its neighbours have them."""
    return f"{value:,.{min(decimals, _MOST_DECIMALS)}f}".replace("-", _MINUS)


def _with_exponent(value: float, decimals: int) -> str:
    mantissa, exponent = f"{value:.{decimals}e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{mantissa}e{int(exponent)}".replace("-", _MINUS)
