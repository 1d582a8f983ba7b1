"""The legend: the color of each series, and its last value or the number of its whole window."""

from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.images.charts.drawing import Mark, Stroke, Swatch, Text
from tallyroom.images.charts.graph import Extent, Graph, Series
from tallyroom.images.charts.lines import LINE_WIDTH, choose_dashes
from tallyroom.images.charts.number_format import format_among, format_short
from tallyroom.images.charts.widths import text_width, truncate

_NAMELESS = "\u2013"  # an en dash
_FONT_SIZE = 13.0
_SWATCH_SIZE = 10.0
_DASH_SAMPLE_WIDTH = 18.0  # width of the sample of a dashed line
_PART_GAP = 7.0  # between the parts of an entry
_ENTRY_GAP = 20.0  # between entries
_ROW_HEIGHT = 21.0
_MAX_NAME_WIDTH = 220.0
_MAX_NAME_WIDTH_OF_MANY = 110.0  # if there is no room for all entries
_MAX_VALUE_SHARE = 0.4  # of a value, as a share of the picture
_PICTURE_HEIGHT_PER_ROW = 100  # the height of the picture for each row


class _LegendEntry(NamedTuple):
    paint: str
    name: str
    value_text: str
    dashes: str

    @property
    def sample_width(self) -> float:
        return _DASH_SAMPLE_WIDTH if self.dashes else _SWATCH_SIZE

    @property
    def fixed_width(self) -> float:
        value_width = _PART_GAP + text_width(self.value_text, _FONT_SIZE, bold=True) if self.value_text else 0.0
        return self.sample_width + _PART_GAP + value_width

    @property
    def width(self) -> float:
        return self.fixed_width + text_width(self.name, _FONT_SIZE)

    def truncate_name(self, max_width: float) -> "_LegendEntry":
        return self._replace(name=truncate(self.name, _FONT_SIZE, max_width))


def draw_legend(graph: Graph, extent: Extent, pad: float, top: float, marks: list[Mark]) -> float:
    """Add the legend below `top`, unless the only series has no name or that of the title; return where it ends.

    Totals are left out if names would have no room because of them.
    """
    entries = [_build_entry(graph, index, extent).truncate_name(_MAX_NAME_WIDTH) for index in range(len(graph.series))]
    if len(entries) == 1 and entries[0].name in {_NAMELESS, graph.title}:
        return top
    right, row_count = graph.width - pad, max(graph.height // _PICTURE_HEIGHT_PER_ROW, 1)
    room = row_count * (right - pad)
    if _sum_widths(entries) > room:
        entries = [entry.truncate_name(_MAX_NAME_WIDTH_OF_MANY) for entry in entries]
    if graph.legend_value == "total" and _sum_widths(entries) > room:
        entries = [entry._replace(value_text="") for entry in entries]
    x, row_index = pad, 0
    for index, entry in enumerate(entries):
        more_text = f"+{len(entries) - index} more"
        # For the last row.
        reserved_width = 0.0 if index == len(entries) - 1 else _ENTRY_GAP + text_width(more_text, _FONT_SIZE)
        is_for_last_row = row_index + (x > pad) >= row_count - 1
        max_name_width = right - pad - entry.fixed_width - (reserved_width if is_for_last_row else 0.0)
        fitting_entry = entry.truncate_name(max_name_width)
        if x > pad and x + fitting_entry.width + (reserved_width if row_index == row_count - 1 else 0.0) > right:
            if row_index == row_count - 1:
                _draw_more(more_text, x, _baseline_y(top, row_index), right, marks)
                break
            x, row_index = pad, row_index + 1
        _draw_entry(fitting_entry, x, _baseline_y(top, row_index), min(_ENTRY_GAP / 2, pad), marks)
        x += fitting_entry.width + _ENTRY_GAP
    return top + (row_index + 1) * _ROW_HEIGHT + 4


def _sum_widths(entries: Sequence[_LegendEntry]) -> float:
    return sum(entry.width + _ENTRY_GAP for entry in entries)


def _build_entry(graph: Graph, index: int, extent: Extent) -> _LegendEntry:
    series = graph.series[index]
    paint = f"s{series.paint_key(index)}"
    name = series.name or _NAMELESS
    return _LegendEntry(paint, name, _write_number(graph, series, extent), choose_dashes(graph, index))


def _write_number(graph: Graph, series: Series, extent: Extent) -> str:
    """Return the total of a series or its last value in words; nothing if it has no total."""

    def fits(text: str) -> bool:
        return text_width(text, _FONT_SIZE, bold=True) <= graph.width * _MAX_VALUE_SHARE

    if graph.legend_value == "total":
        return "" if series.total is None else graph.number_form.write(series.total, fits)
    if series.end is not None:
        return series.end.value_text
    last_value = series.points[-1][1]
    value_text = format_among(last_value, extent.lowest, extent.highest)
    return value_text if fits(value_text) else format_short(last_value)


def _baseline_y(top: float, row_index: int) -> float:
    return top + row_index * _ROW_HEIGHT + _FONT_SIZE


def _draw_more(more_text: str, x: float, y: float, right: float, marks: list[Mark]) -> None:
    """Add how many series have no entry, unless a single entry with a huge value fills the row."""
    if x + text_width(more_text, _FONT_SIZE) <= right:
        marks.append(Text(x, y, more_text, _FONT_SIZE, "muted", right - x))


def _draw_entry(entry: _LegendEntry, x: float, y: float, extra_width: float, marks: list[Mark]) -> None:
    """Add an entry at `x`; `extra_width` is the extra room for its value in typefaces with wider letters."""
    if entry.dashes:
        middle_y = y - _SWATCH_SIZE / 2 + 0.5
        marks.append(
            Stroke(f"M{x:.1f} {middle_y:.1f}h{_DASH_SAMPLE_WIDTH:g}", entry.paint, LINE_WIDTH, dashes=entry.dashes)
        )
    else:
        marks.append(Swatch(x, y - _SWATCH_SIZE + 0.5, _SWATCH_SIZE, entry.paint))
    x += entry.sample_width + _PART_GAP
    name_width = text_width(entry.name, _FONT_SIZE)
    marks.append(Text(x, y, entry.name, _FONT_SIZE, "muted", name_width + _PART_GAP / 2))
    x += name_width + _PART_GAP
    if entry.value_text:
        value_width = text_width(entry.value_text, _FONT_SIZE, bold=True) + extra_width
        marks.append(Text(x, y, entry.value_text, _FONT_SIZE, "text", value_width, bold=True))
