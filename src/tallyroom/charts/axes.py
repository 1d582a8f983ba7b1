"""The axes of a picture: which values and moments get labels, and where the plot between them is."""

import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tallyroom.charts.drawing import AxisLine, Mark, Text
from tallyroom.charts.graph import Extent
from tallyroom.charts.moments import Tick, described, is_time, time_ticks
from tallyroom.charts.numbers import short, tick
from tallyroom.charts.scale import Scale, Ticks, value_ticks
from tallyroom.charts.widths import width_of

LABEL = 12.0
"""The font size of axis labels in pixels."""

_LINE_HEIGHT = 1.4
_GAP = 8.0
_NOTCH = 4.0
_PER_VALUE = 24.0  # minimum pixels from one value to the next
_MOST_VALUES = 7
_PER_MOMENT = 42.0  # minimum pixels from one moment to the next
_MOST_MOMENTS = 12
_APART = 18.0  # minimum pixels between the labels of moments
_WIDEST = 0.3  # maximum share of the picture's width for the labels of values
_MAGNIFIED = 5.0  # how many times larger than on an axis from zero a difference may look before the axis gets a mark
_STROKE = (8.0, 5.0)  # how far a stroke of the mark goes, to the right and up
_BETWEEN_STROKES = 4.0
_STUB = 6.0  # of the axis, on both sides of the mark
_BESIDE_MARK = 10.0  # from the axis to the lines, so that none crosses the mark
_FEW = 2  # with this many moments or fewer, none is left out
_LONE = 1.0  # margin on both sides of a lone position
_LONE_TIME = 1800.0


class Plot(NamedTuple):
    """The part of a picture that contains the lines."""

    x: Scale
    y: Scale
    top: float
    bottom: float
    shades: bool
    """True if a lone line may be shaded, because its shade does not suggest a wrong size."""

    @property
    def floor(self) -> float:
        """The bottom of the area below a line, in pixels: zero, or the plot's nearest value to zero."""
        return self.y.at(min(max(0.0, self.y.low), self.y.high))


def bare_plot(width: float, height: float, found: Extent, edge: float) -> Plot:
    """Return a plot that fills the picture except for its edge: without labels, only the shape of the lines matters."""
    earliest, latest, lowest, highest = found
    x = Scale(*_widened(earliest, latest), edge, width - edge)
    return Plot(x, Scale(lowest, highest, height - edge, edge), edge, height - edge, shades=True)


def plot_with_axes(width: float, height: float, found: Extent, pad: float, top: float, marks: list[Mark]) -> Plot:
    """Add the axes to `marks`, values on the left and moments at the bottom, and return the plot that remains."""
    earliest, latest, lowest, highest = found
    top += LABEL / 2
    bottom = height - pad - LABEL * _LINE_HEIGHT
    values = value_ticks(lowest, highest, min(max(int((bottom - top) / _PER_VALUE) + 1, 2), _MOST_VALUES))
    labels, widest = _value_labels(values, width * _WIDEST)
    left, right = pad + widest + _GAP, width - pad
    y = Scale(values.values[0], values.values[-1], bottom, top)
    for value, label in zip(values.values, labels, strict=True):
        at = y.at(value)
        line = round(at) + 0.5  # in the middle of a row of pixels
        marks.append(AxisLine(left, line, right, line, "axis" if value == 0 and lowest < 0 else "grid"))
        marks.append(Text(left - _GAP, at + LABEL * 0.35, label, LABEL, "muted", pad + widest, anchor="end"))
    if _is_magnified(y):
        marks += _break_mark(round(left) + 0.5, y)
        left += _BESIDE_MARK
    x = Scale(*_widened(earliest, latest), left, right)
    for word in _moments(x, pad):
        marks.append(AxisLine(x.at(word.at), bottom + 1, x.at(word.at), bottom + 1 + _NOTCH, "grid"))
        marks.append(Text(word.middle, height - pad, word.label, LABEL, "muted", word.width + _GAP, anchor="middle"))
    return Plot(x, y, top, bottom, shades=y.low <= 0 <= y.high)


def _value_labels(ticks: Ticks, room: float) -> tuple[list[str], float]:
    """Return the labels of an axis's values, and the width of the widest.

    If the values have too many digits for the room, the labels give their distance from the lowest value instead.
    """
    labels = _labels(ticks)
    if max(width_of(label, LABEL) for label in labels) > room:
        lowest, step = ticks.values[0], ticks.step
        rest = [tick(number * step, step, len(labels) * step) for number in range(1, len(labels))]
        labels = [short(lowest), *(f"+{each}" for each in rest)]
    return labels, max(width_of(label, LABEL) for label in labels)


def _is_magnified(y: Scale) -> bool:
    """Return True if differences look more than five times as large as they would on an axis from zero."""
    if y.low <= 0 <= y.high:
        return False
    return max(abs(y.low), abs(y.high)) > _MAGNIFIED * (y.high - y.low)


def _break_mark(x: float, y: Scale) -> list[Mark]:
    """Return two slanted strokes across the end of the value axis nearer to zero, a sign that values are left out."""
    end, inwards = (y.start, -1) if y.low > 0 else (y.end, 1)
    (across, up), outer = _STROKE, end + inwards * _STUB
    inner = outer + inwards * _BETWEEN_STROKES
    strokes = [AxisLine(x - across / 2, at + up / 2, x + across / 2, at - up / 2, "axis") for at in (outer, inner)]
    return [AxisLine(x, end, x, outer, "axis"), AxisLine(x, inner, x, inner + inwards * _STUB, "axis"), *strokes]


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


def _moments(x: Scale, pad: float) -> list[_Word]:
    """Return as many labels as fit with room between them; if none do, label the first moment with its date and time.

    No label begins left of the plot, where it would be below the labels of values, unless it is too wide for that. If
    the first label does not fit for this reason, the second one becomes the first.
    """
    most = min(max(int((x.end - x.start) / _PER_MOMENT), 1), _MOST_MOMENTS)
    while most > 0:
        words = _placed(_ticks(x, x.low, most), x, pad)
        if words and _stand_apart(words):
            return words
        if len(words) > _FEW and _stand_apart(words[1:]):
            rest = _placed(_ticks(x, words[0].at / 2 + words[1].at / 2, len(words) - 1), x, pad)
            if _stand_apart(rest):
                return rest
        most = min(most, max(len(words), 1)) - 1
    return _placed([Tick(x.low, described(x.low) if is_time(x.low, x.high) else tick(x.low, 1, x.low))], x, pad)


def _stand_apart(words: Sequence[_Word]) -> bool:
    return all(word.start >= before.end + _APART for before, word in pairwise(words))


def _placed(ticks: Sequence[Tick], x: Scale, pad: float) -> list[_Word]:
    widths = [width_of(label, LABEL) for _, label in ticks]
    middles = [
        max(min(max(x.at(at), x.start + width / 2), x.end - width / 2), pad + width / 2)
        for (at, _), width in zip(ticks, widths, strict=True)
    ]
    return [_Word(*each, middle, width) for each, middle, width in zip(ticks, middles, widths, strict=True)]


def _ticks(x: Scale, low: float, most: int) -> list[Tick]:
    """Return the ticks of a horizontal axis, from `low` onwards."""
    if is_time(x.low, x.high):
        return time_ticks(low, x.high, most)
    ticks: Ticks = value_ticks(x.low, x.high, most)
    named = zip(ticks.values, _labels(ticks), strict=True)
    return [Tick(value, label) for value, label in named if low <= value <= x.high]


def _labels(ticks: Ticks) -> list[str]:
    largest = max(abs(ticks.values[0]), abs(ticks.values[-1]))
    return [tick(value, ticks.step, largest) for value in ticks.values]


def _widened(earliest: float, latest: float) -> tuple[float, float]:
    """Return the span, widened if it is empty."""
    if earliest < latest:
        return earliest, latest
    margin = _LONE_TIME if is_time(earliest, latest) else max(_LONE, abs(earliest) * 1e-9)
    return max(earliest - margin, -sys.float_info.max), min(latest + margin, sys.float_info.max)
