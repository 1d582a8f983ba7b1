"""The elements of a picture, in pixels. A paint is a role in the theme (`text`, `grid`, `s0`) rather than a color."""

from typing import NamedTuple


class Text(NamedTuple):
    """A line of text that has `width` pixels of room; all digits of a `tabular` text have the same width."""

    x: float
    y: float
    text: str
    size: float
    paint: str
    width: float
    bold: bool = False
    anchor: str = "start"
    tabular: bool = False


class AxisLine(NamedTuple):
    """A straight line of an axis."""

    x1: float
    y1: float
    x2: float
    y2: float
    paint: str


class Swatch(NamedTuple):
    """The mark of a series in the legend."""

    x: float
    y: float
    size: float
    paint: str


class Stroke(NamedTuple):
    """A line of a series as path commands; `is_faint` across a gap, `is_dense` if joints cannot be seen."""

    path: str
    paint: str
    width: float
    is_faint: bool = False
    dashes: str = ""
    is_dense: bool = False


class Area(NamedTuple):
    """The area below a line, fading from `top` to `bottom`."""

    path: str
    paint: str
    top: float
    bottom: float


class Layer(NamedTuple):
    """An area on top of others."""

    path: str
    paint: str


class Dot(NamedTuple):
    """A highlighted point."""

    x: float
    y: float
    radius: float
    paint: str


class Ring(NamedTuple):
    """A point apart from its line, whose data is not complete."""

    x: float
    y: float
    radius: float
    paint: str


class Box(NamedTuple):
    """A filled rectangle; `is_faint` if its data is not complete."""

    x: float
    y: float
    width: float
    height: float
    paint: str
    radius: float = 0.0
    is_faint: bool = False


class Shape(NamedTuple):
    """A filled path of many rectangles; `is_faint` as for a `Box`."""

    path: str
    paint: str
    is_faint: bool = False


Mark = Text | AxisLine | Swatch | Stroke | Area | Layer | Dot | Ring | Box | Shape


class Drawing(NamedTuple):
    """A picture: its marks from back to front, and a description in words."""

    width: int
    height: int
    title: str
    description: str
    marks: list[Mark]
