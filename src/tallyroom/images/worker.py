"""A process that draws: ``python -m tallyroom.images.worker FOLDER…`` reads jobs and writes pictures.

It is a separate process because drawing holds Python's lock for a long time, uses memory that the server would not give
back, and may break on a picture.
"""

import hashlib
import sys
from functools import cache
from pathlib import Path

from tallyroom.core.worker import serve_jobs
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.drawing import Drawing
from tallyroom.images.charts.layout import draw_graph
from tallyroom.images.charts.raster import Rasterizer, ResvgRasterizer
from tallyroom.images.charts.styles import ColoredPicture, is_opaque
from tallyroom.images.charts.svg import to_svg
from tallyroom.images.messages import JOB_DECODER, DiagramJob, GraphJob, Job, Picture, PictureFormat
from tallyroom.images.request import build_graph, read_request

_TAG_BYTES = 12


def draw_picture(job: Job, rasterizer: Rasterizer) -> Picture:
    """Return the picture of a job, or raise `ValidationFailed` if it is invalid."""
    if isinstance(job, DiagramJob):
        return _render_picture(job, draw_diagram(job.diagram), job.diagram, job.scale, rasterizer)
    if isinstance(job, GraphJob):
        return _render_picture(job, draw_graph(job.graph), job.graph, job.scale, rasterizer)
    request = read_request(job)
    graph = build_graph(request, "colors" if job.parameters is None else "color", job.fed)
    return _render_picture(job, draw_graph(graph), graph, request.scale, rasterizer)


def _render_picture(
    job: Job, drawing: Drawing, colored_picture: ColoredPicture, scale: float, rasterizer: Rasterizer
) -> Picture:
    if job.format is PictureFormat.PNG:
        svg = to_svg(drawing, colored_picture, rasterizer.outline_words, scale)
        body = rasterizer.render_png(svg, is_opaque=is_opaque(colored_picture))
    else:
        body = to_svg(drawing, colored_picture).encode()
    return Picture(job.format, body, f'"{hashlib.blake2b(body, digest_size=_TAG_BYTES).hexdigest()}"')


def main() -> None:
    """Draw for the server that started this process."""
    serve_jobs(lambda job: draw_picture(JOB_DECODER.decode(job), _load_rasterizer()))


@cache
def _load_rasterizer() -> Rasterizer:
    """Read the typefaces with the first job: by then, this process has a lower priority and ignores interrupts."""
    return ResvgRasterizer([Path(folder) for folder in sys.argv[1:]])


if __name__ == "__main__":
    main()
