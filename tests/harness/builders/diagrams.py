"""The pictures of answers, and where everything in them stands."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from harness.builders.answers import RESULTS
from harness.oracles.kinds import kind_with
from tallyroom.dashboards.picture import build_picture_job
from tallyroom.images.charts.diagrams import Diagram
from tallyroom.images.charts.drawing import Area, AxisLine, Box, Dot, Drawing, Shape, Stroke, Swatch, Text
from tallyroom.images.charts.widths import tabular_width, text_width
from tallyroom.images.messages import DiagramJob, PictureFormat
from tallyroom.queries.config import Display, Result

TITLE = 'Übersicht <b> & "Жук"'
PAIR = re.compile(r"(-?\d+\.?\d*) (-?\d+\.?\d*)")


def diagram_of(answer: str | Result, display: Display | None = None, **more: Any) -> Diagram:
    """The picture of an answer."""
    result = RESULTS[answer] if isinstance(answer, str) else answer
    asked: dict[str, Any] = {"title": TITLE, "timezone": "Europe/Berlin", "format": PictureFormat.SVG} | more
    job = build_picture_job(kind_with(result), result, display=display or Display(), **asked)
    assert isinstance(job, DiagramJob)
    return job.diagram


class Place(NamedTuple):
    """Where a mark is, and what it says if it is a text."""

    left: float
    top: float
    right: float
    bottom: float
    text: str = ""

    def touches(self, other: "Place") -> bool:
        apart = self.right <= other.left or other.right <= self.left
        return not (apart or self.bottom <= other.top or other.bottom <= self.top)


def places(drawing: Drawing) -> Iterator[Place]:
    """The place of each mark."""
    for mark in drawing.marks:
        match mark:
            case Text():
                yield _of_text(mark)
            case AxisLine(x1, y1, x2, y2):
                yield Place(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
            case Box(x, y, width, height):
                yield Place(x, y, x + width, y + height)
            case Swatch(x, y, size):
                yield Place(x, y, x + size, y + size)
            case Dot(x, y, radius):
                yield Place(x - radius, y - radius, x + radius, y + radius)
            case Stroke(path) | Area(path) | Shape(path):
                for x, y in PAIR.findall(path):
                    yield Place(float(x), float(y), float(x), float(y))


def _of_text(mark: Text) -> Place:
    measure = tabular_width if mark.tabular else text_width
    width = measure(mark.text, mark.size, bold=mark.bold)
    assert width <= mark.width + 0.5, (mark, width)
    left = {"start": mark.x, "middle": mark.x - width / 2, "end": mark.x - width}[mark.anchor]
    return Place(left, mark.y - mark.size * 0.75, left + width, mark.y + mark.size * 0.2, mark.text or " ")


SHOWN: dict[str, Diagram] = {
    "line": diagram_of("line", threshold=70_000),
    "line-gaps": diagram_of("line-gaps"),
    "lines-area": diagram_of("lines", Display(chart="area", goal=50_000), theme="auto"),
    "columns": diagram_of("line", Display(chart="bar"), threshold=50_000),
    "columns-stacked": diagram_of("lines-folded", Display(chart="bar"), theme="dark"),
    "columns-negative": diagram_of("line-negative", Display(chart="bar")),
    "bars": diagram_of("bars"),
    "bars-hostile": diagram_of("bars-hostile"),
    "bars-negative": diagram_of("bars-negative"),
    "funnel": diagram_of("funnel"),
    "cohorts": diagram_of("cohorts"),
    "cohorts-narrow": diagram_of("cohorts-twelve", width=330),
    "heat": diagram_of("heat", theme="dark"),
    "histogram": diagram_of("histogram"),
    "counter": diagram_of("counter", Display(good="up")),
    "kpi": diagram_of("kpi"),
    "none": diagram_of("bars-empty"),
}
"""Pictures that somebody has looked at."""
