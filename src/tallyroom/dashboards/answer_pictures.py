"""Pictures of widgets' answers for mails: on a light background, sharp on dense screens, readable on phones."""

from typing import Any

from tallyroom.dashboards.kind import Kind
from tallyroom.dashboards.picture import build_picture_job
from tallyroom.images.messages import PictureFormat
from tallyroom.images.renderer import Renderer
from tallyroom.queries.config import Display, Result

# Mails show it 300 to 554 pixels wide, so letters stay readable.
_WIDTH, _SCALE = 420, 3


class AnswerDrawer:
    """Draws answers; `renderer` also caches the pictures."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    async def draw_png(self, kind: Kind[Any], result: Result, display: Display, timezone: str) -> bytes | None:
        """Return the picture of an answer without a title, if it has one; raise `ValidationFailed` or `Unavailable`."""
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
