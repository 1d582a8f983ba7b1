"""The hours of the week as shaded cells (rules/pictures#heatmaps)."""

from collections.abc import Sequence
from math import ceil

from tallyroom.images.charts.chart import Chart, edge_width, header_height
from tallyroom.images.charts.drawing import Box, Drawing, Mark, Text
from tallyroom.images.charts.number_format import format_number
from tallyroom.images.charts.shades import STEP_COUNT, shade_step_of_count
from tallyroom.images.charts.widths import text_width

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
HOURS = 24

_ROW_HEIGHT = 24.0
_CELL_GAP, _NARROW_CELL_GAP = 2.0, 1.0
_FONT_SIZE = 12.0
_HOUR_AXIS_HEIGHT = 20.0  # the height of the hours below the cells
_KEY_AREA_HEIGHT = 24.0  # the height of the key below them
_HOURS_PER_LABEL = 6  # hours from one label to the next
_DAY_LABEL_GAP = 10.0
_CORNER_RADIUS = 3.0
_KEY_STEP_WIDTH, _KEY_HEIGHT = 13.0, 10.0  # of a step in the key
_KEY_LABEL_GAP = 6.0
_NARROW_CELL_WIDTH = 14.0  # cells below it are drawn closer together


class HeatChart(Chart, frozen=True, kw_only=True):
    """Counts by day of the week, Monday first, and hour of the day; None for an hour outside of the time range."""

    cells: Sequence[Sequence[int | None]]


def heat_height(width: int) -> int:
    """Return the height at which everything fits."""
    cells_bottom = header_height(width) + _CELL_GAP + len(DAYS) * _ROW_HEIGHT
    return ceil(cells_bottom + _HOUR_AXIS_HEIGHT + _KEY_AREA_HEIGHT + edge_width(width))


def draw_heat(chart: HeatChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    max_count = max(_list_counts(chart), default=0)
    top = chart.draw_title(marks) + _CELL_GAP
    if not max_count:
        return chart.build_empty_drawing(top, marks)
    left = chart.pad + max(text_width(day, _FONT_SIZE) for day in DAYS) + _DAY_LABEL_GAP
    bottom = chart.bottom - _KEY_AREA_HEIGHT - _HOUR_AXIS_HEIGHT
    row_height = (bottom - top) / len(DAYS)
    for day, row in enumerate(chart.cells):
        _draw_day(chart, row, Box(left, top + day * row_height, 0, row_height, DAYS[day]), max_count, marks)
    hour_width = (chart.right - left) / HOURS
    for hour in range(0, HOURS, _HOURS_PER_LABEL):
        max_width = _HOURS_PER_LABEL * hour_width - _CELL_GAP
        label_y = bottom + _HOUR_AXIS_HEIGHT - _CELL_GAP * 2
        marks.append(Text(left + hour * hour_width, label_y, f"{hour:02}:00", _FONT_SIZE, "muted", max_width))
    _draw_color_key(chart, format_number(max_count), chart.bottom, marks)
    return chart.build_drawing(_describe_chart(chart, max_count), marks)


def _list_counts(chart: HeatChart) -> list[int]:
    return [count for row in chart.cells for count in row if count is not None]


def _draw_day(chart: HeatChart, row: Sequence[int | None], day_box: Box, max_count: int, marks: list[Mark]) -> None:
    """Add the cells of a day and its name; `day_box` is where they begin and how high they are."""
    hour_width = (chart.right - day_box.x) / HOURS
    gap = _CELL_GAP if hour_width >= _NARROW_CELL_WIDTH else _NARROW_CELL_GAP
    cell_height = day_box.height - gap
    y = day_box.y + cell_height / 2 + _FONT_SIZE * 0.35
    marks.append(Text(chart.pad, y, day_box.paint, _FONT_SIZE, "muted", day_box.x - chart.pad))
    for hour, count in enumerate(row):
        if count is None:
            continue
        cell_width = hour_width - (gap if hour + 1 < HOURS else 0.0)
        shade_paint = f"r{shade_step_of_count(count, max_count)}"
        x, radius = day_box.x + hour * hour_width, min(_CORNER_RADIUS, cell_width / 4)
        marks.append(Box(x, day_box.y, cell_width, cell_height, shade_paint, radius))


def _draw_color_key(chart: HeatChart, max_text: str, y: float, marks: list[Mark]) -> None:
    zero_width, max_text_width = text_width("0", _FONT_SIZE), text_width(max_text, _FONT_SIZE)
    x = chart.right - max_text_width - _KEY_LABEL_GAP - STEP_COUNT * _KEY_STEP_WIDTH
    marks.append(Text(x - _KEY_LABEL_GAP, y, "0", _FONT_SIZE, "muted", zero_width + _KEY_LABEL_GAP, anchor="end"))
    for step in range(1, STEP_COUNT + 1):
        marks.append(Box(x, y - _KEY_HEIGHT + 0.5, _KEY_STEP_WIDTH - 1, _KEY_HEIGHT, f"r{step}", 2))
        x += _KEY_STEP_WIDTH
    marks.append(Text(chart.right, y, max_text, _FONT_SIZE, "muted", max_text_width + _KEY_LABEL_GAP, anchor="end"))


def _describe_chart(chart: HeatChart, max_count: int) -> str:
    day, hour = next((day, row.index(max_count)) for day, row in enumerate(chart.cells) if max_count in row)
    total = sum(_list_counts(chart))
    return f"{format_number(total)} in total. Peak: {format_number(max_count)} on {DAYS[day]} at {hour:02}:00."
