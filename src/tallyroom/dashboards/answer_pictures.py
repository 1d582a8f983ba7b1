"""Pictures of widgets' answers for mails: sharp on dense screens, readable on phones."""

from typing import Any, Final, Protocol

from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.picture import build_picture_job
from tallyroom.images.charts.colors import ThemeName
from tallyroom.images.messages import PictureFormat
from tallyroom.images.renderer import Renderer
from tallyroom.queries.config import Display, Result

PICTURE_THEMES: Final[tuple[ThemeName, ThemeName]] = ("light", "dark")

# Letters stay readable on a phone, where every picture is about 340 pixels wide, and on a large screen.
_NARROW_WIDTH, _WIDE_WIDTH = 320, 500
_PLOT_HEIGHT = 220
_MAX_NARROW_PLACE = 380
_SCALE = 2.4


class DrawPng(Protocol):
    """Draws an answer for a place in a mail, whose `width` is in pixels; None if such answers have no picture."""

    async def __call__(  # noqa: D102 # as the class says
        self, kind: Kind[Any], result: Result, display: Display, *, timezone: str, theme: ThemeName, width: int
    ) -> bytes | None: ...


class AnswerDrawer:
    """Draws answers; `renderer` also caches the pictures."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    async def draw_png(
        self, kind: Kind[Any], result: Result, display: Display, *, timezone: str, theme: ThemeName, width: int
    ) -> bytes | None:
        """Return the picture of an answer without a title, if it has one, for a place of a width in pixels.

        Raises `ValidationFailed` or `Unavailable`.
        """
        job = build_picture_job(
            kind,
            result,
            title="",
            timezone=timezone,
            display=display,
            format=PictureFormat.PNG,
            theme=theme,
            width=_NARROW_WIDTH if width <= _MAX_NARROW_PLACE else _WIDE_WIDTH,
            height=_PLOT_HEIGHT,
            scale=_SCALE,
        )
        return None if job is None else (await self._renderer.render(job)).body
