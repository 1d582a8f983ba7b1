"""A message for Discord: an embed that mentions nobody, with the chart as its picture."""

from typing import Any, Final

import msgspec

from tallyroom.alerts.channel_types.escaping import fitting, in_markdown
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.channel_types.multipart import multipart_request
from tallyroom.alerts.channel_types.wording import worded
from tallyroom.core.fetch.messages import OutboundRequest

_COLORS: Final = {"critical": 0xD92D20, "warning": 0xDC8A04}
_RESOLVED_COLOR: Final = 0x16A34A
_NEUTRAL_COLOR: Final = 0x5B5B66

_MAX_TITLE = 256
_MAX_DESCRIPTION = 4096
_MAX_FIELD = 1024
_MAX_URL = 2048


def discord_request(url: str, message: AlertMessage, png: bytes | None, delivery_id: str) -> OutboundRequest:
    """Return the request that tells a channel of Discord.

    Args:
        url: the address of a webhook.
        message: what to tell.
        png: the picture of the chart, if there is one.
        delivery_id: separates the parts of the request.
    """
    body: dict[str, Any] = {"embeds": [_embed(message)], "allowed_mentions": {"parse": []}}
    if png is None:
        headers = {"content-type": "application/json"}
        return OutboundRequest(url=url, method="POST", headers=headers, body=msgspec.json.encode(body))
    body["embeds"][0]["image"] = {"url": "attachment://chart.png"}
    body["attachments"] = [{"id": 0, "filename": "chart.png", "description": "The value over the last window"}]
    return multipart_request(url, {"payload_json": msgspec.json.encode(body).decode()}, "files[0]", png, delivery_id)


def _embed(message: AlertMessage) -> dict[str, Any]:
    wording = worded(message)
    return {
        "title": fitting(wording.headline, _MAX_TITLE, in_markdown),
        "description": fitting(wording.sentence, _MAX_DESCRIPTION, in_markdown),
        "color": _color(message),
        "fields": [
            {"name": name, "value": fitting(value, _MAX_FIELD, in_markdown) or "none", "inline": True}
            for name, value in wording.facts
        ],
        "timestamp": message.timestamp,
        **({"url": message.url} if len(message.url) <= _MAX_URL else {}),
    }


def _color(message: AlertMessage) -> int:
    if message.type in {"test", "alert.nodata"}:
        return _NEUTRAL_COLOR
    return _RESOLVED_COLOR if message.type == "alert.resolved" else _COLORS[message.severity]
