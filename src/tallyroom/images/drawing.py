"""A process that draws: ``python -m tallyroom.images.drawing FOLDER…`` reads orders and answers pictures.

It is one of its own for three reasons: drawing holds Python's lock for long, it would take memory that the server then
keeps, and a picture that breaks the renderer must not break the server. It ends when its standard input does.
"""

import hashlib
import signal
import sys
from pathlib import Path
from typing import BinaryIO

from tallyroom.charts.layout import draw
from tallyroom.charts.raster import Renderer, Resvg
from tallyroom.charts.svg import to_svg
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.priority import step_back
from tallyroom.images.orders import LENGTH_BYTES, ORDER, Answer, Drawn, Failed, Format, Order, Refused, framed
from tallyroom.images.reading import graph_of, request_of

_TAG_BYTES = 12


def answered(order: Order, renderer: Renderer) -> Drawn | Refused:
    """The picture of an order, or why there is none."""
    try:
        sent = request_of(order)
        graph = graph_of(sent, "colors" if order.look is None else "color", order.fed)
    except ValidationFailed as error:
        return Refused(error.message, error.details)
    drawing = draw(graph)
    if order.format is Format.PNG:
        body = renderer.png(to_svg(drawing, graph, renderer.words), graph.width, graph.height, sent.scale)
    else:
        body = to_svg(drawing, graph).encode()
    return Drawn(order.format, body, f'"{hashlib.blake2b(body, digest_size=_TAG_BYTES).hexdigest()}"')


def serve(orders: BinaryIO, answers: BinaryIO, renderer: Renderer) -> None:
    """Answer orders, one after the other, until they end."""
    while length := orders.read(LENGTH_BYTES):
        written = orders.read(int.from_bytes(length, "big"))
        try:
            answer: Answer = answered(ORDER.decode(written), renderer)
        except Exception as error:  # noqa: BLE001 # the server has it in its log, and this process goes on
            answer = Failed(repr(error))
        answers.write(framed(answer))
        answers.flush()


def main() -> None:
    """Draw for the server that started this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the server, which ends this process in its own time
    step_back()
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer, Resvg([Path(folder) for folder in sys.argv[1:]]))
    except BrokenPipeError:  # the server is gone
        sys.stderr.close()


if __name__ == "__main__":
    main()
