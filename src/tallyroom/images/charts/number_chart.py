"""One number or a few, each with its change since the time before (rules/pictures#numbers)."""

from collections.abc import Sequence
from math import ceil, isfinite
from typing import Literal

import msgspec

from tallyroom.images.charts.chart import (
    Chart,
    build_drawing,
    build_empty_drawing,
    draw_title,
    edge_width,
    header_height,
)
from tallyroom.images.charts.drawing import AxisLine, Drawing, Mark, Text
from tallyroom.images.charts.number_format import format_number, format_percent, format_short
from tallyroom.images.charts.widths import text_width, truncate

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


def numbers_height(number_count: int, width: int) -> int:
    """Return the height at which all numbers fit."""
    if number_count <= 1:
        return ceil(header_height(width) + _ROW_ALONE + edge_width(width))
    return ceil(
        header_height(width)
        + ceil(number_count / _count_columns(number_count, width)) * _ROW
        - _GAP
        + edge_width(width)
    )


def draw_numbers(chart: NumberChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = draw_title(chart, marks)
    count = len(chart.numbers)
    if not count:
        return build_empty_drawing(chart, top, marks)
    column_count = _count_columns(count, chart.width)
    rows = ceil(count / column_count)
    height = min((chart.bottom - top + (_GAP if count > 1 else 0)) / rows, _ROW if count > 1 else _ROW_ALONE)
    width = (chart.right - chart.pad + _GAP) / column_count
    max_width = width - (2 * _GAP if column_count > 1 else _GAP)
    font_size = _choose_font_size(chart, max_width, height)
    for index, number in enumerate(chart.numbers):
        row, column = divmod(index, column_count)
        x, y = chart.pad + column * width, top + row * height
        if column:
            line = round(x - _GAP) + 0.5
            marks.append(AxisLine(line, y + 2, line, y + height - _GAP, "grid"))
        _draw_number(number, x, y, max_width, font_size, marks)
    return build_drawing(chart, f"{'; '.join(_describe_number(number) for number in chart.numbers)}.", marks)


def _count_columns(count: int, width: int) -> int:
    """Return how many numbers stand beside each other: as many as fit, in rows of about the same length."""
    max_columns = max(min(int((width - 2 * edge_width(width) + _GAP) / _NARROWEST), count), 1)
    return ceil(count / ceil(count / max_columns))


def _choose_font_size(chart: NumberChart, max_width: float, height: float) -> float:
    """Return the largest font size in which each number fits."""
    sizes = _SIZES[_OF_SEVERAL if len(chart.numbers) > 1 else 0 :]
    labels = 1.5 * _LABEL if any(number.label for number in chart.numbers) else 0.0
    for font_size in sizes:
        widest = max(text_width(format_number(number.value), font_size, bold=True) for number in chart.numbers)
        if widest <= max_width and labels + font_size + _UNDER + _LABEL <= height:
            return font_size
    return sizes[-1]


def _draw_number(
    number: ShownNumber, x: float, y: float, max_width: float, font_size: float, marks: list[Mark]
) -> None:
    if number.label:
        y += _LABEL
        marks.append(Text(x, y, truncate(number.label, _LABEL, max_width), _LABEL, "muted", max_width))
        y += _LABEL / 2
    y += font_size * 0.95
    paint = "muted" if number.value is None else "text"
    marks.append(
        Text(
            x,
            y,
            truncate(format_number(number.value), font_size, max_width, bold=True),
            font_size,
            paint,
            max_width,
            bold=True,
        )
    )
    if number.previous is not None:
        marks += _build_change_marks(number, x, y + _UNDER + _LABEL, max_width)


def _build_change_marks(number: ShownNumber, x: float, y: float, max_width: float) -> list[Mark]:
    """Return the change: an arrow with its size, then the number of the time before."""
    change_text, paint = _describe_change(number)
    width = text_width(change_text, _LABEL, bold=True) + _AFTER_ARROW if change_text else 0.0
    marks: list[Mark] = (
        [Text(x, y, change_text, _LABEL, paint, width, bold=True)] if change_text and width <= max_width else []
    )
    left = width if marks else 0.0
    previous_text = f"from {format_short(number.previous or 0.0)}"
    if text_width(previous_text, _LABEL) <= max_width - left:
        marks.append(Text(x + left, y, previous_text, _LABEL, "muted", max_width - left))
    return marks


def _describe_change(number: ShownNumber) -> tuple[str, str]:
    """Return the change in words and its paint: green or red only where one direction is better."""
    if number.delta is None or not isfinite(number.delta):
        return "", "muted"
    if not number.delta:
        return "no change", "muted"
    is_up = number.delta > 0
    change_text = f"{chr(0x2191 if is_up else 0x2193)} {format_percent(number.delta)}"
    if number.good == "none":
        return change_text, "text"
    return change_text, "better" if is_up == (number.good == "up") else "worse"


def _describe_number(number: ShownNumber) -> str:
    change, _ = _describe_change(number)
    previous_text = "" if number.previous is None else f"before {format_short(number.previous)}"
    return ", ".join(text for text in (number.label, format_number(number.value), change, previous_text) if text)
