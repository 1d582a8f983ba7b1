"""The pictures of a mail: each chart in both themes, as wide as its place in the mail needs."""

import logging
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tallyroom.core.errors import TallyroomError
from tallyroom.dashboards.answer_pictures import PICTURE_THEMES, DrawPng
from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.mail.contents import MailChart, ThemedPicture, WidgetPart
from tallyroom.digests.mail.rows import place_parts
from tallyroom.queries.config import Display, Result

MAX_CHARTS = 12

_log = logging.getLogger(__name__)


class PictureSource(NamedTuple):
    """An answer, and what is needed to draw it."""

    kind: Kind[Any]
    result: Result
    display: Display


class AnsweredWidget(NamedTuple):
    """A part of a mail without its picture; `picture_source` is None if the widget has no answer."""

    part: WidgetPart
    picture_source: PictureSource | None


class Illustrator:
    """Draws the charts of mails with `draw_png`."""

    def __init__(self, draw_png: DrawPng) -> None:
        self._draw_png = draw_png

    async def illustrate(
        self, widgets: Sequence[AnsweredWidget], timezone: str
    ) -> tuple[list[WidgetPart], dict[str, bytes]]:
        """Return the parts with the names of their pictures, and each picture by its name.

        A chart whose picture cannot be drawn is shown in words.
        """
        parts: list[WidgetPart] = []
        png_by_name: dict[str, bytes] = {}
        for widget, width in zip(widgets, _list_widths(widgets), strict=True):
            chart_number = len(png_by_name) // 2 + 1
            if widget.picture_source is None or not _has_chart(widget.part) or chart_number > MAX_CHARTS:
                parts.append(widget.part)
                continue
            names = ThemedPicture(f"chart{chart_number}", f"chart{chart_number}dark")
            pngs = await self._try_draw(widget.picture_source, timezone, width)
            png_by_name |= zip(names, pngs, strict=False)
            parts.append(_with_picture(widget.part, names) if pngs else widget.part)
        return parts, png_by_name

    async def _try_draw(self, source: PictureSource, timezone: str, width: int) -> list[bytes]:
        """Return the light picture and the dark one; empty if there are none."""
        pngs: list[bytes] = []
        try:
            for theme in PICTURE_THEMES:
                png = await self._draw_png(*source, timezone=timezone, theme=theme, width=width)
                pngs += [] if png is None else [png]
        except TallyroomError as error:
            _log.warning("a picture of a digest could not be drawn", extra={"reason": error.message})
            return []
        return pngs


def _list_widths(widgets: Sequence[AnsweredWidget]) -> Iterator[int]:
    """Yield how wide the part of each widget will be."""
    for row in place_parts([widget.part for widget in widgets]):
        for placed_part in row:
            yield placed_part.width


def _has_chart(part: WidgetPart) -> bool:
    return any(isinstance(content, MailChart) for content in part.contents)


def _with_picture(part: WidgetPart, picture: ThemedPicture) -> WidgetPart:
    return part._replace(
        contents=[
            content._replace(picture=picture) if isinstance(content, MailChart) else content
            for content in part.contents
        ]
    )
