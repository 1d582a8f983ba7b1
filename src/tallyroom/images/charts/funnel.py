"""The steps of a funnel below each other, with what is lost between them (rules/pictures#funnels)."""

from collections.abc import Sequence
from math import ceil

import msgspec

from tallyroom.images.charts.chart import (
    Chart,
    build_drawing,
    build_empty_drawing,
    draw_title,
    edge_width,
    header_height,
)
from tallyroom.images.charts.drawing import Box, Drawing, Mark, Stroke, Text
from tallyroom.images.charts.durations import format_duration
from tallyroom.images.charts.number_format import format_number, format_percent
from tallyroom.images.charts.widths import tabular_width, truncate

_STEP = 62.0
_WORDS = 20.0
_BAR = 14.0
_SIZE, _SMALL = 13.0, 12.0
_BASELINE = 14.0
_LOSS = 16.0  # from the bar to the baseline of the line below it
_NUMBER = 18.0  # width of the number of a step
_BETWEEN = 14.0
_RADIUS = 3.0
_MIN_WIDTH = 2.0
_HATCH, _HATCH_WIDTH = 6.0, 1.25  # from one stroke to the next
_BELOW = _STEP - _WORDS - _BAR
_ABOVE = 2.0


class StepBar(msgspec.Struct, frozen=True):
    """How many reached a step, and the median time that it took them from the step before, if that is known."""

    label: str
    count: int
    median_seconds: float | None = None


class FunnelChart(Chart, frozen=True, kw_only=True):
    """Steps in their order, none with more than the one before."""

    steps: Sequence[StepBar]


def funnel_height(step_count: int, width: int) -> int:
    """Return the height at which all steps fit with what is lost between them."""
    return ceil(header_height(width) + _ABOVE + max(step_count, 2) * _STEP - _BELOW + edge_width(width))


def draw_funnel(chart: FunnelChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = draw_title(chart, marks) + _ABOVE
    if not any(step.count for step in chart.steps):
        return build_empty_drawing(chart, top, marks)
    for index, step in enumerate(chart.steps):
        y = top + index * _STEP
        _draw_step_text(chart, index, y + _BASELINE, marks)
        _draw_bar(chart, index, y + _WORDS, marks)
        if index + 1 < len(chart.steps):
            max_width = chart.right - chart.pad - _NUMBER
            loss = truncate(_describe_loss(step, chart.steps[index + 1]), _SMALL, max_width)
            marks.append(Text(chart.pad + _NUMBER, y + _WORDS + _BAR + _LOSS, loss, _SMALL, "muted", max_width))
    step_texts = (
        f"{step.label}: {format_number(step.count)} ({format_percent(_share_of_first(chart, step))})"
        for step in chart.steps
    )
    return build_drawing(chart, f"{'; '.join(step_texts)}.", marks)


def _share_of_first(chart: FunnelChart, step: StepBar) -> float:
    total = max(chart.steps[0].count, 1)
    return min(step.count / total, 1.0)


def _draw_step_text(chart: FunnelChart, index: int, y: float, marks: list[Mark]) -> None:
    """Add the number, the label, the count and the share of a step; the last two align with those of all steps."""
    step = chart.steps[index]
    share_width = max(tabular_width(format_percent(_share_of_first(chart, bar)), _SIZE) for bar in chart.steps)
    count_width = max(tabular_width(format_number(bar.count), _SIZE, bold=True) for bar in chart.steps)
    count_end = chart.right - share_width - _BETWEEN
    max_width = count_end - count_width - _BETWEEN - chart.pad - _NUMBER
    marks += [
        Text(chart.pad, y, str(index + 1), _SIZE, "muted", _NUMBER),
        Text(chart.pad + _NUMBER, y, truncate(step.label, _SIZE, max_width), _SIZE, "text", max_width),
        Text(
            count_end, y, format_number(step.count), _SIZE, "text", count_width, bold=True, anchor="end", tabular=True
        ),
        Text(
            chart.right,
            y,
            format_percent(_share_of_first(chart, step)),
            _SIZE,
            "muted",
            share_width,
            anchor="end",
            tabular=True,
        ),
    ]


def _draw_bar(chart: FunnelChart, index: int, y: float, marks: list[Mark]) -> None:
    """Add the bar of a step on its track; what was lost since the step before is hatched."""
    track_width = chart.right - chart.pad
    width = track_width * _share_of_first(chart, chart.steps[index])
    marks.append(Box(chart.pad, y, track_width, _BAR, "track", _RADIUS))
    if index:
        previous_width = track_width * _share_of_first(chart, chart.steps[index - 1])
        path = _hatch_path(chart.pad + width, y, previous_width - width, _BAR)
        marks += [Stroke(path, "hatch", _HATCH_WIDTH, dense=True)] if path else []
    if chart.steps[index].count:
        bar_width = max(width, _MIN_WIDTH)
        marks.append(Box(chart.pad, y, bar_width, _BAR, "p0", min(_RADIUS, bar_width / 2)))


def _hatch_path(left: float, top: float, width: float, height: float) -> str:
    """Return slanted strokes across a rectangle as a path, each one cut at its edges."""
    right, strokes = left + width, []
    start = left - height + _HATCH / 2
    while start < right:
        x1, x2 = max(start, left), min(start + height, right)  # from the bottom left to the top right
        if x2 - x1 > 1:
            strokes.append(f"M{x1:.1f} {top + height - (x1 - start):.1f}L{x2:.1f} {top + height - (x2 - start):.1f}")
        start += _HATCH
    return "".join(strokes)


def _describe_loss(step: StepBar, next_step: StepBar) -> str:
    """Say how many were lost between two steps, and how long the others took."""
    if not step.count:
        return "nobody was left"
    dropouts = max(step.count - next_step.count, 0)
    phrases = (
        [_with_minus(format_percent(dropouts / step.count)), f"{format_number(dropouts)} stopped"]
        if dropouts
        else ["nobody stopped"]
    )
    if next_step.median_seconds is not None:
        phrases.append(f"median {format_duration(next_step.median_seconds)}")
    return " \u00b7 ".join(phrases)


def _with_minus(share: str) -> str:
    return share if share.startswith("<") else f"\u2212{share}"
