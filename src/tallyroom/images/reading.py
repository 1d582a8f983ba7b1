"""From what a request says to a graph; refuses what no picture can show."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from tallyroom.charts.colors import Color, parse_color
from tallyroom.charts.graph import Graph, Point, Series, ordered
from tallyroom.charts.svg import cleaned
from tallyroom.core.errors import ValidationFailed
from tallyroom.images.schemas import LIMITS, MOST_PIXELS, MOST_SERIES, DataPoint, GraphRequest, series_names
from tallyroom.rest.bodies import converted
from tallyroom.rest.parameters import integer_of

_LONGEST_TITLE = 200
_LONGEST_NAME = 100
_NO_BACKGROUND = "transparent"


def graph_of(sent: GraphRequest, color_name: str = "colors") -> Graph:
    """The graph that a request asks for.

    Args:
        sent: what it says.
        color_name: how it calls its colors.

    Raises:
        ValidationFailed: a number that is none, a color that is none, too many series or pixels.
    """
    names = series_names(sent.data_points)
    if len(names) > MOST_SERIES:
        raise ValidationFailed.at(["data_points"], f"has more than {MOST_SERIES} series")
    if sent.width * sent.height * sent.scale**2 > MOST_PIXELS:
        raise ValidationFailed.at(["scale"], f"makes more than {MOST_PIXELS:,} pixels of this width and height")
    colors = [_color([color_name, at], text) for at, text in enumerate(sent.colors)]
    points = _by_series(sent.data_points)
    return Graph(
        title=_shortened(sent.name, _LONGEST_TITLE),
        series=[
            Series(_shortened(name, _LONGEST_NAME), ordered(points[name]), colors[at] if at < len(colors) else None)
            for at, name in enumerate(names)
        ],
        width=sent.width,
        height=sent.height,
        theme=sent.theme,
        fill=sent.fill,
        background=None if sent.background is None else _background(sent.background),
    )


def _by_series(points: Sequence[DataPoint]) -> dict[str, list[Point]]:
    found: defaultdict[str, list[Point]] = defaultdict(list)
    for at, point in enumerate(points):
        if not (math.isfinite(point.x) and math.isfinite(point.y)):
            raise ValidationFailed.at(["data_points", at], "must have finite numbers")
        found[point.id].append((point.x, point.y))
    return found


def _background(text: str) -> Color:
    return Color("#000000", 0.0) if text == _NO_BACKGROUND else _color(["background"], text)


def _color(path: list[str | int], text: str) -> Color:
    found = parse_color(text)
    if found is None:
        raise ValidationFailed.at(path, "must be a color as RGB, RRGGBB or RRGGBBAA")
    return found


def _shortened(text: str, most: int) -> str:
    text = cleaned(text).strip()
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def request_of(words: Mapping[str, str | None], numbers: Mapping[str, str | None]) -> GraphRequest:
    """The parameters of a query as what they mean; those that are None are absent.

    Raises:
        ValidationFailed: one of them is no such number or word.
    """
    said: dict[str, str | int] = {name: text for name, text in words.items() if text is not None}
    said |= {name: integer_of(name, text, *LIMITS[name]) for name, text in numbers.items() if text is not None}
    return converted({"data_points": [], **said}, GraphRequest, strict=False)
