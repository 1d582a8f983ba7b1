"""The axes of a picture: which values and moments get labels, and where the plot between them is."""

import re
import sys
from collections.abc import Sequence
from datetime import UTC, tzinfo
from itertools import pairwise
from typing import NamedTuple

from tallyroom.images.charts.drawing import AxisLine, Mark, Text
from tallyroom.images.charts.graph import Extent
from tallyroom.images.charts.number_format import short, tick
from tallyroom.images.charts.scale import Scale, Ticks, value_ticks
from tallyroom.images.charts.time_ticks import Tick, is_time
from tallyroom.images.charts.widths import width_of
from tallyroom.images.charts.zones import told_moment, zoned_ticks

LABEL = 12.0
"""The font size of axis labels in pixels."""

_LINE_HEIGHT = 1.4
_GAP = 8.0
_NOTCH = 4.0
_PER_VALUE = 24.0  # minimum pixels from one value to the next
_MAX_VALUES = 7
_PER_MOMENT = 42.0  # minimum pixels from one moment to the next
_MAX_MOMENTS = 12
_APART = 18.0  # minimum pixels between the labels of moments
_WIDEST = 0.3  # maximum share of the picture's width for the labels of values
_MAX_MAGNIFICATION = 5.0  # how many times larger than on an axis from zero a difference may look without a mark
_STROKE = (8.0, 5.0)  # how far a stroke of the mark goes, to the right and up
_BETWEEN_STROKES = 4.0
_STUB = 6.0  # of the axis, on both sides of the mark
_BESIDE_MARK = 10.0  # from the axis to the lines, so that none crosses the mark
_FEW = 2  # with this many moments or fewer, none is left out
_LONE = 1.0  # margin on both sides of a lone position
_LONE_TIME = 1800.0
_YEAR = re.compile(r" \d{4}\Z")  # at the end of a date


class AxisLook(NamedTuple):
    """How axes are drawn.

    Attributes:
        zone: the time zone of the moments.
        columns: how many columns the plot has room for; a column is centered above its moment. 0 if it has lines.
        is_whole: label only whole values.
        is_timeless: the horizontal axis has numbers and no moments.
        tells_year: the first date of each year has its year.
    """

    zone: tzinfo = UTC
    columns: int = 0
    is_whole: bool = False
    is_timeless: bool = False
    tells_year: bool = True


_PLAIN = AxisLook()


class Plot(NamedTuple):
    """The part of a picture that contains the lines; `left` and `right` are the ends of its grid."""

    x: Scale
    y: Scale
    top: float
    bottom: float
    shades: bool
    """True if a lone line may be shaded, because its shade does not suggest a wrong size."""
    left: float
    right: float

    @property
    def floor(self) -> float:
        """The bottom of the area below a line, in pixels: zero, or the plot's nearest value to zero."""
        return self.y.at(min(max(0.0, self.y.low), self.y.high))


def bare_plot(width: float, height: float, extent: Extent, edge: float) -> Plot:
    """Return a plot that fills the picture except for its edge: without labels, only the shape of the lines matters."""
    earliest, latest, lowest, highest = extent
    x = Scale(*_widened(earliest, latest), edge, width - edge)
    y = Scale(lowest, highest, height - edge, edge)
    return Plot(x, y, edge, height - edge, shades=True, left=edge, right=width - edge)


def plot_with_axes(
    width: float, height: float, extent: Extent, pad: float, top: float, marks: list[Mark], look: AxisLook = _PLAIN
) -> Plot:
    """Add the axes to `marks`, values on the left and moments at the bottom, and return the plot that remains."""
    earliest, latest, lowest, highest = extent
    top += LABEL / 2
    bottom = height - pad - LABEL * _LINE_HEIGHT
    most = min(max(int((bottom - top) / _PER_VALUE) + 1, 2), _MAX_VALUES)
    values = value_ticks(lowest, highest, most, is_whole=look.is_whole)
    labels, widest = _value_labels(values, width * _WIDEST)
    left, right = pad + widest + _GAP, width - pad
    y = Scale(values.values[0], values.values[-1], bottom, top)
    for value, label in zip(values.values, labels, strict=True):
        at = y.at(value)
        line = round(at) + 0.5  # in the middle of a row of pixels
        marks.append(AxisLine(left, line, right, line, "axis" if value == 0 and lowest < 0 else "grid"))
        marks.append(Text(left - _GAP, at + LABEL * 0.35, label, LABEL, "muted", pad + widest, anchor="end"))
    first = left
    if _is_magnified(y):
        marks += _break_mark(round(left) + 0.5, y)
        left += _BESIDE_MARK
    inset = (right - left) / look.columns / 2 if look.columns else 0.0
    x = Scale(*_widened(earliest, latest, is_timeless=look.is_timeless), left + inset, right - inset)
    for word in _moments(_Base(x, left, right, pad, look)):
        marks.append(AxisLine(x.at(word.at), bottom + 1, x.at(word.at), bottom + 1 + _NOTCH, "grid"))
        marks.append(Text(word.middle, height - pad, word.label, LABEL, "muted", word.width + _GAP, anchor="middle"))
    return Plot(x, y, top, bottom, shades=y.low <= 0 <= y.high, left=first, right=right)


def _value_labels(ticks: Ticks, room: float) -> tuple[list[str], float]:
    """Return the labels of an axis's values, and the width of the widest.

    If the values have too many digits for the room, the labels give their distance from the lowest value instead.
    """
    labels = _labels(ticks)
    if max(width_of(label, LABEL) for label in labels) > room:
        lowest, step = ticks.values[0], ticks.step
        rest = [tick(number * step, step, len(labels) * step) for number in range(1, len(labels))]
        labels = [short(lowest), *(f"+{distance}" for distance in rest)]
    return labels, max(width_of(label, LABEL) for label in labels)


def _is_magnified(y: Scale) -> bool:
    """Return True if differences look more than five times as large as they would on an axis from zero."""
    if y.low <= 0 <= y.high:
        return False
    return max(abs(y.low), abs(y.high)) > _MAX_MAGNIFICATION * (y.high - y.low)


def _break_mark(x: float, y: Scale) -> list[Mark]:
    """Return two slanted strokes across the end of the value axis nearer to zero, a sign that values are left out."""
    end, inwards = (y.start, -1) if y.low > 0 else (y.end, 1)
    (across, up), outer = _STROKE, end + inwards * _STUB
    inner = outer + inwards * _BETWEEN_STROKES
    strokes = [AxisLine(x - across / 2, at + up / 2, x + across / 2, at - up / 2, "axis") for at in (outer, inner)]
    return [AxisLine(x, end, x, outer, "axis"), AxisLine(x, inner, x, inner + inwards * _STUB, "axis"), *strokes]


class _Base(NamedTuple):
    """The horizontal axis: its scale, and between which ends its labels stand."""

    x: Scale
    left: float
    right: float
    pad: float
    look: AxisLook

    def placed(self, ticks: Sequence[Tick]) -> "list[_Word]":
        """Return the labels of ticks, in the middle below them if there is room."""
        words = []
        for at, label in ticks:
            width = width_of(label, LABEL)
            middle = max(min(max(self.x.at(at), self.left + width / 2), self.right - width / 2), self.pad + width / 2)
            words.append(_Word(at, label, middle, width))
        return words

    def ticks(self, low: float, most: int) -> list[Tick]:
        """Return at most `most` ticks, from `low` onwards."""
        x = self.x
        if not self.look.is_timeless and is_time(x.low, x.high):
            moments = zoned_ticks(low, x.high, most, self.look.zone)
            return moments if self.look.tells_year else [Tick(at, _YEAR.sub("", label)) for at, label in moments]
        ticks: Ticks = value_ticks(x.low, x.high, most)
        pairs = zip(ticks.values, _labels(ticks), strict=True)
        return [Tick(value, label) for value, label in pairs if low <= value <= x.high]

    @property
    def start(self) -> str:
        """The first moment, with its date and time."""
        if not self.look.is_timeless and is_time(self.x.low, self.x.high):
            return told_moment(self.x.low, self.look.zone)
        return tick(self.x.low, 1, self.x.low)


class _Word(NamedTuple):
    """The label of a moment on an axis, with its middle and its width in pixels."""

    at: float
    label: str
    middle: float
    width: float

    @property
    def start(self) -> float:
        """Its left end, in pixels."""
        return self.middle - self.width / 2

    @property
    def end(self) -> float:
        """Its right end, in pixels."""
        return self.middle + self.width / 2


def _moments(base: _Base) -> list[_Word]:
    """Return as many labels as fit with room between them; if none do, label the first moment with its date and time.

    No label begins left of the plot, where it would be below the labels of values, unless it is too wide for that. If
    the first label does not fit for this reason, the second one becomes the first.
    """
    x = base.x
    most = min(max(int((base.right - base.left) / _PER_MOMENT), 1), _MAX_MOMENTS)
    while most > 0:
        words = base.placed(base.ticks(x.low, most))
        if words and _stand_apart(words):
            return words
        if len(words) > _FEW and _stand_apart(words[1:]):
            rest = base.placed(base.ticks(words[0].at / 2 + words[1].at / 2, len(words) - 1))
            if _stand_apart(rest):
                return rest
        most = min(most, max(len(words), 1)) - 1
    return base.placed([Tick(x.low, base.start)])


def _stand_apart(words: Sequence[_Word]) -> bool:
    return all(word.start >= before.end + _APART for before, word in pairwise(words))


def _labels(ticks: Ticks) -> list[str]:
    largest = max(abs(ticks.values[0]), abs(ticks.values[-1]))
    return [tick(value, ticks.step, largest) for value in ticks.values]


def _widened(earliest: float, latest: float, *, is_timeless: bool = False) -> tuple[float, float]:
    """Return the span, widened if it is empty."""
    if earliest < latest:
        return earliest, latest
    has_moments = not is_timeless and is_time(earliest, latest)
    margin = _LONE_TIME if has_moments else max(_LONE, abs(earliest) * 1e-9)
    return max(earliest - margin, -sys.float_info.max), min(latest + margin, sys.float_info.max)
