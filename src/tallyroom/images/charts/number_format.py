"""Numbers as people read them: 12.3k, 0.05, 1.2e18, and durations: 48 s, 3.5 h (fixtures/charts/numbers.json)."""

import math

_MINUS = "\u2212"  # the minus sign, as wide as a plus; a hyphen would be too short
_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))
_LARGEST = 1e15  # at and above it, and below the smallest, numbers have an exponent
_SMALLEST = 1e-4
_LARGEST_WRITTEN_OUT = 1e18  # of values that would differ only far behind the point if they had an exponent
_SMALLEST_WRITTEN_OUT = 1e-3
_LITTLE_SHARE = 1e-5  # a share of the largest value
_MAX_DECIMALS = 20
_MAX_DIGITS = 16  # after the first; no double has more
_FEW_DISTINCT = 4  # values that fewer distinct short texts would distinguish get more digits
_MORE_DIGITS = 2  # after the first digit of their span
_SHORT_DIGITS = 3
_FEW_THOUSANDS = 10_000  # numbers below it are as easy to read without a unit
_MIN_SHARE_OF_UNIT = 0.01  # a smaller step would need many decimals, so thousands are written out


def format_short(value: float) -> str:
    """Write a value with at most three significant digits; thousands are whole below ten thousand, then have a unit."""
    magnitude = abs(value)
    if value == 0:
        return "0"
    if not _SMALLEST <= magnitude < _LARGEST:
        return _format_with_exponent(value, _SHORT_DIGITS - 1)
    if _UNITS[-1][0] <= round(magnitude) < _FEW_THOUSANDS:
        return format_fixed(value, 0)
    for unit, letter in _UNITS:
        if magnitude >= unit * 0.9995:
            max_decimals = _SHORT_DIGITS - 1 - math.floor(math.log10(max(magnitude / unit, 1)))
            return format_plain(value / unit, max_decimals) + letter
    return format_plain(value, _SHORT_DIGITS - 1 - math.floor(math.log10(magnitude)))


def format_among(value: float, lowest: float, highest: float) -> str:
    """Write a value among others from `lowest` to `highest`: short, unless that would make most of them equal."""
    span, magnitude = highest - lowest, max(abs(lowest), abs(highest))
    if value == 0 or not 0 < span < _FEW_DISTINCT * _least_distance(magnitude):
        return format_short(value)
    power = math.floor(math.log10(span)) - _MORE_DIGITS
    if _has_exponents(span, magnitude):
        decimal_count = math.floor(math.log10(abs(value))) - power
        return _format_with_exponent(value, min(max(decimal_count, 0), _MAX_DIGITS))
    return format_plain(value, -power)


def _least_distance(magnitude: float) -> float:
    """Return the least distance at which values of this size still differ in short form."""
    if _UNITS[-1][0] <= round(magnitude) < _FEW_THOUSANDS:
        return 1.0
    return power_of_ten(max(math.floor(math.log10(magnitude)) - _SHORT_DIGITS + 1, -300))


def power_of_ten(power: int) -> float:
    """Return the float nearest to a power of ten, which `10.0 ** 23` is not."""
    return float(f"1e{power}")


def _has_exponents(step: float, largest: float) -> bool:
    """Return True if values `step` apart, up to the size `largest`, are written with exponents."""
    if largest >= _LARGEST:
        return largest >= _LARGEST_WRITTEN_OUT or step >= largest * _LITTLE_SHARE
    return step < _SMALLEST and largest < _SMALLEST_WRITTEN_OUT


def format_tick(value: float, step: float, largest: float) -> str:
    """Write a value of an axis with just the digits that distinguish it from its neighbours.

    `step` is the distance to the next value. `largest` is the largest absolute value on the axis, which decides how all
    of its values are written.
    """
    if value == 0:
        return "0"
    if _has_exponents(step, largest):
        decimal_count = (
            math.floor(math.log10(abs(value))) - math.floor(math.log10(step)) + _count_decimals_and_digits(step)[1]
        )
        # The largest double is not a multiple of a step.
        decimal_count += not math.isclose(value / step, round(value / step))
        return _format_with_exponent(value, min(max(decimal_count, 0), _MAX_DIGITS))
    for unit, letter in _UNITS:
        is_readable = largest < _FEW_THOUSANDS and step < unit
        if largest >= unit and step >= unit * _MIN_SHARE_OF_UNIT and not is_readable:
            return format_fixed(value / unit, _count_decimals_and_digits(step / unit)[0]) + letter
    return format_fixed(value, _count_decimals_and_digits(step)[0])


def _count_decimals_and_digits(step: float) -> tuple[int, int]:
    """Return how many decimals a round step needs, and how many digits follow its first one."""
    power = math.floor(math.log10(step) + 1e-9)
    multiple = step / power_of_ten(power)
    digits_behind = 0 if math.isclose(multiple, round(multiple)) else 1
    return max(digits_behind - power, 0), digits_behind


def format_plain(value: float, max_decimals: int) -> str:
    """Write a value with at most so many decimals."""
    text = f"{value:,.{min(max(max_decimals, 0), _MAX_DECIMALS)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return ("0" if text == "-0" else text).replace("-", _MINUS)


def format_fixed(value: float, decimals: int) -> str:
    """Write a value with so many decimals; what rounds to zero has no sign."""
    text = f"{value:,.{min(decimals, _MAX_DECIMALS)}f}"
    return (text if text.strip("-0.") else text.removeprefix("-")).replace("-", _MINUS)


def format_whole(value: int) -> str:
    """Write every digit of a whole number of any size."""
    return f"{value:,}".replace("-", _MINUS)


def _format_with_exponent(value: float, decimal_count: int) -> str:
    mantissa, exponent = f"{value:.{decimal_count}e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{mantissa}e{int(exponent)}".replace("-", _MINUS)


_MAX_WRITTEN_OUT = 10_000_000  # whole numbers below it are written out
_HUNDRED = 100.0
_MIN_TENTH = 0.05  # what rounds to a tenth
_PERCENT = "\u2009%"  # after a thin space


def format_number(value: float | None) -> str:
    """Write a single value: every digit of a whole number below ten million, any other value short."""
    if value is None:
        return "\u2013"
    return format_plain(value, 0) if abs(value) < _MAX_WRITTEN_OUT and value == round(value) else format_short(value)


def format_percent(share: float) -> str:
    """Write a share with one decimal, none above the whole; only zero is 0 %, and only the whole is 100 %."""
    percent = abs(share) * _HUNDRED
    if not percent or percent >= _HUNDRED:
        return f"{format_short(percent)}{_PERCENT}"
    return f"{min(percent, 99.9):.1f}{_PERCENT}" if percent >= _MIN_TENTH else f"<0.1{_PERCENT}"


def format_whole_percent(share: float) -> str:
    """Write a share up to 1 without decimals and without a sign; only zero is 0, and only the whole is 100."""
    percent = share * _HUNDRED
    if 0 < percent < 1:
        return "<1"
    return f"{min(percent, 99.0) if percent < _HUNDRED else percent:.0f}"


_MINUTE, _HOUR, _DAY = 60.0, 3_600.0, 86_400.0
_FEW_UNITS = 10  # of a unit: with fewer, a tenth of it matters
_MIN_UNITS = 2.0  # from two units on, a duration is written in the unit
_HALF_SECOND = 0.5


def format_duration(seconds: float) -> str:
    """Write a duration in the largest unit of which it has at least two."""
    if seconds < _HALF_SECOND:
        return "under 1\u00a0s"
    for unit, word in ((_DAY, "days"), (_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= _MIN_UNITS * unit:
            return f"{_format_rounded(seconds / unit)}\u00a0{word}"
    return f"{_format_rounded(seconds)}\u00a0s"


def _format_rounded(number: float) -> str:
    return format_short(round(number, 1) if number < _FEW_UNITS else float(round(number)))
