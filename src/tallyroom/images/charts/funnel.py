"""The steps of a funnel below each other, with what is lost between them (rules/pictures#funnels)."""

from collections.abc import Sequence
from math import ceil

import msgspec

from tallyroom.images.charts.chart import Chart, begin, finished, head_of, pad_of, without_data
from tallyroom.images.charts.drawing import Box, Drawing, Mark, Stroke, Text
from tallyroom.images.charts.durations import lasting
from tallyroom.images.charts.number_format import percent, written
from tallyroom.images.charts.widths import cut, tabular_width

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


def funnel_height(steps: int, width: int) -> int:
    """Return the height at which all steps fit with what is lost between them."""
    return ceil(head_of(width) + _ABOVE + max(steps, 2) * _STEP - _BELOW + pad_of(width))


def draw_funnel(chart: FunnelChart) -> Drawing:
    """Return the drawing of a chart."""
    marks: list[Mark] = []
    top = begin(chart, marks) + _ABOVE
    if not any(step.count for step in chart.steps):
        return without_data(chart, top, marks)
    for index, step in enumerate(chart.steps):
        y = top + index * _STEP
        _put_words(chart, index, y + _BASELINE, marks)
        _put_bar(chart, index, y + _WORDS, marks)
        if index + 1 < len(chart.steps):
            room = chart.right - chart.pad - _NUMBER
            loss = cut(_loss(step, chart.steps[index + 1]), _SMALL, room)
            marks.append(Text(chart.pad + _NUMBER, y + _WORDS + _BAR + _LOSS, loss, _SMALL, "muted", room))
    phrases = (f"{step.label}: {written(step.count)} ({percent(_share(chart, step))})" for step in chart.steps)
    return finished(chart, f"{'; '.join(phrases)}.", marks)


def _share(chart: FunnelChart, step: StepBar) -> float:
    total = max(chart.steps[0].count, 1)
    return min(step.count / total, 1.0)


def _put_words(chart: FunnelChart, index: int, y: float, marks: list[Mark]) -> None:
    """Add the number, the label, the count and the share of a step; the last two align with those of all steps."""
    step = chart.steps[index]
    shares = max(tabular_width(percent(_share(chart, bar)), _SIZE) for bar in chart.steps)
    counts = max(tabular_width(written(bar.count), _SIZE, bold=True) for bar in chart.steps)
    count_end = chart.right - shares - _BETWEEN
    room = count_end - counts - _BETWEEN - chart.pad - _NUMBER
    marks += [
        Text(chart.pad, y, str(index + 1), _SIZE, "muted", _NUMBER),
        Text(chart.pad + _NUMBER, y, cut(step.label, _SIZE, room), _SIZE, "text", room),
        Text(count_end, y, written(step.count), _SIZE, "text", counts, bold=True, anchor="end", tabular=True),
        Text(chart.right, y, percent(_share(chart, step)), _SIZE, "muted", shares, anchor="end", tabular=True),
    ]


def _put_bar(chart: FunnelChart, index: int, y: float, marks: list[Mark]) -> None:
    """Add the bar of a step on its track; what was lost since the step before is hatched."""
    track_width = chart.right - chart.pad
    width = track_width * _share(chart, chart.steps[index])
    marks.append(Box(chart.pad, y, track_width, _BAR, "track", _RADIUS))
    if index:
        before = track_width * _share(chart, chart.steps[index - 1])
        path = _hatched(chart.pad + width, y, before - width, _BAR)
        marks += [Stroke(path, "hatch", _HATCH_WIDTH, dense=True)] if path else []
    if chart.steps[index].count:
        bar_width = max(width, _MIN_WIDTH)
        marks.append(Box(chart.pad, y, bar_width, _BAR, "p0", min(_RADIUS, bar_width / 2)))


def _hatched(left: float, top: float, width: float, height: float) -> str:
    """Return slanted strokes across a rectangle as a path, each one cut at its edges."""
    right, strokes = left + width, []
    start = left - height + _HATCH / 2
    while start < right:
        x1, x2 = max(start, left), min(start + height, right)  # from the bottom left to the top right
        if x2 - x1 > 1:
            strokes.append(f"M{x1:.1f} {top + height - (x1 - start):.1f}L{x2:.1f} {top + height - (x2 - start):.1f}")
        start += _HATCH
    return "".join(strokes)


def _loss(step: StepBar, after: StepBar) -> str:
    """Say how many were lost between two steps, and how long the others took."""
    if not step.count:
        return "nobody was left"
    dropouts = max(step.count - after.count, 0)
    words = [_minus(percent(dropouts / step.count)), f"{written(dropouts)} stopped"] if dropouts else ["nobody stopped"]
    if after.median_seconds is not None:
        words.append(f"median {lasting(after.median_seconds)}")
    return " \u00b7 ".join(words)


def _minus(share: str) -> str:
    return share if share.startswith("<") else f"\u2212{share}"
