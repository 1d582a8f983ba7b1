"""One number or a few, each with its change since the previous window (rules/pictures#numbers)."""

from collections.abc import Sequence
from math import ceil
from typing import Literal

import msgspec

from tallyroom.images.charts.changes import find_change
from tallyroom.images.charts.chart import Chart, edge_width, header_height
from tallyroom.images.charts.drawing import AxisLine, Box, Drawing, Mark, Text
from tallyroom.images.charts.goals import GoalProgress, GoalState, measure_goal
from tallyroom.images.charts.number_form import NumberForm
from tallyroom.images.charts.widths import text_width, truncate

_FONT_SIZES = (40.0, 34.0, 28.0, 24.0, 20.0, 17.0, 14.0)
_FIRST_SIZE_OF_SEVERAL = 2  # the first of these sizes for numbers next to each other
_LABEL_SIZE = 13.0
_LONE_ROW_HEIGHT, _ROW_HEIGHT = 76.0, 92.0
_MIN_NUMBER_WIDTH = 145.0  # of a number next to others
_NUMBER_GAP = 16.0
_WORDS_OFFSET = 10.0  # from the baseline of a number to the words below, without their height
_CHANGE_GAP = 5.0
_GOAL_GAP, _GOAL_BAR_HEIGHT = 12.0, 6.0  # from the words to the bar, and its height
_MAX_GOAL_WIDTH = 220.0
_ARROW_BY_DIRECTION = {"up": "\u2191", "down": "\u2193"}
_PAINT_BY_GOAL_STATE: dict[GoalState, str] = {"met": "better", "open": "p0", "missed": "worse"}

GOAL_HEIGHT = ceil(_GOAL_GAP + _GOAL_BAR_HEIGHT + _CHANGE_GAP + _LABEL_SIZE)
"""The room of a goal below a lone number."""


class ShownNumber(msgspec.Struct, frozen=True):
    """A number, the `previous` one and its `goal`, if any; `good` is the direction that is better."""

    label: str
    value: float | None
    previous: float | None = None
    good: Literal["up", "down", "none"] = "none"
    goal: float | None = None

    @property
    def goal_progress(self) -> GoalProgress | None:
        """How far the number is from its goal."""
        return None if self.goal is None or self.value is None else measure_goal(self.value, self.goal, self.good)


class NumberChart(Chart, frozen=True, kw_only=True):
    """Numbers in the order in which they are shown."""

    numbers: Sequence[ShownNumber]
    number_form: NumberForm = NumberForm()


def numbers_height(number_count: int, width: int) -> int:
    """Return the height at which all numbers fit."""
    if number_count <= 1:
        return ceil(header_height(width) + _LONE_ROW_HEIGHT + edge_width(width))
    row_count = ceil(number_count / _count_columns(number_count, width))
    return ceil(header_height(width) + row_count * _ROW_HEIGHT - _NUMBER_GAP + edge_width(width))


def draw_numbers(chart: NumberChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = chart.draw_title(marks)
    number_count = len(chart.numbers)
    if not number_count:
        return chart.build_empty_drawing(top, marks)
    column_count = _count_columns(number_count, chart.width)
    row_count = ceil(number_count / column_count)
    row_height = min(
        (chart.bottom - top + (_NUMBER_GAP if number_count > 1 else 0)) / row_count,
        _ROW_HEIGHT if number_count > 1 else _LONE_ROW_HEIGHT,
    )
    column_width = (chart.right - chart.pad + _NUMBER_GAP) / column_count
    max_width = column_width - (2 * _NUMBER_GAP if column_count > 1 else _NUMBER_GAP)
    font_size = _choose_font_size(chart, max_width, row_height)
    for index, number in enumerate(chart.numbers):
        row, column = divmod(index, column_count)
        x, y = chart.pad + column * column_width, top + row * row_height
        if column:
            line_x = round(x - _NUMBER_GAP) + 0.5
            marks.append(AxisLine(line_x, y + 2, line_x, y + row_height - _NUMBER_GAP, "grid"))
        _draw_number(number, chart.number_form, x, y, max_width, font_size, marks)
    texts = (_describe_number(number, chart.number_form) for number in chart.numbers)
    return chart.build_drawing(f"{'; '.join(texts)}.", marks)


def _count_columns(number_count: int, width: int) -> int:
    max_columns = max(min(int((width - 2 * edge_width(width) + _NUMBER_GAP) / _MIN_NUMBER_WIDTH), number_count), 1)
    return ceil(number_count / ceil(number_count / max_columns))


def _choose_font_size(chart: NumberChart, max_width: float, row_height: float) -> float:
    font_sizes = _FONT_SIZES[_FIRST_SIZE_OF_SEVERAL if len(chart.numbers) > 1 else 0 :]
    label_height = 1.5 * _LABEL_SIZE if any(number.label for number in chart.numbers) else 0.0
    for font_size in font_sizes:
        texts = (chart.number_form.write_alone(number.value) for number in chart.numbers)
        widest = max(text_width(text, font_size, bold=True) for text in texts)
        if widest <= max_width and label_height + font_size + _WORDS_OFFSET + _LABEL_SIZE <= row_height:
            return font_size
    return font_sizes[-1]


def _draw_number(  # a number, and where it is
    number: ShownNumber,
    form: NumberForm,
    x: float,
    y: float,
    max_width: float,
    font_size: float,
    marks: list[Mark],
) -> None:
    if number.label:
        y += _LABEL_SIZE
        marks.append(Text(x, y, truncate(number.label, _LABEL_SIZE, max_width), _LABEL_SIZE, "muted", max_width))
        y += _LABEL_SIZE / 2
    y += font_size * 0.95
    paint = "muted" if number.value is None else "text"
    value_text = form.write_alone(number.value, lambda text: text_width(text, font_size, bold=True) <= max_width)
    marks.append(Text(x, y, value_text, font_size, paint, max_width, bold=True))
    if number.previous is not None:
        y += _WORDS_OFFSET + _LABEL_SIZE
        marks += _build_change_marks(number, form, x, y, max_width)
    if (progress := number.goal_progress) is not None:
        marks += _build_goal_marks(progress, x, y + _GOAL_GAP, max_width)


def _build_change_marks(number: ShownNumber, form: NumberForm, x: float, y: float, max_width: float) -> list[Mark]:
    change_text, paint = _describe_change(number, form)
    width = text_width(change_text, _LABEL_SIZE, bold=True) + _CHANGE_GAP if change_text else 0.0
    marks: list[Mark] = (
        [Text(x, y, change_text, _LABEL_SIZE, paint, width, bold=True)] if change_text and width <= max_width else []
    )
    previous_offset = width if marks else 0.0
    room = max_width - previous_offset
    previous_number = form.write_alone(number.previous, lambda text: text_width(f"from {text}", _LABEL_SIZE) <= room)
    previous_text = f"from {previous_number}"
    if text_width(previous_text, _LABEL_SIZE) <= room:
        marks.append(Text(x + previous_offset, y, previous_text, _LABEL_SIZE, "muted", room))
    return marks


def _build_goal_marks(progress: GoalProgress, x: float, y: float, max_width: float) -> list[Mark]:
    """Return a bar for the share of the goal that is reached, and both numbers below it."""
    width = min(max_width, _MAX_GOAL_WIDTH)
    marks: list[Mark] = [Box(x, y, width, _GOAL_BAR_HEIGHT, "track", _GOAL_BAR_HEIGHT / 2)]
    if progress.share:
        bar_width = max(width * progress.share, _GOAL_BAR_HEIGHT)
        marks.append(Box(x, y, bar_width, _GOAL_BAR_HEIGHT, _PAINT_BY_GOAL_STATE[progress.state], _GOAL_BAR_HEIGHT / 2))
    text = truncate(progress.sentence, _LABEL_SIZE, max_width)
    baseline_y = y + _GOAL_BAR_HEIGHT + _CHANGE_GAP + _LABEL_SIZE
    return [*marks, Text(x, baseline_y, text, _LABEL_SIZE, "muted", max_width)]


def _describe_change(number: ShownNumber, form: NumberForm) -> tuple[str, str]:
    """Return the change in words and its paint: green or red only where one direction is better."""
    change = find_change(number.value, number.previous)
    if change is None or change.direction == "none":
        return "" if change is None else change.text, "muted"
    is_difference = change.kind == "difference"
    text = form.add_unit(change.text) if is_difference else f"{_ARROW_BY_DIRECTION[change.direction]} {change.text}"
    if number.good == "none":
        return text, "text"
    return text, "better" if change.direction == number.good else "worse"


def _describe_number(number: ShownNumber, form: NumberForm) -> str:
    change_text, _ = _describe_change(number, form)
    previous_text = "" if number.previous is None else f"before {form.write_alone(number.previous)}"
    goal_text = "" if number.goal_progress is None else f"goal: {number.goal_progress.sentence}"
    texts = (number.label, form.write_alone(number.value), change_text, previous_text, goal_text)
    return ", ".join(text for text in texts if text)
