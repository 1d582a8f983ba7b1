"""The legend: the color of each series, and its last value or the number of its whole window."""

from typing import NamedTuple

from tallyroom.images.charts.drawing import Mark, Stroke, Swatch, Text
from tallyroom.images.charts.graph import Extent, Graph
from tallyroom.images.charts.lines import LINE_WIDTH, choose_dashes
from tallyroom.images.charts.number_format import format_among, format_number, format_short
from tallyroom.images.charts.widths import text_width, truncate

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
    def sample_width(self) -> float:
        """The width of the mark in front of the name."""
        return _SAMPLE if self.dashes else _SWATCH

    @property
    def fixed_width(self) -> float:
        """The width of everything except the name."""
        value = _INSIDE + text_width(self.value, _SIZE, bold=True) if self.value else 0.0
        return self.sample_width + _INSIDE + value

    @property
    def width(self) -> float:
        """The width of the whole entry."""
        return self.fixed_width + text_width(self.name, _SIZE)

    def truncate_name(self, max_width: float) -> "_Entry":
        """Return the entry with its name cut to at most `max_width` pixels."""
        return self._replace(name=truncate(self.name, _SIZE, max_width))


def draw_legend(graph: Graph, extent: Extent, pad: float, top: float, marks: list[Mark]) -> float:
    """Add the legend below `top` to `marks`, in as many rows as the picture has room for; return where it ends.

    There is no legend for a single series without a name, or with the title as its name.
    """
    entries = [
        _build_entry(graph, index, extent).truncate_name(_MAX_NAME_WIDTH)
        for index, series in enumerate(graph.series)
        if series.points
    ]
    if len(entries) == 1 and entries[0].name in {_NAMELESS, graph.title}:
        return top
    right = graph.width - pad
    row_count = max(graph.height // _HEIGHT_A_ROW, 1)
    if sum(entry.width + _BETWEEN for entry in entries) > row_count * (right - pad):
        entries = [entry.truncate_name(_MAX_NAME_WIDTH_OF_MANY) for entry in entries]
    x, row = pad, 0
    series_count = len(entries) + graph.left_out
    for index, entry in enumerate(entries):
        more_text = f"+{series_count - index} more"
        reserved = 0.0 if index == series_count - 1 else _BETWEEN + text_width(more_text, _SIZE)  # by the last row
        is_for_last_row = row + (x > pad) >= row_count - 1
        fitting = entry.truncate_name(right - pad - entry.fixed_width - (reserved if is_for_last_row else 0.0))
        if x > pad and x + fitting.width + (reserved if row == row_count - 1 else 0.0) > right:
            if row == row_count - 1:
                _draw_more(more_text, x, _baseline_y(top, row), right, marks)
                break
            x, row = pad, row + 1
        _draw_entry(fitting, x, _baseline_y(top, row), min(_BETWEEN / 2, pad), marks)
        x += fitting.width + _BETWEEN
    else:
        if graph.left_out:
            _draw_more(f"+{graph.left_out} more", x, _baseline_y(top, row), right, marks)
    return top + (row + 1) * _ROW + 4


def _build_entry(graph: Graph, index: int, extent: Extent) -> _Entry:
    """Return the entry of a series; its value is abbreviated if all of its digits would take too much room."""
    series = graph.series[index]
    name = series.name or _NAMELESS
    if graph.tells == "nothing":
        return _Entry(f"s{index}", name, "", "")
    number = series.points[-1][1] if graph.tells == "last" else series.total
    if number is None:
        return _Entry(f"s{index}", name, "", choose_dashes(graph, index))
    value = format_among(number, extent.lowest, extent.highest) if graph.tells == "last" else format_number(number)
    if text_width(value, _SIZE, bold=True) > graph.width * _WIDEST:
        value = format_short(number)
    return _Entry(f"s{index}", name, value, choose_dashes(graph, index))


def _baseline_y(top: float, row: int) -> float:
    return top + row * _ROW + _SIZE


def _draw_more(more_text: str, x: float, y: float, right: float, marks: list[Mark]) -> None:
    """Say how many series have no entry, unless a single entry with a huge value has taken all of the row."""
    if x + text_width(more_text, _SIZE) <= right:
        marks.append(Text(x, y, more_text, _SIZE, "muted", right - x))


def _draw_entry(entry: _Entry, x: float, y: float, extra_width: float, marks: list[Mark]) -> None:
    """Add an entry at `x`; `extra_width` is the extra room for its value in typefaces with wider letters."""
    if entry.dashes:
        middle = y - _SWATCH / 2 + 0.5
        marks.append(Stroke(f"M{x:.1f} {middle:.1f}h{_SAMPLE:g}", entry.paint, LINE_WIDTH, dashes=entry.dashes))
    else:
        marks.append(Swatch(x, y - _SWATCH + 0.5, _SWATCH, entry.paint))
    x += entry.sample_width + _INSIDE
    width = text_width(entry.name, _SIZE)
    marks.append(Text(x, y, entry.name, _SIZE, "muted", width + _INSIDE / 2))
    x += width + _INSIDE
    if not entry.value:
        return
    marks.append(
        Text(x, y, entry.value, _SIZE, "text", text_width(entry.value, _SIZE, bold=True) + extra_width, bold=True)
    )
