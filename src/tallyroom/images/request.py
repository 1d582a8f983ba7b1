"""Turns a request into a graph, and refuses what no picture can show (rules/pictures#invalid-requests)."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from tallyroom.core.errors import ValidationFailed
from tallyroom.images.charts.colors import Color, parse_color
from tallyroom.images.charts.graph import Graph, GraphPoint, Series, sort_points
from tallyroom.images.charts.svg import shorten
from tallyroom.images.charts.time_ticks import is_time
from tallyroom.images.messages import FeedMoments, RenderJob
from tallyroom.images.schemas import MAX_PIXELS, MAX_SERIES, DataPoint, GraphRequest
from tallyroom.rest.bodies import decode_body

_MAX_TITLE_LENGTH = 200
_MAX_NAME_LENGTH = 100
_NO_BACKGROUND = "transparent"
_PALETTE_KEY_BY_NUMBER = {str(number): str(number - 1) for number in range(1, 9)}
_LARGEST_SECONDS = 1e11  # as seconds, such a moment is in the year 5138; as milliseconds, in 1973


def read_request(job: RenderJob) -> GraphRequest:
    """Return the request in a job; raise `ValidationFailed` if its data is not JSON, or not of the right type."""
    if job.parameters is None:
        request: GraphRequest = decode_body(job.data, GraphRequest)
        return request
    job.parameters.data_points = decode_body(job.data, list[DataPoint], path=["data_points"])
    return job.parameters


def build_graph(request: GraphRequest, color_field: str = "colors", feed_moments: FeedMoments | None = None) -> Graph:
    """Return the graph of a request; raise `ValidationFailed` for a wrong color, or too many series or pixels."""
    points_by_name = _group_points_by_series(request.data_points)
    if len(points_by_name) > MAX_SERIES:
        raise ValidationFailed.at(["data_points"], f"has more than {MAX_SERIES} series")
    if request.width * request.height * request.scale**2 > MAX_PIXELS:
        raise ValidationFailed.at(["scale"], f"with this width and height results in more than {MAX_PIXELS:,} pixels")
    color_choices = parse_color_choices(request.colors, color_field)
    color_choices += [ColorChoice()] * (len(points_by_name) - len(color_choices))
    moments_after_gaps = None if feed_moments is None else frozenset(feed_moments.starts)
    return Graph(
        title=shorten(request.name, _MAX_TITLE_LENGTH),
        series=[
            Series(
                shorten(name, _MAX_NAME_LENGTH),
                sort_points(points),
                choice.color,
                moments_after_gaps,
                palette_key=choice.palette_key,
            )
            for (name, points), choice in zip(points_by_name.items(), color_choices, strict=False)
        ],
        width=request.width,
        height=request.height,
        theme=request.theme,
        fill=request.fill,
        background=None if request.background is None else parse_background(request.background),
        time_range=None if feed_moments is None else feed_moments.time_range,
    )


def _group_points_by_series(points: Sequence[DataPoint]) -> dict[str, list[GraphPoint]]:
    """Return the points of each series as sent, in seconds; the series are in the order of their first points."""
    points_by_series_id: defaultdict[str, list[GraphPoint]] = defaultdict(list)
    if _are_milliseconds(points):
        for point in points:
            points_by_series_id[point.id].append((point.x / 1000, point.y))
    else:
        for point in points:
            points_by_series_id[point.id].append((point.x, point.y))
    return points_by_series_id


def _are_milliseconds(points: Sequence[DataPoint]) -> bool:
    """Return whether the moments are milliseconds, that is, whether all of them are too large for seconds."""
    if not points or any(point.x <= _LARGEST_SECONDS for point in points):
        return False
    moments = [point.x for point in points]
    return is_time(min(moments) / 1000, max(moments) / 1000)


def parse_background(text: str) -> Color:
    """Return a background: a color or transparent; raise `ValidationFailed` for any other text."""
    return Color("#000000", 0.0) if text == _NO_BACKGROUND else _parse_color_field(["background"], text)


class ColorChoice(NamedTuple):
    """The color of a series: one of its own, or one of the theme (`Series.palette_key`), or that of its position."""

    color: Color | None = None
    palette_key: str | None = None


def parse_color_choices(texts: Sequence[str], color_field: str) -> list[ColorChoice]:
    """Return the colors that texts name, in their order; raise `ValidationFailed` if one names none."""
    return [_parse_color_choice([color_field, index], text) for index, text in enumerate(texts)]


def _parse_color_choice(path: list[str | int], text: str) -> ColorChoice:
    if palette_key := _PALETTE_KEY_BY_NUMBER.get(text):
        return ColorChoice(palette_key=palette_key)
    return ColorChoice(_parse_color_field(path, text, ", or 1 to 8"))


def _parse_color_field(path: list[str | int], text: str, alternative: str = "") -> Color:
    color = parse_color(text)
    if color is None:
        raise ValidationFailed.at(path, f"must be a color as RGB, RRGGBB or RRGGBBAA{alternative}")
    return color
