"""URLs of pictures, and points to draw."""

import json
from typing import Any
from urllib.parse import urlencode

POINTS: list[dict[str, Any]] = [
    {"id": name, "x": 1_763_000_000 + 3600 * at, "y": at * size}
    for name, size in (("a", 1), ("b", 3))
    for at in range(40)
]


def path(kind: str = "graph", points: Any = POINTS, **query: Any) -> str:
    """The path and query of a picture; `points` that are a text go as they are."""
    said = {"data_points": points if isinstance(points, str) else json.dumps(points)} | query
    return f"/custom/{kind}?{urlencode(said, doseq=True)}"
