"""Requests for pictures: values that wander, told every hour."""

from random import Random
from urllib.parse import urlencode

import msgspec

from tallyroom.images.schemas import MAX_PIXELS, MAX_POINTS, MAX_SERIES

_START, _HOUR = 1_763_000_000, 3_600
_WIDE, _SCALE = 1000, 2


def points(source: Random, series: int, count: int) -> list[dict[str, object]]:
    """`count` points of each of `series` lines."""
    found: list[dict[str, object]] = []
    for number in range(series):
        value = 1000.0 * number
        for at in range(count):
            value += source.uniform(-60, 72)
            found.append({"id": f"Series {number}", "x": _START + at * _HOUR, "y": round(value, 2)})
    return found


def bodies(seed: int, how_many: int, series: int, count: int) -> list[bytes]:
    """Different bodies of /custom/render."""
    source = Random(seed)
    return [
        msgspec.json.encode({"name": f"Picture {number}", "data_points": points(source, series, count)})
        for number in range(how_many)
    ]


def path_of(count: int) -> str:
    """The path and query of a PNG of one line."""
    line = [{"id": "Teapot", "x": _START + at * _HOUR, "y": 900 + at} for at in range(count)]
    return "/custom/graph.png?" + urlencode({"name": "Servers", "data_points": msgspec.json.encode(line)})


def worst_case() -> bytes:
    """A body of all the points, lines and pixels that there may be, without its opening brace and its name."""
    source = Random(0)
    noise = [
        {"id": f"Series {at % MAX_SERIES}", "x": _START + at // MAX_SERIES * _HOUR, "y": source.random()}
        for at in range(MAX_POINTS)
    ]
    asked = {"data_points": noise, "width": _WIDE, "height": MAX_PIXELS // _SCALE**2 // _WIDE, "scale": _SCALE}
    return msgspec.json.encode(asked)[1:]
