"""Charts of the messages of alerts: the value over the last window, with the threshold."""

import logging
from collections.abc import Sequence
from urllib.parse import quote

import msgspec

from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.channel_types.wording import value_name
from tallyroom.core.errors import Unavailable, ValidationFailed
from tallyroom.images.charts.colors import ThemeName
from tallyroom.images.messages import PictureFormat, RenderJob
from tallyroom.images.renderer import Renderer
from tallyroom.images.schemas import DataPoint, GraphRequest

_WIDTH, _HEIGHT, _SCALE = 500, 220, 2
_MAX_URL_LENGTH = 3000  # the longest that Slack accepts
_MAX_TITLE_LENGTH = 100
_MIN_POINT_COUNT = 2
_VALUE_SERIES, _THRESHOLD_SERIES = "value", "threshold"
_THRESHOLD_CONDITIONS = {"above", "below"}  # the thresholds of other conditions are not values

_log = logging.getLogger(__name__)


class AlertPictures:
    """Draws charts of messages and builds their URLs; `base_url` is "" if images have no public address."""

    def __init__(self, renderer: Renderer, base_url: str) -> None:
        self._renderer = renderer
        self._base_url = base_url

    async def draw_chart(self, message: AlertMessage, theme: ThemeName = "light") -> bytes | None:
        """Draw the chart of a message as PNG; None if it has too few points, or cannot be drawn now."""
        if len(message.points) < _MIN_POINT_COUNT:
            return None
        data_points, title = _build_data_points(message, message.points), _chart_title(message)
        graph_request = GraphRequest(data_points, title, width=_WIDTH, height=_HEIGHT, theme=theme, scale=_SCALE)
        try:
            picture = await self._renderer.render(RenderJob(PictureFormat.PNG, msgspec.json.encode(graph_request)))
        except (Unavailable, ValidationFailed) as error:
            _log.warning("the picture of an alert message could not be drawn", extra={"reason": error.message})
            return None
        return picture.body

    def chart_url(self, message: AlertMessage) -> str | None:
        """Return the address of the chart, with as many points as fit; None if no one else could reach it."""
        if not self._base_url.startswith("https://") or len(message.points) < _MIN_POINT_COUNT:
            return None
        for step in range(1, len(message.points)):
            url = self._build_chart_url(message, message.points[::-step][::-1])  # the newest point stays
            if len(url) <= _MAX_URL_LENGTH:
                return url
        return None

    def _build_chart_url(self, message: AlertMessage, points: Sequence[tuple[float, float]]) -> str:
        parameters = {
            "name": _chart_title(message),
            "width": str(_WIDTH),
            "height": str(_HEIGHT),
            "scale": str(_SCALE),
            "data_points": msgspec.json.encode(_build_data_points(message, points)).decode(),
        }
        query_string = "&".join(f"{name}={quote(value, safe=':,')}" for name, value in parameters.items())
        return f"{self._base_url}/custom/graph.png?{query_string}"


def _chart_title(message: AlertMessage) -> str:
    return value_name(message)[:_MAX_TITLE_LENGTH]


def _build_data_points(message: AlertMessage, points: Sequence[tuple[float, float]]) -> list[DataPoint]:
    data_points = [DataPoint(_VALUE_SERIES, _int_if_whole(x), _int_if_whole(y)) for x, y in points]
    if message.threshold is not None and message.condition in _THRESHOLD_CONDITIONS:
        data_points += [
            DataPoint(_THRESHOLD_SERIES, _int_if_whole(x), message.threshold) for x in (points[0][0], points[-1][0])
        ]
    return data_points


def _int_if_whole(value: float) -> float:
    """Return a whole number without decimals, which is shorter in a URL."""
    return int(value) if value == int(value) else value
