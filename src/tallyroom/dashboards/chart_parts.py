"""What the pictures of several kinds share: their settings, the height of a plot, and texts that fit."""

import msgspec

from tallyroom.images.charts.number_form import NumberForm
from tallyroom.images.charts.svg import shorten
from tallyroom.queries.config import Display

_HEIGHT, _WIDE_HEIGHT = 280, 340
_MIN_WIDE_WIDTH = 800
_MAX_TEXT_LENGTH = 200


class PictureSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How an answer is drawn: `width` in pixels, 320 to 2,000; `threshold` is a value to mark, such as an alert's."""

    width: int
    timezone: str
    display: Display
    threshold: float | None = None

    @property
    def number_form(self) -> NumberForm:
        """How the widget writes its numbers."""
        return NumberForm(self.display.decimals, self.display.unit or "")


def plot_height(width: int) -> int:
    """Return the usual height of a plot in pixels."""
    return _HEIGHT if width < _MIN_WIDE_WIDTH else _WIDE_HEIGHT


def shorten_text(text: str) -> str:
    """Return a title or a label cut to at most 200 characters."""
    return shorten(text, _MAX_TEXT_LENGTH)
