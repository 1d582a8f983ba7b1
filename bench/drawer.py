"""Processes that make pictures of the bodies of requests: the product's own way, and Chart.js."""

import json
import os
import subprocess
import sys
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

_NODE_FOLDER = Path(__file__).parent / "node"

CHART_WAYS = {
    "usual": "Chart.js",
    "unmarked": "Chart.js without markers",
    "advised": "Chart.js as its page on performance advises",
}
"""How Chart.js is told to draw (bench/node/chart.mjs)."""


class Cost(NamedTuple):
    """Of one picture."""

    cpu_ms: float
    wall_ms: float
    kb: float


class Drawer:
    """A process that makes pictures.

    Args:
        command: what it is.
    """

    def __init__(self, *command: str) -> None:
        environment = os.environ | {"TZ": "UTC"}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def draw(self, drawing_way: str, file: Path, folder: Path | None = None) -> Cost:
        """Draw each line of `file`; in `folder` the pictures stay."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"way": drawing_way, "file": str(file)} | ({"folder": str(folder)} if folder else {})
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        reply = json.loads(self._process.stdout.readline() or sys.exit("a process that draws has ended"))
        picture_count = file.read_bytes().count(b"\n")
        return Cost(
            reply["cpu_ms"] / picture_count, reply["wall_ms"] / picture_count, reply["bytes"] / picture_count / 1000
        )

    def stop(self) -> None:
        """End it and wait."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)


def product() -> Drawer:
    """The product's own way."""
    return Drawer(sys.executable, "-m", "bench.drawn")


def chart_js() -> Drawer:
    """Chart.js with the product's typeface; `make bench-images` installs it."""
    with as_file(files("tallyroom.images.charts.fonts")) as fonts:
        return Drawer("node", str(_NODE_FOLDER / "chart.mjs"), str(fonts))
