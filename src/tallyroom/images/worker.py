"""A process that draws: ``python -m tallyroom.images.worker FOLDER…`` reads jobs and writes pictures.

It is a separate process for three reasons: drawing holds Python's lock for a long time, it takes memory that the server
would not give back, and a picture that breaks the rasterizer must not break the server.
"""

import hashlib
import sys
from functools import cache
from pathlib import Path

from tallyroom.core.worker import answer_jobs
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.drawing import Drawing
from tallyroom.images.charts.layout import draw
from tallyroom.images.charts.raster import Rasterizer, ResvgRasterizer
from tallyroom.images.charts.styles import Look
from tallyroom.images.charts.svg import to_svg
from tallyroom.images.messages import JOB, DiagramJob, Format, Job, Picture
from tallyroom.images.request import graph_of, request_of

_TAG_BYTES = 12


def answered(job: Job, rasterizer: Rasterizer) -> Picture:
    """Return the picture of a job.

    Raises:
        ValidationFailed: the job is invalid.
    """
    if isinstance(job, DiagramJob):
        return _picture(job, draw_diagram(job.diagram), job.diagram, job.scale, rasterizer)
    request = request_of(job)
    graph = graph_of(request, "colors" if job.parameters is None else "color", job.fed)
    return _picture(job, draw(graph), graph, request.scale, rasterizer)


def _picture(job: Job, drawing: Drawing, look: Look, scale: float, rasterizer: Rasterizer) -> Picture:
    if job.format is Format.PNG:
        body = rasterizer.png(to_svg(drawing, look, rasterizer.words), drawing.width, drawing.height, scale)
    else:
        body = to_svg(drawing, look).encode()
    return Picture(job.format, body, f'"{hashlib.blake2b(body, digest_size=_TAG_BYTES).hexdigest()}"')


def main() -> None:
    """Draw for the server that started this process."""
    answer_jobs(lambda job: answered(JOB.decode(job), _rasterizer()))


@cache
def _rasterizer() -> Rasterizer:
    """Read the typefaces with the first job: by then, this process has stepped back and takes no interrupts."""
    return ResvgRasterizer([Path(folder) for folder in sys.argv[1:]])


if __name__ == "__main__":
    main()
