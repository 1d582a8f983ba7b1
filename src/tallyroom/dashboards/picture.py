"""The pictures of answers: which chart shows the answer of which widget (rules/pictures#answers)."""

from typing import Any

from msgspec import structs

from tallyroom.dashboards.chart_parts import PictureSettings, shorten_text
from tallyroom.dashboards.kind import Kind
from tallyroom.images.charts.bars import BarChart
from tallyroom.images.charts.histogram import HistogramChart
from tallyroom.images.charts.time_chart import TimeChart
from tallyroom.images.messages import DiagramJob, PictureFormat
from tallyroom.images.schemas import ThemeChoice
from tallyroom.queries.config import Display, Result


def build_picture_job(  # noqa: PLR0913 # a picture has many sides
    kind: Kind[Any],
    result: Result,
    *,
    title: str,
    timezone: str,
    display: Display,
    format: PictureFormat,  # noqa: A002 # as jobs call it
    theme: ThemeChoice = "light",
    width: int = 600,
    height: int | None = None,
    scale: float = 2,
    threshold: float | None = None,
) -> DiagramJob | None:
    """Return the job that draws the answer of a widget; None if such a widget has no picture.

    `width` is in pixels, 320 to 2,000, and `height` 120 to 2,000; None chooses the height that suits the answer, and
    only plots and bars can be lower. `scale` is how many pixels of a PNG one pixel becomes. Only an SVG can have the
    theme `auto`. `threshold` is a value to mark, such as an alert's.
    """
    if kind.build_chart is None:
        return None
    settings = PictureSettings(width=width, timezone=timezone, display=display, threshold=threshold)
    diagram = kind.build_chart(result, settings)
    if height is not None:
        is_elastic = isinstance(diagram, TimeChart | HistogramChart | BarChart)
        diagram = structs.replace(diagram, height=height if is_elastic else max(height, diagram.height))
    return DiagramJob(format, structs.replace(diagram, title=shorten_text(title), width=width, theme=theme), scale)
