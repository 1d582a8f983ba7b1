"""The legend: the color of each series, and its last value or the number of its whole window."""

from typing import NamedTuple

from tallyroom.images.charts.drawing import Mark, Stroke, Swatch, Text
from tallyroom.images.charts.graph import Extent, Graph
from tallyroom.images.charts.lines import LINE, dashes_of
from tallyroom.images.charts.number_format import short, told, written
from tallyroom.images.charts.widths import cut, width_of

_NAMELESS = "\u2013"  # an en dash
_SIZE = 13.0
_SWATCH = 10.0
_SAMPLE = 18.0  # width of the sample of a dashed line
_INSIDE = 7.0  # between the parts of an entry
_BETWEEN = 20.0  # between entries
_ROW = 21.0
_MAX_NAME_WIDTH = 220.0
_MAX_NAME_WIDTH_OF_MANY = 110.0  # if there is no room for all entries
_WIDEST = 0.4  # of a value, as a share of the picture
_HEIGHT_A_ROW = 100  # the height of the picture for each row


class _Entry(NamedTuple):
    """A series in the legend."""

    paint: str
    name: str
    value: str
    dashes: str

    @property
    def sample(self) -> float:
        """The width of the mark in front of the name."""
        return _SAMPLE if self.dashes else _SWATCH

    @property
    def beside(self) -> float:
        """The width of everything except the name."""
        value = _INSIDE + width_of(self.value, _SIZE, bold=True) if self.value else 0.0
        return self.sample + _INSIDE + value

    @property
    def width(self) -> float:
        """The width of the whole entry."""
        return self.beside + width_of(self.name, _SIZE)

    def cut(self, most: float) -> "_Entry":
        """Return the entry with its name cut to at most `most` pixels."""
        return self._replace(name=cut(self.name, _SIZE, most))


def legend(graph: Graph, extent: Extent, pad: float, top: float, marks: list[Mark]) -> float:
    """Add the legend below `top` to `marks`, in as many rows as the picture has room for; return where it ends.

    There is no legend for a single series without a name, or with the title as its name.
    """
    entries = [
        _entry(graph, index, extent).cut(_MAX_NAME_WIDTH) for index, series in enumerate(graph.series) if series.points
    ]
    if len(entries) == 1 and entries[0].name in {_NAMELESS, graph.title}:
        return top
    right = graph.width - pad
    rows = max(graph.height // _HEIGHT_A_ROW, 1)
    if sum(entry.width + _BETWEEN for entry in entries) > rows * (right - pad):
        entries = [entry.cut(_MAX_NAME_WIDTH_OF_MANY) for entry in entries]
    x, row = pad, 0
    all_entries = len(entries) + graph.left_out
    for index, entry in enumerate(entries):
        more = f"+{all_entries - index} more"
        reserve = 0.0 if index == all_entries - 1 else _BETWEEN + width_of(more, _SIZE)  # by the last row
        is_for_last_row = row + (x > pad) >= rows - 1
        fitting = entry.cut(right - pad - entry.beside - (reserve if is_for_last_row else 0.0))
        if x > pad and x + fitting.width + (reserve if row == rows - 1 else 0.0) > right:
            if row == rows - 1:
                _put_more(more, x, _baseline(top, row), right, marks)
                break
            x, row = pad, row + 1
        _put(fitting, x, _baseline(top, row), min(_BETWEEN / 2, pad), marks)
        x += fitting.width + _BETWEEN
    else:
        if graph.left_out:
            _put_more(f"+{graph.left_out} more", x, _baseline(top, row), right, marks)
    return top + (row + 1) * _ROW + 4


def _entry(graph: Graph, index: int, extent: Extent) -> _Entry:
    """Return the entry of a series; its value is abbreviated if all of its digits would take too much room."""
    series = graph.series[index]
    name = series.name or _NAMELESS
    if graph.tells == "nothing":
        return _Entry(f"s{index}", name, "", "")
    number = series.points[-1][1] if graph.tells == "last" else series.total
    if number is None:
        return _Entry(f"s{index}", name, "", dashes_of(graph, index))
    value = told(number, extent.lowest, extent.highest) if graph.tells == "last" else written(number)
    if width_of(value, _SIZE, bold=True) > graph.width * _WIDEST:
        value = short(number)
    return _Entry(f"s{index}", name, value, dashes_of(graph, index))


def _baseline(top: float, row: int) -> float:
    return top + row * _ROW + _SIZE


def _put_more(more: str, x: float, y: float, right: float, marks: list[Mark]) -> None:
    """Say how many series have no entry, unless a single entry with a huge value has taken all of the row."""
    if x + width_of(more, _SIZE) <= right:
        marks.append(Text(x, y, more, _SIZE, "muted", right - x))


def _put(entry: _Entry, x: float, y: float, behind: float, marks: list[Mark]) -> None:
    """Add an entry at `x`; `behind` is the extra room for its value in typefaces with wider letters."""
    if entry.dashes:
        middle = y - _SWATCH / 2 + 0.5
        marks.append(Stroke(f"M{x:.1f} {middle:.1f}h{_SAMPLE:g}", entry.paint, LINE, dashes=entry.dashes))
    else:
        marks.append(Swatch(x, y - _SWATCH + 0.5, _SWATCH, entry.paint))
    x += entry.sample + _INSIDE
    width = width_of(entry.name, _SIZE)
    marks.append(Text(x, y, entry.name, _SIZE, "muted", width + _INSIDE / 2))
    x += width + _INSIDE
    if not entry.value:
        return
    marks.append(Text(x, y, entry.value, _SIZE, "text", width_of(entry.value, _SIZE, bold=True) + behind, bold=True))
