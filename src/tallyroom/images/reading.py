"""Turns a request into a graph, and refuses what no picture can show (rules/pictures#wrong-orders)."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import zip_longest

from tallyroom.core.errors import ValidationFailed
from tallyroom.images.charts.colors import Color, parse_color
from tallyroom.images.charts.graph import Graph, GraphPoint, Series, ordered
from tallyroom.images.charts.moments import is_time
from tallyroom.images.charts.svg import cleaned
from tallyroom.images.messages import FeedMoments, RenderJob
from tallyroom.images.schemas import MOST_PIXELS, MOST_SERIES, DataPoint, GraphRequest, series_names
from tallyroom.rest.bodies import decode_body

_LONGEST_TITLE = 200
_LONGEST_NAME = 100
_NO_BACKGROUND = "transparent"
_LARGEST_SECONDS = 1e11  # as seconds, such a moment is in the year 5138; as milliseconds, in 1973


def request_of(job: RenderJob) -> GraphRequest:
    """Return the request in a job.

    Raises:
        ValidationFailed: its data is not JSON, or not of the right type.
    """
    if job.parameters is None:
        sent: GraphRequest = decode_body(job.data, GraphRequest)
        return sent
    job.parameters.data_points = decode_body(job.data, list[DataPoint], at=["data_points"])
    return job.parameters


def graph_of(sent: GraphRequest, color_name: str = "colors", fed: FeedMoments | None = None) -> Graph:
    """Return the graph that a request asks for.

    Args:
        sent: the request.
        color_name: the name of its field or parameter for colors.
        fed: the times at which its points were fed, if known.

    Raises:
        ValidationFailed: a number or a color is invalid, or there are too many series or pixels.
    """
    names = series_names(sent.data_points)
    if len(names) > MOST_SERIES:
        raise ValidationFailed.at(["data_points"], f"has more than {MOST_SERIES} series")
    if sent.width * sent.height * sent.scale**2 > MOST_PIXELS:
        raise ValidationFailed.at(["scale"], f"with this width and height makes more than {MOST_PIXELS:,} pixels")
    colors = [_color([color_name, at], text) for at, text in enumerate(sent.colors)]
    points = _by_series(sent.data_points)
    starts = None if fed is None else frozenset(fed.starts)
    return Graph(
        title=_shortened(sent.name, _LONGEST_TITLE),
        series=[
            Series(_shortened(name, _LONGEST_NAME), ordered(points[name]), color, starts)
            for name, color in zip_longest(names, colors[: len(names)])
        ],
        width=sent.width,
        height=sent.height,
        theme=sent.theme,
        fill=sent.fill,
        background=None if sent.background is None else background_of(sent.background),
        span=None if fed is None else fed.span,
    )


def _by_series(points: Sequence[DataPoint]) -> dict[str, list[GraphPoint]]:
    a_second = _units_a_second(points)
    found: defaultdict[str, list[GraphPoint]] = defaultdict(list)
    for point in points:
        found[point.id].append((point.x / a_second, point.y))
    return found


def _units_a_second(points: Sequence[DataPoint]) -> int:
    """Return 1000 if the moments are milliseconds, that is, if all of them are too large for seconds."""
    lowest = min((point.x for point in points), default=0.0)
    highest = max((point.x for point in points), default=0.0)
    return 1000 if lowest > _LARGEST_SECONDS and is_time(lowest / 1000, highest / 1000) else 1


def background_of(text: str) -> Color:
    """Return the background that a parameter names: a color, or none that is seen.

    Raises:
        ValidationFailed: it is no color.
    """
    return Color("#000000", 0.0) if text == _NO_BACKGROUND else _color(["background"], text)


def _color(path: list[str | int], text: str) -> Color:
    found = parse_color(text)
    if found is None:
        raise ValidationFailed.at(path, "must be a color as RGB, RRGGBB or RRGGBBAA")
    return found


def _shortened(text: str, most: int) -> str:
    text = cleaned(text).strip()
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
