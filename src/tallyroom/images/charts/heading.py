"""What pictures of all kinds share: the title with a note next to it, and the words of a picture without data."""

from tallyroom.images.charts.axes import LABEL_SIZE
from tallyroom.images.charts.drawing import Mark, Text
from tallyroom.images.charts.widths import text_width, truncate

_LINE_HEIGHT = 1.4
_HEADING_GAP = 8.0


def draw_heading(title: str, font_size: float, width: float, pad: float, marks: list[Mark]) -> float:
    """Add a title across the picture to `marks`; return its lower end."""
    max_width = width - 2 * pad
    shown_title = truncate(title, font_size, max_width, bold=True)
    marks.append(Text(pad, pad + font_size * 0.95, shown_title, font_size, "text", max_width, bold=True))
    return pad + heading_height(font_size)


def heading_height(font_size: float) -> float:
    """Return the height of a title, with the room below it."""
    return font_size * _LINE_HEIGHT + _HEADING_GAP / 2


def add_note(title: Text, note: str, right: float) -> list[Mark]:
    """Return a title and a note next to it, if both fit between the start of the title and `right`."""
    note_x = title.x + text_width(title.text, title.size, bold=True) + _HEADING_GAP
    if not note or text_width(note, LABEL_SIZE) > right - note_x:
        return [title]
    return [
        title._replace(width=note_x - title.x - _HEADING_GAP / 2),
        Text(note_x, title.y, note, LABEL_SIZE, "muted", right - note_x),
    ]


def draw_no_data(width: float, height: float, top: float, marks: list[Mark]) -> None:
    """Write in the middle of a picture that there is no data, if the words fit."""
    text, font_size = "No data", LABEL_SIZE + 2
    if text_width(text, font_size) <= width and font_size * _LINE_HEIGHT <= height - top:
        middle_y = top + (height - top) / 2
        marks.append(Text(width / 2, middle_y, text, font_size, "muted", width, anchor="middle"))
