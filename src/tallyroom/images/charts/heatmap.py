"""The hours of the week as shaded cells (rules/pictures#heatmaps)."""

from collections.abc import Sequence
from math import ceil

from tallyroom.images.charts.chart import Chart, begin, finished, head_of, pad_of, without_data
from tallyroom.images.charts.drawing import Box, Drawing, Mark, Text
from tallyroom.images.charts.number_format import written
from tallyroom.images.charts.shades import STEPS, shade_of_count
from tallyroom.images.charts.widths import width_of

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
    return ceil(head_of(width) + _GAP + len(DAYS) * _ROW + _AXIS + _BELOW + pad_of(width))


def draw_heat(chart: HeatChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    most = max((count for row in chart.cells for count in row), default=0)
    top = begin(chart, marks) + _GAP
    if not most:
        return without_data(chart, top, marks)
    left = chart.pad + max(width_of(day, _SIZE) for day in DAYS) + _BESIDE
    bottom = chart.bottom - _BELOW - _AXIS
    height = (bottom - top) / len(DAYS)
    for day, row in enumerate(chart.cells):
        _put_day(chart, row, Box(left, top + day * height, 0, height, DAYS[day]), most, marks)
    pitch = (chart.right - left) / HOURS
    for hour in range(0, HOURS, _LABEL_HOURS):
        room = _LABEL_HOURS * pitch - _GAP
        marks.append(Text(left + hour * pitch, bottom + _AXIS - _GAP * 2, f"{hour:02}:00", _SIZE, "muted", room))
    _put_key(chart, written(most), chart.bottom, marks)
    return finished(chart, _described(chart, most), marks)


def _put_day(chart: HeatChart, row: Sequence[int], place: Box, most: int, marks: list[Mark]) -> None:
    """Add the cells of a day and its name; `place` says where they begin and how high they are."""
    pitch = (chart.right - place.x) / HOURS
    gap = _GAP if pitch >= _NARROW else _NARROW_GAP
    height = place.height - gap
    y = place.y + height / 2 + _SIZE * 0.35
    marks.append(Text(chart.pad, y, place.paint, _SIZE, "muted", place.x - chart.pad))
    for hour, count in enumerate(row):
        width = pitch - (gap if hour + 1 < HOURS else 0.0)
        shade = f"r{shade_of_count(count, most)}"
        marks.append(Box(place.x + hour * pitch, place.y, width, height, shade, min(_RADIUS, width / 4)))


def _put_key(chart: HeatChart, most: str, y: float, marks: list[Mark]) -> None:
    """Add what the shades mean, which ends at the right."""
    zero, highest = width_of("0", _SIZE), width_of(most, _SIZE)
    x = chart.right - highest - _INSIDE - STEPS * _KEY
    marks.append(Text(x - _INSIDE, y, "0", _SIZE, "muted", zero + _INSIDE, anchor="end"))
    for step in range(1, STEPS + 1):
        marks.append(Box(x, y - _KEY_HEIGHT + 0.5, _KEY - 1, _KEY_HEIGHT, f"r{step}", 2))
        x += _KEY
    marks.append(Text(chart.right, y, most, _SIZE, "muted", highest + _INSIDE, anchor="end"))


def _described(chart: HeatChart, most: int) -> str:
    day, hour = next((day, row.index(most)) for day, row in enumerate(chart.cells) if most in row)
    total = sum(sum(row) for row in chart.cells)
    return f"{written(total)} in all; the most, {written(most)}, on {DAYS[day]} at {hour:02}:00."
