"""The product's way from the body of a request to a picture, in a process of its own: the other side of chart.mjs.

Each line of standard input is ``{"way", "file"}``: each line of `file` is the body of a request, which becomes what the
way says, ``png`` or ``svg``. It answers a line of ``{"cpu_ms", "wall_ms", "bytes"}`` for all of them.
"""

import json
import sys
import time
from pathlib import Path

from tallyroom.images.charts.raster import ResvgRasterizer
from tallyroom.images.messages import PictureFormat, RenderJob
from tallyroom.images.worker import draw_picture

_FORMATS = {"png": PictureFormat.PNG, "svg": PictureFormat.SVG}


def main() -> None:
    """Answer each line."""
    rasterizer = ResvgRasterizer()
    for line in sys.stdin:
        request = json.loads(line)
        bodies = Path(request["file"]).read_bytes().splitlines()
        cpu_started, wall_started = time.process_time(), time.perf_counter()
        pictures = [draw_picture(RenderJob(_FORMATS[request["way"]], body), rasterizer) for body in bodies]
        wall_ms, cpu_ms = (time.perf_counter() - wall_started) * 1000, (time.process_time() - cpu_started) * 1000
        byte_count = sum(len(picture.body) for picture in pictures)
        print(json.dumps({"cpu_ms": cpu_ms, "wall_ms": wall_ms, "bytes": byte_count}), flush=True)


if __name__ == "__main__":
    main()
