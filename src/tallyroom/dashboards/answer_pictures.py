"""Pictures of the answers of widgets for mails: on light paper, sharp on dense screens, and readable on phones."""

from typing import Any

from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.picture import build_picture_job
from tallyroom.images.messages import PictureFormat
from tallyroom.images.renderer import Renderer
from tallyroom.queries.config import Display, Result

# Mails show it 300 to 554 wide, so letters stay readable.
_WIDTH, _SCALE = 420, 3


class AnswerDrawer:
    """Draws answers.

    Args:
        renderer: draws and keeps pictures.
    """

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    async def draw_png(self, kind: Kind[Any], result: Result, display: Display, timezone: str) -> bytes | None:
        """Return the picture of an answer without a title; None if there is no picture of such answers.

        Args:
            kind: of the widget.
            result: the answer.
            display: how the widget is shown.
            timezone: the time zone in which it was counted.

        Raises:
            ValidationFailed: there is more in it than a picture may show.
            Unavailable: it could not be drawn.
        """
        job = build_picture_job(
            kind,
            result,
            title="",
            timezone=timezone,
            display=display,
            format=PictureFormat.PNG,
            width=_WIDTH,
            scale=_SCALE,
        )
        return None if job is None else (await self._renderer.render(job)).body
