"""Pictures of the answers of widgets, for mails: drawn for light paper, and sharp on dense screens."""

from datetime import datetime

import msgspec

from tallyroom.engine.buckets import Point
from tallyroom.engine.config import Result
from tallyroom.engine.kinds.metric import Multiseries, Timeseries
from tallyroom.images.messages import Format, RenderJob
from tallyroom.images.renderer import Renderer
from tallyroom.images.schemas import MOST_POINTS, MOST_SERIES, DataPoint, GraphRequest

# Shown up to 554 wide, so that letters can be read on a phone as well.
_WIDTH, _HEIGHT, _SCALE = 480, 230, 3


class AnswerPictures:
    """Draws answers.

    Args:
        renderer: draws and keeps pictures.
    """

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    async def png(self, result: Result, title: str) -> bytes | None:
        """Return the picture of an answer; None if there is no picture of such answers, or nothing to see.

        Raises:
            ValidationFailed: there is more in it than a picture may show.
            Unavailable: it could not be drawn.
        """
        job = job_of_answer(result, title)
        return None if job is None else (await self._renderer.picture(job)).body


def job_of_answer(result: Result, title: str) -> RenderJob | None:
    """Return the order for the picture of an answer; None if there is no picture of such answers, or nothing to see."""
    if isinstance(result, Timeseries):
        points = _points(title or "value", result.points)
    elif isinstance(result, Multiseries):
        points = [point for each in result.series[:MOST_SERIES] for point in _points(each.label, each.points)]
    else:
        return None
    if not points or len(points) > MOST_POINTS:
        return None
    request = GraphRequest(data_points=[], width=_WIDTH, height=_HEIGHT, scale=_SCALE, theme="light")
    return RenderJob(Format.PNG, msgspec.json.encode(points), request)


def _points(name: str, points: list[Point]) -> list[DataPoint]:
    return [
        DataPoint(name, datetime.fromisoformat(point.t).timestamp(), point.value)
        for point in points
        if point.value is not None
    ]
