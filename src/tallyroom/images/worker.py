"""A process that draws: ``python -m tallyroom.images.worker FOLDER…`` reads jobs and writes pictures.

It is a separate process for three reasons: drawing holds Python's lock for a long time, it takes memory that the server
would not give back, and a picture that breaks the rasterizer must not break the server. It ends when its standard input
ends.
"""

import hashlib
import signal
import sys
from pathlib import Path
from typing import BinaryIO

from tallyroom.charts.diagrams import draw_diagram
from tallyroom.charts.drawing import Drawing
from tallyroom.charts.layout import draw
from tallyroom.charts.raster import Rasterizer, ResvgRasterizer
from tallyroom.charts.styles import Look
from tallyroom.charts.svg import to_svg
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.priority import step_back
from tallyroom.images.messages import (
    JOB,
    LENGTH_BYTES,
    DiagramJob,
    Format,
    Job,
    Picture,
    RenderFailure,
    RenderRefusal,
    RenderReply,
    framed,
)
from tallyroom.images.reading import graph_of, request_of

_TAG_BYTES = 12


def answered(job: Job, rasterizer: Rasterizer) -> Picture | RenderRefusal:
    """Return the picture of a job, or the reason why there is none."""
    if isinstance(job, DiagramJob):
        return _picture(job, draw_diagram(job.diagram), job.diagram, job.scale, rasterizer)
    try:
        sent = request_of(job)
        graph = graph_of(sent, "colors" if job.parameters is None else "color", job.fed)
    except ValidationFailed as error:
        return RenderRefusal(error.message, error.details)
    return _picture(job, draw(graph), graph, sent.scale, rasterizer)


def _picture(job: Job, drawing: Drawing, look: Look, scale: float, rasterizer: Rasterizer) -> Picture:
    if job.format is Format.PNG:
        body = rasterizer.png(to_svg(drawing, look, rasterizer.words), drawing.width, drawing.height, scale)
    else:
        body = to_svg(drawing, look).encode()
    return Picture(job.format, body, f'"{hashlib.blake2b(body, digest_size=_TAG_BYTES).hexdigest()}"')


def serve(jobs: BinaryIO, replies: BinaryIO, rasterizer: Rasterizer) -> None:
    """Answer jobs one after the other until the input ends."""
    while length := jobs.read(LENGTH_BYTES):
        written = jobs.read(int.from_bytes(length, "big"))
        try:
            reply: RenderReply = answered(JOB.decode(written), rasterizer)
        except Exception as error:  # noqa: BLE001 # the server has it in its log, and this process goes on
            reply = RenderFailure(repr(error))
        replies.write(framed(reply))
        replies.flush()


def main() -> None:
    """Draw for the server that started this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the server handles it, and then ends this process
    step_back()
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer, ResvgRasterizer([Path(folder) for folder in sys.argv[1:]]))
    except BrokenPipeError:  # the server is gone
        sys.stderr.close()


if __name__ == "__main__":
    main()
