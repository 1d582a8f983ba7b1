"""What the charts of all answers have in common: their title, size and theme."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tallyroom.images.charts.colors import Color
from tallyroom.images.charts.drawing import Drawing, Mark, Text
from tallyroom.images.charts.heading import add_note, draw_heading, draw_no_data, heading_height

_MAX_EDGE = 20.0
_EDGE_SHARE = 0.05
_TITLE_SIZE, _SMALL_TITLE_SIZE = 18.0, 16.0
_SMALL_WIDTH = 800


class Chart(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A picture of an answer.

    `note` is in small letters next to the title if there is room; `background` is None for the color of the theme.
    """

    title: str
    note: str = ""
    width: Annotated[int, Meta(ge=320, le=2_000)] = 600
    height: Annotated[int, Meta(ge=120, le=2_000)] = 320
    theme: Literal["light", "dark", "auto"] = "light"
    background: Color | None = None

    @property
    def pad(self) -> float:
        """The empty edge around everything."""
        return edge_width(self.width)

    @property
    def right(self) -> float:
        """Where everything ends on the right."""
        return self.width - self.pad

    @property
    def bottom(self) -> float:
        """Where everything ends below."""
        return self.height - self.pad


def edge_width(width: int) -> float:
    """Return the empty edge around a picture of a width."""
    return min(_MAX_EDGE, float(round(width * _EDGE_SHARE)))


def header_height(width: int) -> float:
    """Return the height of a picture of a width above its marks, which is the edge and the title."""
    return edge_width(width) + heading_height(_title_size(width))


def draw_title(chart: Chart, marks: list[Mark], right_margin: float = 0.0) -> float:
    """Add the title and the note to `marks`; return where the rest of the picture begins.

    `right_margin` is the width to keep free on the right.
    """
    if not chart.title:
        return chart.pad
    title_marks: list[Mark] = []
    top = draw_heading(chart.title, _title_size(chart.width), chart.width - right_margin, chart.pad, title_marks)
    marks += [
        drawn_mark
        for mark in title_marks
        if isinstance(mark, Text)
        for drawn_mark in add_note(mark, chart.note, chart.right - right_margin)
    ]
    return top


def build_empty_drawing(chart: Chart, top: float, marks: list[Mark]) -> Drawing:
    """Return the plain picture of an answer that has nothing to show."""
    draw_no_data(chart.width, chart.height, top, marks)
    return Drawing(chart.width, chart.height, chart.title, "No data.", marks)


def build_drawing(chart: Chart, description: str, marks: list[Mark]) -> Drawing:
    """Return the drawing of a chart."""
    return Drawing(chart.width, chart.height, chart.title, description, marks)


def _title_size(width: int) -> float:
    return _SMALL_TITLE_SIZE if width < _SMALL_WIDTH else _TITLE_SIZE
