"""The legend: which color is which series, and where each stands now."""

from tallyroom.charts.drawing import Mark, Swatch, Text
from tallyroom.charts.graph import Graph
from tallyroom.charts.numbers import short
from tallyroom.charts.typeface import cut, width_of

_NAMELESS = "\u2013"  # an en dash
_SIZE = 13.0
_SWATCH = 10.0
_INSIDE = 7.0  # between the parts of an entry
_BETWEEN = 20.0  # between entries
_ROW = 21.0
_LONGEST = 220.0  # of a name
_HEIGHT_A_ROW = 130  # of the picture


def legend(graph: Graph, pad: float, top: float, marks: list[Mark]) -> float:
    """Put the legend below `top`, in as many rows as the picture has room for; returns where it ends.

    A single series that has no name of its own needs none.
    """
    entries = [(at, each) for at, each in enumerate(graph.series) if each.points]
    if len(entries) == 1 and entries[0][1].name in {"", graph.title}:
        return top
    right = graph.width - pad
    rows = max(graph.height // _HEIGHT_A_ROW, 1)
    x, row = pad, 0
    for shown, (at, each) in enumerate(entries):
        value = short(each.points[-1][1])
        name = cut(each.name or _NAMELESS, _SIZE, min(_LONGEST, right - pad - _parts(value)))
        width = _parts(value) + width_of(name, _SIZE)
        more = f"+{len(entries) - shown} more"
        is_last = shown == len(entries) - 1
        kept = 0.0 if is_last or row < rows - 1 else _BETWEEN + width_of(more, _SIZE)
        if x > pad and x + width + kept > right:
            if row == rows - 1:
                marks.append(Text(x, _baseline(top, row), more, _SIZE, "muted", right - x))
                break
            x, row = pad, row + 1
        _entry(x, _baseline(top, row), f"s{at}", name, value, marks)
        x += width + _BETWEEN
    return top + (row + 1) * _ROW + 4


def _baseline(top: float, row: int) -> float:
    return top + row * _ROW + _SIZE


def _parts(value: str) -> float:
    """The width of an entry but for its name."""
    return _SWATCH + 2 * _INSIDE + width_of(value, _SIZE, bold=True)


def _entry(x: float, y: float, paint: str, name: str, value: str, marks: list[Mark]) -> None:
    marks.append(Swatch(x, y - _SWATCH + 0.5, _SWATCH, paint))
    x += _SWATCH + _INSIDE
    width = width_of(name, _SIZE)
    marks.append(Text(x, y, name, _SIZE, "muted", width))
    x += width + _INSIDE
    marks.append(Text(x, y, value, _SIZE, "text", width_of(value, _SIZE, bold=True), bold=True))
