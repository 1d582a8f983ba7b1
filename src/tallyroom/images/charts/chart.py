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
    """A picture of an answer; `note` is in small letters next to the title if there is room."""

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

    def draw_title(self, marks: list[Mark], right_margin: float = 0.0) -> float:
        """Add the title and the note, with `right_margin` free on the right; return where the rest begins."""
        if not self.title:
            return self.pad
        title_marks: list[Mark] = []
        top = draw_heading(self.title, _title_size(self.width), self.width - right_margin, self.pad, title_marks)
        for mark in title_marks:
            if isinstance(mark, Text):
                marks += add_note(mark, self.note, self.right - right_margin)
        return top

    def build_empty_drawing(self, top: float, marks: list[Mark]) -> Drawing:
        """Return the plain picture of an answer that has nothing to show."""
        draw_no_data(self.width, self.height, top, marks)
        return Drawing(self.width, self.height, self.title, "No data.", marks)

    def build_drawing(self, description: str, marks: list[Mark]) -> Drawing:
        """Return the drawing with these marks, and its description in words."""
        return Drawing(self.width, self.height, self.title, description, marks)


def edge_width(width: int) -> float:
    """Return the empty edge around a picture of a width."""
    return min(_MAX_EDGE, float(round(width * _EDGE_SHARE)))


def header_height(width: int) -> float:
    """Return the height of a picture of a width above its marks, which is the edge and the title."""
    return edge_width(width) + heading_height(_title_size(width))


def _title_size(width: int) -> float:
    return _SMALL_TITLE_SIZE if width < _SMALL_WIDTH else _TITLE_SIZE
