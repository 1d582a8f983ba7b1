"""What pictures of all kinds share: the title with a note beside it, and the words of a picture without data."""

from tallyroom.images.charts.axes import LABEL
from tallyroom.images.charts.drawing import Mark, Text
from tallyroom.images.charts.widths import cut, width_of

_LINE_HEIGHT = 1.4
_GAP = 8.0


def heading(title: str, size: float, width: float, pad: float, marks: list[Mark]) -> float:
    """Add a title across the picture to `marks`; return where it ends."""
    room = width - 2 * pad
    words = cut(title, size, room, bold=True)
    marks.append(Text(pad, pad + size * 0.95, words, size, "text", room, bold=True))
    return pad + heading_height(size)


def heading_height(size: float) -> float:
    """Return the height of a title, with the room below it."""
    return size * _LINE_HEIGHT + _GAP / 2


def noted(title: Text, note: str, right: float) -> list[Mark]:
    """Return a title and a note beside it, if both fit between the start of the title and `right`."""
    start = title.x + width_of(title.text, title.size, bold=True) + _GAP
    if not note or width_of(note, LABEL) > right - start:
        return [title]
    return [title._replace(width=start - title.x - _GAP / 2), Text(start, title.y, note, LABEL, "muted", right - start)]


def nothing(width: float, height: float, top: float, marks: list[Mark]) -> None:
    """Say in the middle of a picture that there is no data, if the words fit."""
    words, size = "No data", LABEL + 2
    if width_of(words, size) <= width and size * _LINE_HEIGHT <= height - top:
        middle = top + (height - top) / 2
        marks.append(Text(width / 2, middle, words, size, "muted", width, anchor="middle"))
