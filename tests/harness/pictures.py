"""URLs of pictures, points to draw, and the processes that draw."""

import json
import subprocess
from typing import Any
from urllib.parse import urlencode

POINTS = [
    {"id": name, "x": 1_763_000_000 + 3600 * at, "y": at * size}
    for name, size in (("a", 1), ("b", 3))
    for at in range(40)
]


def path(kind: str = "graph", points: Any = POINTS, **query: Any) -> str:
    """The path and query of a picture; `points` that are a text go as they are."""
    said = {"data_points": points if isinstance(points, str) else json.dumps(points)} | query
    return f"/custom/{kind}?{urlencode(said, doseq=True)}"


def drawing_for(server_pid: int) -> list[int]:
    """The processes that draw for a server."""
    listed = subprocess.run(["ps", "--ppid", str(server_pid), "-o", "pid=,args="], capture_output=True, check=False)
    lines = [line.split(None, 1) for line in listed.stdout.decode().splitlines()]
    return [int(pid) for pid, words in lines if "tallyroom.images.drawing" in words]
