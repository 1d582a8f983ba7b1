"""Pictures of the answers of widgets for mails: on light paper, sharp on dense screens, and readable on phones."""

from tallyroom.images.answer_charts import job_of
from tallyroom.images.messages import Format
from tallyroom.images.renderer import Renderer
from tallyroom.queries.config import Display, Result

# Mails show it 300 to 554 wide, so letters stay readable.
_WIDTH, _SCALE = 420, 3


class AnswerPictures:
    """Draws answers.

    Args:
        renderer: draws and keeps pictures.
    """

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    async def png(self, result: Result, display: Display, timezone: str) -> bytes | None:
        """Return the picture of an answer without a title; None if there is no picture of such answers.

        Args:
            result: the answer.
            display: how the widget is shown.
            timezone: the time zone in which it was counted.

        Raises:
            ValidationFailed: there is more in it than a picture may show.
            Unavailable: it could not be drawn.
        """
        job = job_of(
            result, title="", timezone=timezone, display=display, format=Format.PNG, width=_WIDTH, scale=_SCALE
        )
        return None if job is None else (await self._renderer.picture(job)).body
