"""What a picture consists of, in pixels; a paint is a role of the theme (`text`, `grid`, `s0`) and not a color."""

from typing import NamedTuple


class Text(NamedTuple):
    """A line of text; `width` is what it may take, so that it stays apart from others in whatever typeface."""

    x: float
    y: float
    text: str
    size: float
    paint: str
    width: float
    bold: bool = False
    anchor: str = "start"


class Rule(NamedTuple):
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
    """A line of a series as the commands of a path; `faint` where nothing was told for long, `dense` without joints."""

    path: str
    paint: str
    width: float
    faint: bool = False
    dashes: str = ""
    dense: bool = False


class Area(NamedTuple):
    """What is below a line, fading from `top` to `bottom`."""

    path: str
    paint: str
    top: float
    bottom: float


class Dot(NamedTuple):
    """A point that stands out."""

    x: float
    y: float
    radius: float
    paint: str


Mark = Text | Rule | Swatch | Stroke | Area | Dot


class Drawing(NamedTuple):
    """A picture: its marks from back to front, and what it says in words."""

    width: int
    height: int
    title: str
    description: str
    marks: list[Mark]
