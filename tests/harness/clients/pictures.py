"""URLs of pictures, points to draw, and the texts of an answer."""

import json
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import httpx

POINTS: list[dict[str, Any]] = [
    {"id": name, "x": 1_763_000_000 + 3600 * at, "y": at * size}
    for name, size in (("a", 1), ("b", 3))
    for at in range(40)
]


def path(kind: str = "graph", points: Any = POINTS, **query: Any) -> str:
    """The path and query of a picture; `points` that are a text go as they are."""
    said = {"data_points": points if isinstance(points, str) else json.dumps(points)} | query
    return f"/custom/{kind}?{urlencode(said, doseq=True)}"


def texts_of(answer: httpx.Response) -> list[str]:
    """Return all texts in a picture that was requested as SVG."""
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml"), answer.text
    return [str(element.text) for element in ET.fromstring(answer.text).iter("{http://www.w3.org/2000/svg}text")]
