"""One number or a few, each with its change since the time before (rules/pictures#numbers)."""

from collections.abc import Sequence
from math import ceil, isfinite
from typing import Literal

import msgspec

from tallyroom.images.charts.chart import Chart, begin, finished, head_of, pad_of, without_data
from tallyroom.images.charts.drawing import AxisLine, Drawing, Mark, Text
from tallyroom.images.charts.number_format import percent, short, written
from tallyroom.images.charts.widths import cut, width_of

_SIZES = (40.0, 34.0, 28.0, 24.0, 20.0, 17.0, 14.0)
_OF_SEVERAL = 2  # the first of these sizes that numbers beside each other may have
_LABEL = 13.0
_ROW_ALONE, _ROW = 76.0, 92.0
_NARROWEST = 145.0  # of a number beside others
_GAP = 16.0
_UNDER = 10.0  # from the baseline of a number to the words below, without their height
_AFTER_ARROW = 5.0


class ShownNumber(msgspec.Struct, frozen=True):
    """A number with the one of the time before.

    Attributes:
        label: its name; empty if the title is enough.
        previous: the number of the time before; None if it is not compared.
        delta: the change as a fraction; None if it cannot be told.
        good: the direction in which it is better.
    """

    label: str
    value: float | None
    previous: float | None = None
    delta: float | None = None
    good: Literal["up", "down", "none"] = "none"


class NumberChart(Chart, frozen=True, kw_only=True):
    """Numbers in the order in which they are shown."""

    numbers: Sequence[ShownNumber]


def numbers_height(numbers: int, width: int) -> int:
    """Return the height at which all numbers fit."""
    if numbers <= 1:
        return ceil(head_of(width) + _ROW_ALONE + pad_of(width))
    return ceil(head_of(width) + ceil(numbers / _beside(numbers, width)) * _ROW - _GAP + pad_of(width))


def draw_numbers(chart: NumberChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = begin(chart, marks)
    count = len(chart.numbers)
    if not count:
        return without_data(chart, top, marks)
    beside = _beside(count, chart.width)
    rows = ceil(count / beside)
    height = min((chart.bottom - top + (_GAP if count > 1 else 0)) / rows, _ROW if count > 1 else _ROW_ALONE)
    width = (chart.right - chart.pad + _GAP) / beside
    room = width - (2 * _GAP if beside > 1 else _GAP)
    size = _size(chart, room, height)
    for index, number in enumerate(chart.numbers):
        row, column = divmod(index, beside)
        x, y = chart.pad + column * width, top + row * height
        if column:
            line = round(x - _GAP) + 0.5
            marks.append(AxisLine(line, y + 2, line, y + height - _GAP, "grid"))
        _put(number, x, y, room, size, marks)
    return finished(chart, f"{'; '.join(_told(number) for number in chart.numbers)}.", marks)


def _beside(count: int, width: int) -> int:
    """Return how many numbers stand beside each other: as many as fit, in rows of about the same length."""
    most = max(min(int((width - 2 * pad_of(width) + _GAP) / _NARROWEST), count), 1)
    return ceil(count / ceil(count / most))


def _size(chart: NumberChart, room: float, height: float) -> float:
    """Return the largest font size in which each number fits."""
    sizes = _SIZES[_OF_SEVERAL if len(chart.numbers) > 1 else 0 :]
    labels = 1.5 * _LABEL if any(number.label for number in chart.numbers) else 0.0
    for size in sizes:
        widest = max(width_of(written(number.value), size, bold=True) for number in chart.numbers)
        if widest <= room and labels + size + _UNDER + _LABEL <= height:
            return size
    return sizes[-1]


def _put(number: ShownNumber, x: float, y: float, room: float, size: float, marks: list[Mark]) -> None:
    if number.label:
        y += _LABEL
        marks.append(Text(x, y, cut(number.label, _LABEL, room), _LABEL, "muted", room))
        y += _LABEL / 2
    y += size * 0.95
    paint = "muted" if number.value is None else "text"
    marks.append(Text(x, y, cut(written(number.value), size, room, bold=True), size, paint, room, bold=True))
    if number.previous is not None:
        marks += _change(number, x, y + _UNDER + _LABEL, room)


def _change(number: ShownNumber, x: float, y: float, room: float) -> list[Mark]:
    """Return the change: an arrow with its size, then the number of the time before."""
    words, paint = _delta(number)
    width = width_of(words, _LABEL, bold=True) + _AFTER_ARROW if words else 0.0
    marks: list[Mark] = [Text(x, y, words, _LABEL, paint, width, bold=True)] if words and width <= room else []
    left = width if marks else 0.0
    before = f"from {short(number.previous or 0.0)}"
    if width_of(before, _LABEL) <= room - left:
        marks.append(Text(x + left, y, before, _LABEL, "muted", room - left))
    return marks


def _delta(number: ShownNumber) -> tuple[str, str]:
    """Return the change in words and its paint: green or red only where one direction is better."""
    if number.delta is None or not isfinite(number.delta):
        return "", "muted"
    if not number.delta:
        return "no change", "muted"
    is_up = number.delta > 0
    words = f"{chr(0x2191 if is_up else 0x2193)} {percent(number.delta)}"
    if number.good == "none":
        return words, "text"
    return words, "better" if is_up == (number.good == "up") else "worse"


def _told(number: ShownNumber) -> str:
    change, _ = _delta(number)
    before = "" if number.previous is None else f"before {short(number.previous)}"
    return ", ".join(word for word in (number.label, written(number.value), change, before) if word)
