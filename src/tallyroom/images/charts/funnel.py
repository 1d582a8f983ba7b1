"""The steps of a funnel below each other, with what is lost between them (rules/pictures#funnels)."""

from collections.abc import Sequence
from math import ceil

import msgspec

from tallyroom.images.charts.chart import Chart, begin, finished, head_of, pad_of, without_data
from tallyroom.images.charts.drawing import Box, Drawing, Mark, Stroke, Text
from tallyroom.images.charts.durations import lasting
from tallyroom.images.charts.numbers import percent, written
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
_LEAST = 2.0
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
    for number, step in enumerate(chart.steps):
        y = top + number * _STEP
        _put_words(chart, number, y + _BASELINE, marks)
        _put_bar(chart, number, y + _WORDS, marks)
        if number + 1 < len(chart.steps):
            room = chart.right - chart.pad - _NUMBER
            loss = cut(_loss(step, chart.steps[number + 1]), _SMALL, room)
            marks.append(Text(chart.pad + _NUMBER, y + _WORDS + _BAR + _LOSS, loss, _SMALL, "muted", room))
    told = (f"{step.label}: {written(step.count)} ({percent(_share(chart, step))})" for step in chart.steps)
    return finished(chart, f"{'; '.join(told)}.", marks)


def _share(chart: FunnelChart, step: StepBar) -> float:
    whole = max(chart.steps[0].count, 1)
    return min(step.count / whole, 1.0)


def _put_words(chart: FunnelChart, number: int, y: float, marks: list[Mark]) -> None:
    """Add the number, the label, the count and the share of a step; the last two align with those of all steps."""
    step = chart.steps[number]
    shares = max(tabular_width(percent(_share(chart, each)), _SIZE) for each in chart.steps)
    counts = max(tabular_width(written(each.count), _SIZE, bold=True) for each in chart.steps)
    count_end = chart.right - shares - _BETWEEN
    room = count_end - counts - _BETWEEN - chart.pad - _NUMBER
    marks += [
        Text(chart.pad, y, str(number + 1), _SIZE, "muted", _NUMBER),
        Text(chart.pad + _NUMBER, y, cut(step.label, _SIZE, room), _SIZE, "text", room),
        Text(count_end, y, written(step.count), _SIZE, "text", counts, bold=True, anchor="end", tabular=True),
        Text(chart.right, y, percent(_share(chart, step)), _SIZE, "muted", shares, anchor="end", tabular=True),
    ]


def _put_bar(chart: FunnelChart, number: int, y: float, marks: list[Mark]) -> None:
    """Add the bar of a step on its track; what was lost since the step before is hatched."""
    whole = chart.right - chart.pad
    width = whole * _share(chart, chart.steps[number])
    marks.append(Box(chart.pad, y, whole, _BAR, "track", _RADIUS))
    if number:
        before = whole * _share(chart, chart.steps[number - 1])
        path = _hatched(chart.pad + width, y, before - width, _BAR)
        marks += [Stroke(path, "hatch", _HATCH_WIDTH, dense=True)] if path else []
    if chart.steps[number].count:
        shown = max(width, _LEAST)
        marks.append(Box(chart.pad, y, shown, _BAR, "p0", min(_RADIUS, shown / 2)))


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
    lost = max(step.count - after.count, 0)
    words = [_minus(percent(lost / step.count)), f"{written(lost)} stopped"] if lost else ["nobody stopped"]
    if after.median_seconds is not None:
        words.append(f"median {lasting(after.median_seconds)}")
    return " \u00b7 ".join(words)


def _minus(share: str) -> str:
    return share if share.startswith("<") else f"\u2212{share}"
