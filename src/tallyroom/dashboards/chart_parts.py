"""What the pictures of several kinds share: their settings, the height of a plot, and texts as they fit."""

import msgspec

from tallyroom.images.charts.svg import to_single_line
from tallyroom.queries.config import Display, GoodDirection

_HEIGHT, _HEIGHT_OF_WIDE = 280, 340
_WIDE = 800
_MAX_LENGTH = 200

_GOOD: dict[str, GoodDirection] = {"up": "up", "down": "down"}


class PictureSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How an answer is drawn.

    Attributes:
        width: of the picture in pixels, 320 to 2,000.
        timezone: the time zone in which the answer was counted.
        display: how the widget is shown.
        threshold: a value to mark, such as the one of an alert.
    """

    width: int
    timezone: str
    display: Display
    threshold: float | None = None


def plot_height(width: int) -> int:
    """Return the usual height of a plot in pixels."""
    return _HEIGHT if width < _WIDE else _HEIGHT_OF_WIDE


def good_direction(good: GoodDirection | None) -> GoodDirection:
    """Return the direction in which a number is better; `none` if nobody said."""
    return _GOOD.get(good or "", "none")


def shorten_text(text: str) -> str:
    """Return a text of at most 200 characters, without any that a picture cannot show."""
    text = to_single_line(text).strip()
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 1].rstrip() + "\u2026"
