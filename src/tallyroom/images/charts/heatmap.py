"""The hours of the week as shaded cells (rules/pictures#heatmaps)."""

from collections.abc import Sequence
from math import ceil

from tallyroom.images.charts.chart import (
    Chart,
    build_drawing,
    build_empty_drawing,
    draw_title,
    edge_width,
    header_height,
)
from tallyroom.images.charts.drawing import Box, Drawing, Mark, Text
from tallyroom.images.charts.number_format import format_number
from tallyroom.images.charts.shades import STEPS, shade_of_count
from tallyroom.images.charts.widths import text_width

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
HOURS = 24

_ROW = 24.0
_GAP, _NARROW_GAP = 2.0, 1.0
_SIZE = 12.0
_AXIS = 20.0  # the height of the hours below the cells
_BELOW = 24.0  # the height of the key below them
_LABEL_HOURS = 6  # hours from one label to the next
_BESIDE = 10.0
_RADIUS = 3.0
_KEY, _KEY_HEIGHT = 13.0, 10.0  # of a step in the key
_INSIDE = 6.0
_NARROW = 14.0  # cells below it are drawn closer together


class HeatChart(Chart, frozen=True, kw_only=True):
    """Counts by day of the week, Monday first, and hour of the day."""

    cells: Sequence[Sequence[int]]


def heat_height(width: int) -> int:
    """Return the height at which everything has its room."""
    return ceil(header_height(width) + _GAP + len(DAYS) * _ROW + _AXIS + _BELOW + edge_width(width))


def draw_heat(chart: HeatChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    max_count = max((count for row in chart.cells for count in row), default=0)
    top = draw_title(chart, marks) + _GAP
    if not max_count:
        return build_empty_drawing(chart, top, marks)
    left = chart.pad + max(text_width(day, _SIZE) for day in DAYS) + _BESIDE
    bottom = chart.bottom - _BELOW - _AXIS
    height = (bottom - top) / len(DAYS)
    for day, row in enumerate(chart.cells):
        _draw_day(chart, row, Box(left, top + day * height, 0, height, DAYS[day]), max_count, marks)
    pitch = (chart.right - left) / HOURS
    for hour in range(0, HOURS, _LABEL_HOURS):
        max_width = _LABEL_HOURS * pitch - _GAP
        marks.append(Text(left + hour * pitch, bottom + _AXIS - _GAP * 2, f"{hour:02}:00", _SIZE, "muted", max_width))
    _draw_key(chart, format_number(max_count), chart.bottom, marks)
    return build_drawing(chart, _describe(chart, max_count), marks)


def _draw_day(chart: HeatChart, row: Sequence[int], day_box: Box, max_count: int, marks: list[Mark]) -> None:
    """Add the cells of a day and its name; `day_box` says where they begin and how high they are."""
    pitch = (chart.right - day_box.x) / HOURS
    gap = _GAP if pitch >= _NARROW else _NARROW_GAP
    height = day_box.height - gap
    y = day_box.y + height / 2 + _SIZE * 0.35
    marks.append(Text(chart.pad, y, day_box.paint, _SIZE, "muted", day_box.x - chart.pad))
    for hour, count in enumerate(row):
        width = pitch - (gap if hour + 1 < HOURS else 0.0)
        shade = f"r{shade_of_count(count, max_count)}"
        marks.append(Box(day_box.x + hour * pitch, day_box.y, width, height, shade, min(_RADIUS, width / 4)))


def _draw_key(chart: HeatChart, max_text: str, y: float, marks: list[Mark]) -> None:
    """Add what the shades mean, which ends at the right."""
    zero_width, max_text_width = text_width("0", _SIZE), text_width(max_text, _SIZE)
    x = chart.right - max_text_width - _INSIDE - STEPS * _KEY
    marks.append(Text(x - _INSIDE, y, "0", _SIZE, "muted", zero_width + _INSIDE, anchor="end"))
    for step in range(1, STEPS + 1):
        marks.append(Box(x, y - _KEY_HEIGHT + 0.5, _KEY - 1, _KEY_HEIGHT, f"r{step}", 2))
        x += _KEY
    marks.append(Text(chart.right, y, max_text, _SIZE, "muted", max_text_width + _INSIDE, anchor="end"))


def _describe(chart: HeatChart, max_count: int) -> str:
    day, hour = next((day, row.index(max_count)) for day, row in enumerate(chart.cells) if max_count in row)
    total = sum(sum(row) for row in chart.cells)
    return f"{format_number(total)} in all; the most, {format_number(max_count)}, on {DAYS[day]} at {hour:02}:00."
