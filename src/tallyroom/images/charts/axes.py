"""The axes of a picture: which values and moments get labels, and where the plot between them is."""

import re
import sys
from collections.abc import Sequence
from datetime import UTC, tzinfo
from itertools import pairwise
from typing import NamedTuple

from tallyroom.images.charts.drawing import AxisLine, Mark, Text
from tallyroom.images.charts.graph import Extent
from tallyroom.images.charts.number_format import format_short, format_tick
from tallyroom.images.charts.scale import Scale, Ticks, build_value_ticks
from tallyroom.images.charts.signed_numbers import Sign, sign_tick
from tallyroom.images.charts.time_ticks import Tick, build_zoned_ticks, format_moment, is_time
from tallyroom.images.charts.widths import text_width

LABEL_SIZE = 12.0  # the font size of axis labels
_LINE_HEIGHT = 1.4
_LABEL_GAP = 8.0
_NOTCH_HEIGHT = 4.0
_MIN_VALUE_PIXELS = 24.0  # minimum pixels from one value to the next
_MAX_VALUE_LABELS = 7
_MIN_MOMENT_PIXELS = 42.0  # minimum pixels from one moment to the next
_MAX_MOMENT_LABELS = 12
_MIN_LABEL_GAP = 18.0  # minimum pixels between the labels of moments
_MAX_LABELS_SHARE = 0.3  # maximum share of the picture's width for the labels of values
_MAX_MAGNIFICATION = 5.0  # how many times larger than on an axis from zero a difference may look without a mark
_BREAK_STROKE = (8.0, 5.0)  # how far a stroke of the mark goes, to the right and up
_BREAK_STROKE_GAP = 4.0
_AXIS_STUB_LENGTH = 6.0  # of the axis, on both sides of the mark
_BREAK_MARK_MARGIN = 10.0  # from the axis to the lines, so that none crosses the mark
_MIN_LABELS = 2  # with this many moments or fewer, none is left out
_LONE_MARGIN = 1.0  # margin on both sides of a lone position
_LONE_TIME_MARGIN_S = 1800.0
_YEAR_SUFFIX = re.compile(r" \d{4}\Z")  # at the end of a date


class AxisStyle(NamedTuple):
    """How axes are drawn.

    `column_count` is how many columns the plot has room for, each centered above its moment; 0 for lines. With
    `is_whole`, only whole values have labels. With `is_timeless`, the horizontal axis has numbers. With `has_year`, the
    first date of each year has its year. `sign` is what the values are.
    """

    zone: tzinfo = UTC
    column_count: int = 0
    is_whole: bool = False
    is_timeless: bool = False
    has_year: bool = True
    sign: Sign = "none"


_PLAIN = AxisStyle()


class Plot(NamedTuple):
    """The part of a picture that contains the lines; `left` and `right` are the ends of its grid."""

    x_scale: Scale
    y_scale: Scale
    top: float
    bottom: float
    may_shade: bool  # whether the shade of a lone line does not suggest a wrong size
    left: float
    right: float

    @property
    def floor_y(self) -> float:
        """The bottom of the area below a line, in pixels: zero, or the plot's nearest value to zero."""
        return self.y_scale.to_pixel(min(max(0.0, self.y_scale.low), self.y_scale.high))


def build_bare_plot(width: float, height: float, extent: Extent, edge: float) -> Plot:
    """Return a plot that fills the picture except for its edge: without labels, only the shape of the lines matters."""
    earliest, latest, lowest, highest = extent
    x_scale = Scale(*_widen_span(earliest, latest), edge, width - edge)
    y_scale = Scale(lowest, highest, height - edge, edge)
    return Plot(x_scale, y_scale, edge, height - edge, may_shade=True, left=edge, right=width - edge)


def draw_axes(
    width: float, height: float, extent: Extent, pad: float, top: float, marks: list[Mark], style: AxisStyle = _PLAIN
) -> Plot:
    """Add the axes to `marks`, values on the left and moments at the bottom, and return the plot that remains."""
    earliest, latest, lowest, highest = extent
    top += LABEL_SIZE / 2
    bottom = height - pad - LABEL_SIZE * _LINE_HEIGHT
    max_count = min(max(int((bottom - top) / _MIN_VALUE_PIXELS) + 1, 2), _MAX_VALUE_LABELS)
    ticks = build_value_ticks(lowest, highest, max_count, is_whole=style.is_whole)
    labels, labels_width = _build_value_labels(ticks, width * _MAX_LABELS_SHARE, style.sign)
    left, right = pad + labels_width + _LABEL_GAP, width - pad
    y_scale = Scale(ticks.values[0], ticks.values[-1], bottom, top)
    for value, label in zip(ticks.values, labels, strict=True):
        row_y = y_scale.to_pixel(value)
        line_y = round(row_y) + 0.5  # in the middle of a row of pixels
        marks.append(AxisLine(left, line_y, right, line_y, "axis" if value == 0 and lowest < 0 else "grid"))
        label_y = row_y + LABEL_SIZE * 0.35
        marks.append(Text(left - _LABEL_GAP, label_y, label, LABEL_SIZE, "muted", pad + labels_width, anchor="end"))
    grid_left = left
    if _is_magnified(y_scale):
        marks += _build_break_marks(round(left) + 0.5, y_scale)
        left += _BREAK_MARK_MARGIN
    inset = (right - left) / style.column_count / 2 if style.column_count else 0.0
    x_scale = Scale(*_widen_span(earliest, latest, is_timeless=style.is_timeless), left + inset, right - inset)
    for tick in _choose_labels(_HorizontalAxis(x_scale, left, right, pad, style)):
        tick_x = x_scale.to_pixel(tick.position)
        marks.append(AxisLine(tick_x, bottom + 1, tick_x, bottom + 1 + _NOTCH_HEIGHT, "grid"))
        label_width = tick.width + _LABEL_GAP
        marks.append(Text(tick.middle_x, height - pad, tick.label, LABEL_SIZE, "muted", label_width, anchor="middle"))
    return Plot(x_scale, y_scale, top, bottom, may_shade=y_scale.low <= 0 <= y_scale.high, left=grid_left, right=right)


def _build_value_labels(ticks: Ticks, max_width: float, sign: Sign) -> tuple[list[str], float]:
    """Return the labels of values and the greatest width; too wide labels become distances from the lowest value."""
    tick_labels = zip(_format_tick_labels(ticks), ticks.values, strict=True)
    labels = [sign_tick(label, value, sign) for label, value in tick_labels]
    if max(text_width(label, LABEL_SIZE) for label in labels) > max_width:
        lowest, step = ticks.values[0], ticks.step
        distances = [format_tick(number * step, step, len(labels) * step) for number in range(1, len(labels))]
        labels = [format_short(lowest), *(f"+{distance}" for distance in distances)]
    return labels, max(text_width(label, LABEL_SIZE) for label in labels)


def _is_magnified(y_scale: Scale) -> bool:
    """Return True if differences look more than five times as large as they would on an axis from zero."""
    if y_scale.low <= 0 <= y_scale.high:
        return False
    return max(abs(y_scale.low), abs(y_scale.high)) > _MAX_MAGNIFICATION * (y_scale.high - y_scale.low)


def _build_break_marks(x: float, y_scale: Scale) -> list[Mark]:
    """Return two slanted strokes across the end of the value axis nearer to zero, a sign that values are left out."""
    end_y, inward_sign = (y_scale.start_pixel, -1) if y_scale.low > 0 else (y_scale.end_pixel, 1)
    (across, up), outer_y = _BREAK_STROKE, end_y + inward_sign * _AXIS_STUB_LENGTH
    inner_y = outer_y + inward_sign * _BREAK_STROKE_GAP
    stub_y = inner_y + inward_sign * _AXIS_STUB_LENGTH
    strokes = [AxisLine(x - across / 2, y + up / 2, x + across / 2, y - up / 2, "axis") for y in (outer_y, inner_y)]
    return [AxisLine(x, end_y, x, outer_y, "axis"), AxisLine(x, inner_y, x, stub_y, "axis"), *strokes]


class _HorizontalAxis(NamedTuple):
    x_scale: Scale
    left: float
    right: float
    pad: float
    style: AxisStyle

    def place_labels(self, ticks: Sequence[Tick]) -> "list[_TickLabel]":
        tick_labels = []
        for position, label in ticks:
            width = text_width(label, LABEL_SIZE)
            middle_x = max(self.x_scale.to_pixel(position), self.left + width / 2)
            middle_x = max(min(middle_x, self.right - width / 2), self.pad + width / 2)
            tick_labels.append(_TickLabel(position, label, middle_x, width))
        return tick_labels

    def build_ticks(self, low: float, max_count: int) -> list[Tick]:
        x_scale = self.x_scale
        if not self.style.is_timeless and is_time(x_scale.low, x_scale.high):
            moments = build_zoned_ticks(low, x_scale.high, max_count, self.style.zone)
            if self.style.has_year:
                return moments
            return [Tick(moment, _YEAR_SUFFIX.sub("", label)) for moment, label in moments]
        ticks: Ticks = build_value_ticks(x_scale.low, x_scale.high, max_count)
        pairs = zip(ticks.values, _format_tick_labels(ticks), strict=True)
        return [Tick(value, label) for value, label in pairs if low <= value <= x_scale.high]

    @property
    def start_label(self) -> str:
        if not self.style.is_timeless and is_time(self.x_scale.low, self.x_scale.high):
            return format_moment(self.x_scale.low, self.style.zone).removesuffix(" UTC")
        return format_tick(self.x_scale.low, 1, self.x_scale.low)


class _TickLabel(NamedTuple):
    position: float
    label: str
    middle_x: float
    width: float

    @property
    def left(self) -> float:
        return self.middle_x - self.width / 2

    @property
    def right(self) -> float:
        return self.middle_x + self.width / 2


def _choose_labels(axis: _HorizontalAxis) -> list[_TickLabel]:
    """Return as many labels as fit with room between them; if none do, label the first moment with its date and time.

    No label begins left of the plot, unless it is too wide. If the first label does not fit, the second one becomes the
    first.
    """
    x_scale = axis.x_scale
    max_count = min(max(int((axis.right - axis.left) / _MIN_MOMENT_PIXELS), 1), _MAX_MOMENT_LABELS)
    while max_count > 0:
        tick_labels = axis.place_labels(axis.build_ticks(x_scale.low, max_count))
        if tick_labels and _have_gaps(tick_labels):
            return tick_labels
        if len(tick_labels) > _MIN_LABELS and _have_gaps(tick_labels[1:]):
            later_labels = axis.place_labels(
                axis.build_ticks(tick_labels[0].position / 2 + tick_labels[1].position / 2, len(tick_labels) - 1)
            )
            if _have_gaps(later_labels):
                return later_labels
        max_count = min(max_count, max(len(tick_labels), 1)) - 1
    return axis.place_labels([Tick(x_scale.low, axis.start_label)])


def _have_gaps(tick_labels: Sequence[_TickLabel]) -> bool:
    return all(tick_label.left >= previous.right + _MIN_LABEL_GAP for previous, tick_label in pairwise(tick_labels))


def _format_tick_labels(ticks: Ticks) -> list[str]:
    largest = max(abs(ticks.values[0]), abs(ticks.values[-1]))
    return [format_tick(value, ticks.step, largest) for value in ticks.values]


def _widen_span(earliest: float, latest: float, *, is_timeless: bool = False) -> tuple[float, float]:
    if earliest < latest:
        return earliest, latest
    has_moments = not is_timeless and is_time(earliest, latest)
    margin = _LONE_TIME_MARGIN_S if has_moments else max(_LONE_MARGIN, abs(earliest) * 1e-9)
    return max(earliest - margin, -sys.float_info.max), min(latest + margin, sys.float_info.max)
