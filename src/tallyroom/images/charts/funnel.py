"""The steps of a funnel below each other, with the losses between them (rules/pictures#funnels)."""

from collections.abc import Sequence
from math import ceil

import msgspec

from tallyroom.images.charts.chart import Chart, edge_width, header_height
from tallyroom.images.charts.drawing import Box, Drawing, Mark, Stroke, Text
from tallyroom.images.charts.number_form import format_exact
from tallyroom.images.charts.number_format import format_duration, format_percent
from tallyroom.images.charts.widths import tabular_width, truncate

_STEP_HEIGHT = 62.0
_WORDS_HEIGHT = 20.0
_BAR_HEIGHT = 14.0
_FONT_SIZE, _SMALL_FONT_SIZE = 13.0, 12.0
_BASELINE_OFFSET = 14.0
_LOSS_OFFSET = 16.0  # from the bar to the baseline of the line below it
_NUMBER_WIDTH = 18.0  # width of the number of a step
_COLUMN_GAP = 14.0
_CORNER_RADIUS = 3.0
_MIN_BAR_WIDTH = 2.0
_HATCH_SPACING, _HATCH_STROKE_WIDTH = 6.0, 1.25  # from one stroke to the next
_BELOW_LAST_BAR = _STEP_HEIGHT - _WORDS_HEIGHT - _BAR_HEIGHT
_TOP_MARGIN = 2.0


class StepBar(msgspec.Struct, frozen=True):
    """How many units reached a step, and their median time from the previous step, if known.

    `waiting` of them did not reach the next step, but still have time for it.
    """

    label: str
    count: int
    median_seconds: float | None = None
    waiting: int = 0


class FunnelChart(Chart, frozen=True, kw_only=True):
    """Steps in their order, none with more units than the one before."""

    steps: Sequence[StepBar]


def funnel_height(step_count: int, width: int) -> int:
    """Return the height at which all steps fit with the losses between them."""
    return ceil(
        header_height(width) + _TOP_MARGIN + max(step_count, 2) * _STEP_HEIGHT - _BELOW_LAST_BAR + edge_width(width)
    )


def draw_funnel(chart: FunnelChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = chart.draw_title(marks) + _TOP_MARGIN
    if not chart.steps:
        return chart.build_empty_drawing(top, marks)
    for index, step in enumerate(chart.steps):
        y = top + index * _STEP_HEIGHT
        _draw_step_text(chart, index, y + _BASELINE_OFFSET, marks)
        _draw_bar(chart, index, y + _WORDS_HEIGHT, marks)
        if index + 1 < len(chart.steps):
            max_width = chart.right - chart.pad - _NUMBER_WIDTH
            loss_text = truncate(describe_loss(step, chart.steps[index + 1]), _SMALL_FONT_SIZE, max_width)
            loss_y = y + _WORDS_HEIGHT + _BAR_HEIGHT + _LOSS_OFFSET
            marks.append(Text(chart.pad + _NUMBER_WIDTH, loss_y, loss_text, _SMALL_FONT_SIZE, "muted", max_width))
    step_texts = (
        f"{step.label}: {format_exact(step.count)} ({format_percent(_share_of_first(chart, step))})"
        for step in chart.steps
    )
    return chart.build_drawing(f"{'; '.join(step_texts)}.", marks)


def _share_of_first(chart: FunnelChart, step: StepBar) -> float:
    return min(step.count / max(chart.steps[0].count, 1), 1.0)


def _draw_step_text(chart: FunnelChart, index: int, y: float, marks: list[Mark]) -> None:
    step = chart.steps[index]
    share_width = max(tabular_width(format_percent(_share_of_first(chart, bar)), _FONT_SIZE) for bar in chart.steps)
    count_width = max(tabular_width(format_exact(bar.count), _FONT_SIZE, bold=True) for bar in chart.steps)
    count_right = chart.right - share_width - _COLUMN_GAP
    max_width = count_right - count_width - _COLUMN_GAP - chart.pad - _NUMBER_WIDTH
    count_text = Text(count_right, y, format_exact(step.count), _FONT_SIZE, "text", count_width)
    share = format_percent(_share_of_first(chart, step))
    share_text = Text(chart.right, y, share, _FONT_SIZE, "muted", share_width)
    marks += [
        Text(chart.pad, y, str(index + 1), _FONT_SIZE, "muted", _NUMBER_WIDTH),
        Text(chart.pad + _NUMBER_WIDTH, y, truncate(step.label, _FONT_SIZE, max_width), _FONT_SIZE, "text", max_width),
        count_text._replace(bold=True, anchor="end", tabular=True),
        share_text._replace(anchor="end", tabular=True),
    ]


def _draw_bar(chart: FunnelChart, index: int, y: float, marks: list[Mark]) -> None:
    track_width = chart.right - chart.pad
    reached_width = track_width * _share_of_first(chart, chart.steps[index])
    marks.append(Box(chart.pad, y, track_width, _BAR_HEIGHT, "track", _CORNER_RADIUS))
    if index:
        previous_step = chart.steps[index - 1]
        previous_width = track_width * _share_of_first(chart, previous_step)
        lost_left = reached_width + track_width * previous_step.waiting / max(chart.steps[0].count, 1)
        hatch_path = _hatch_path(chart.pad + lost_left, y, previous_width - lost_left, _BAR_HEIGHT)
        if lost_left > reached_width:
            marks.append(Box(chart.pad, y, lost_left, _BAR_HEIGHT, "bar", _CORNER_RADIUS))
        marks += [Stroke(hatch_path, "hatch", _HATCH_STROKE_WIDTH, is_dense=True)] if hatch_path else []
    if chart.steps[index].count:
        bar_width = max(reached_width, _MIN_BAR_WIDTH)
        marks.append(Box(chart.pad, y, bar_width, _BAR_HEIGHT, "p0", min(_CORNER_RADIUS, bar_width / 2)))


def _hatch_path(left: float, top: float, width: float, height: float) -> str:
    """Return slanted strokes across a rectangle as a path, each one cut at its edges."""
    right, strokes = left + width, []
    stroke_left = left - height + _HATCH_SPACING / 2
    while stroke_left < right:
        x1, x2 = max(stroke_left, left), min(stroke_left + height, right)  # from the bottom left to the top right
        if x2 - x1 > 1:
            strokes.append(
                f"M{x1:.1f} {top + height - (x1 - stroke_left):.1f}L{x2:.1f} {top + height - (x2 - stroke_left):.1f}"
            )
        stroke_left += _HATCH_SPACING
    return "".join(strokes)


def _describe_waiting(waiting_count: int) -> str:
    """Return how many units still have time for the next step, in words."""
    return f"{format_exact(waiting_count)} still {'has' if waiting_count == 1 else 'have'} time"


def describe_loss(step: StepBar, next_step: StepBar) -> str:
    """Return how many units did not reach the next step, and how long the others took, in words."""
    if not step.count:
        return "no one left"
    stopped_count = max(step.count - next_step.count - step.waiting, 0)
    share_text = format_percent(stopped_count / step.count)
    phrases = []
    if stopped_count:
        phrases.append(share_text if share_text.startswith("<") else f"\u2212{share_text}")
        phrases.append(f"{format_exact(stopped_count)} stopped")
    if step.waiting:
        phrases.append(_describe_waiting(step.waiting))
    phrases = phrases or ["no one stopped"]
    if next_step.median_seconds is not None:
        phrases.append(f"median {format_duration(next_step.median_seconds)}")
    return " \u00b7 ".join(phrases)
