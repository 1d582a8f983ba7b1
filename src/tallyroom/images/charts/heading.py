"""What pictures of all kinds share: the title with a note beside it, and the words of a picture without data."""

from tallyroom.images.charts.axes import LABEL_SIZE
from tallyroom.images.charts.drawing import Mark, Text
from tallyroom.images.charts.widths import text_width, truncate

_LINE_HEIGHT = 1.4
_GAP = 8.0


def draw_heading(title: str, size: float, width: float, pad: float, marks: list[Mark]) -> float:
    """Add a title across the picture to `marks`; return where it ends."""
    max_width = width - 2 * pad
    text = truncate(title, size, max_width, bold=True)
    marks.append(Text(pad, pad + size * 0.95, text, size, "text", max_width, bold=True))
    return pad + heading_height(size)


def heading_height(size: float) -> float:
    """Return the height of a title, with the room below it."""
    return size * _LINE_HEIGHT + _GAP / 2


def add_note(title: Text, note: str, right: float) -> list[Mark]:
    """Return a title and a note beside it, if both fit between the start of the title and `right`."""
    start = title.x + text_width(title.text, title.size, bold=True) + _GAP
    if not note or text_width(note, LABEL_SIZE) > right - start:
        return [title]
    return [
        title._replace(width=start - title.x - _GAP / 2),
        Text(start, title.y, note, LABEL_SIZE, "muted", right - start),
    ]


def draw_no_data(width: float, height: float, top: float, marks: list[Mark]) -> None:
    """Say in the middle of a picture that there is no data, if the words fit."""
    text, size = "No data", LABEL_SIZE + 2
    if text_width(text, size) <= width and size * _LINE_HEIGHT <= height - top:
        middle = top + (height - top) / 2
        marks.append(Text(width / 2, middle, text, size, "muted", width, anchor="middle"))
