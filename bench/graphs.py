"""Requests for pictures: values that wander, told every hour."""

from random import Random
from urllib.parse import urlencode

import msgspec

from tallyroom.images.schemas import MAX_PIXELS, MAX_POINTS, MAX_SERIES

_START_S, _HOUR_S = 1_763_000_000, 3_600
_MAX_WIDTH, _SCALE = 1000, 2


def build_points(random_source: Random, series_count: int, point_count: int) -> list[dict[str, object]]:
    """`point_count` points of each of `series_count` lines."""
    points: list[dict[str, object]] = []
    for series_number in range(series_count):
        value = 1000.0 * series_number
        for index in range(point_count):
            value += random_source.uniform(-60, 72)
            points.append({"id": f"Series {series_number}", "x": _START_S + index * _HOUR_S, "y": round(value, 2)})
    return points


def build_bodies(seed: int, body_count: int, series_count: int, point_count: int) -> list[bytes]:
    """Different bodies of /custom/render."""
    random_source = Random(seed)
    return [
        msgspec.json.encode(
            {"name": f"Picture {number}", "data_points": build_points(random_source, series_count, point_count)}
        )
        for number in range(body_count)
    ]


def build_path(point_count: int) -> str:
    """The path and query of a PNG of one line."""
    points = [{"id": "Teapot", "x": _START_S + index * _HOUR_S, "y": 900 + index} for index in range(point_count)]
    return "/custom/graph.png?" + urlencode({"name": "Servers", "data_points": msgspec.json.encode(points)})


def build_worst_case() -> bytes:
    """A body of all the points, lines and pixels that there may be, without its opening brace and its name."""
    random_source = Random(0)
    points = [
        {
            "id": f"Series {index % MAX_SERIES}",
            "x": _START_S + index // MAX_SERIES * _HOUR_S,
            "y": random_source.random(),
        }
        for index in range(MAX_POINTS)
    ]
    body = {
        "data_points": points,
        "width": _MAX_WIDTH,
        "height": MAX_PIXELS // _SCALE**2 // _MAX_WIDTH,
        "scale": _SCALE,
    }
    return msgspec.json.encode(body)[1:]
