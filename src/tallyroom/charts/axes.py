"""The axes of a picture: which values and moments have words, and where the lines between them stand."""

import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tallyroom.charts.drawing import Mark, Rule, Text
from tallyroom.charts.moments import Tick, described, is_time, time_ticks
from tallyroom.charts.numbers import tick
from tallyroom.charts.scale import Scale, Ticks, value_ticks
from tallyroom.charts.typeface import width_of

LABEL = 12.0
"""The size of the words of an axis."""

_LINE_HEIGHT = 1.4
_GAP = 8.0
_NOTCH = 4.0
_PER_VALUE = 24.0  # pixels from one value to the next, at least
_MOST_VALUES = 7
_PER_MOMENT = 42.0  # pixels from one moment to the next, at least
_MOST_MOMENTS = 12
_APART = 18.0  # pixels between their words, at least
_LONE = 1.0  # seconds around a lone moment
_LONE_TIME = 1800.0

Bounds = tuple[float, float, float, float]
"""The earliest and latest moment, the lowest and highest value."""


class Plot(NamedTuple):
    """Where the lines of a picture stand."""

    x: Scale
    y: Scale
    top: float
    bottom: float
    shades: bool
    """Whether a lone line is shaded: where the shade tells no wrong size."""

    @property
    def floor(self) -> float:
        """Where what is below a line ends: at zero, or as near to zero as the plot goes."""
        return self.y.at(min(max(0.0, self.y.low), self.y.high))


def bare_plot(width: float, height: float, found: Bounds, edge: float) -> Plot:
    """All of a picture but its edge: without words that name values, only the shape counts."""
    earliest, latest, lowest, highest = found
    x = Scale(*_widened(earliest, latest), edge, width - edge)
    return Plot(x, Scale(lowest, highest, height - edge, edge), edge, height - edge, shades=True)


def plot_with_axes(width: float, height: float, found: Bounds, pad: float, top: float, marks: list[Mark]) -> Plot:
    """What is left below `top` when values stand at the left and moments below."""
    earliest, latest, lowest, highest = found
    top += LABEL / 2
    bottom = height - pad - LABEL * _LINE_HEIGHT
    values = value_ticks(lowest, highest, min(max(int((bottom - top) / _PER_VALUE) + 1, 2), _MOST_VALUES))
    labels = _labels(values)
    widest = max(width_of(label, LABEL) for label in labels)
    left, right = pad + widest + _GAP, width - pad
    y = Scale(values.values[0], values.values[-1], bottom, top)
    for value, label in zip(values.values, labels, strict=True):
        at = y.at(value)
        line = round(at) + 0.5  # in the middle of a row of pixels
        marks.append(Rule(left, line, right, line, "axis" if value == 0 and lowest < 0 else "grid"))
        marks.append(Text(left - _GAP, at + LABEL * 0.35, label, LABEL, "muted", pad + widest, anchor="end"))
    x = Scale(*_widened(earliest, latest), left, right)
    for word in _moments(x, pad, width - pad):
        marks.append(Rule(x.at(word.at), bottom + 1, x.at(word.at), bottom + 1 + _NOTCH, "grid"))
        marks.append(Text(word.middle, height - pad, word.label, LABEL, "muted", word.width + _GAP, anchor="middle"))
    return Plot(x, y, top, bottom, shades=y.low <= 0 <= y.high)


class _Word(NamedTuple):
    """What an axis says of a moment: its middle and its width in pixels."""

    at: float
    label: str
    middle: float
    width: float

    @property
    def start(self) -> float:
        """Where it begins, in pixels."""
        return self.middle - self.width / 2

    @property
    def end(self) -> float:
        """Where it ends."""
        return self.middle + self.width / 2


def _moments(x: Scale, first: float, last: float) -> list[_Word]:
    """As many words as stand well apart from each other; where no moment is named, the first has its date and time."""
    most = min(max(int((x.end - x.start) / _PER_MOMENT), 1), _MOST_MOMENTS)
    while most > 0:
        words = _placed(_ticks(x, most), x, first, last)
        if words and all(word.start >= before.end + _APART for before, word in pairwise(words)):
            return words
        most = min(most, max(len(words), 1)) - 1
    return _placed([Tick(x.low, described(x.low) if is_time(x.low, x.high) else tick(x.low, 1, x.low))], x, first, last)


def _placed(ticks: Sequence[Tick], x: Scale, first: float, last: float) -> list[_Word]:
    widths = [width_of(label, LABEL) for _, label in ticks]
    middles = [
        min(max(x.at(at), first + width / 2), last - width / 2) for (at, _), width in zip(ticks, widths, strict=True)
    ]
    return [_Word(*each, middle, width) for each, middle, width in zip(ticks, middles, widths, strict=True)]


def _ticks(x: Scale, most: int) -> list[Tick]:
    if is_time(x.low, x.high):
        return time_ticks(x.low, x.high, most)
    ticks: Ticks = value_ticks(x.low, x.high, most)
    named = zip(ticks.values, _labels(ticks), strict=True)
    return [Tick(value, label) for value, label in named if x.low <= value <= x.high]


def _labels(ticks: Ticks) -> list[str]:
    largest = max(abs(ticks.values[0]), abs(ticks.values[-1]))
    return [tick(value, ticks.step, largest) for value in ticks.values]


def _widened(earliest: float, latest: float) -> tuple[float, float]:
    """A span that is not empty."""
    if earliest < latest:
        return earliest, latest
    margin = _LONE_TIME if is_time(earliest, latest) else max(_LONE, abs(earliest) * 1e-9)
    return max(earliest - margin, -sys.float_info.max), min(latest + margin, sys.float_info.max)
