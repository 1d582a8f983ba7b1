"""A message for Discord: an embed that mentions no one, with the chart as its picture."""

from typing import Any, Final

import msgspec

from tallyroom.alerts.channel_types.escaping import escape_markdown, truncate
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.channel_types.multipart import build_multipart_request
from tallyroom.alerts.channel_types.wording import describe_message
from tallyroom.core.fetch.messages import OutboundRequest

_COLOR_BY_SEVERITY: Final = {"critical": 0xD92D20, "warning": 0xDC8A04}
_RESOLVED_COLOR: Final = 0x16A34A
_NEUTRAL_COLOR: Final = 0x5B5B66

_MAX_TITLE_LENGTH = 256
_MAX_DESCRIPTION_LENGTH = 4096
_MAX_FIELD_LENGTH = 1024
_MAX_URL_LENGTH = 2048


def build_discord_request(url: str, message: AlertMessage, png: bytes | None, delivery_id: str) -> OutboundRequest:
    """Return the request that sends a message to the webhook `url`; `delivery_id` separates the request's parts."""
    body: dict[str, Any] = {"embeds": [_build_embed(message)], "allowed_mentions": {"parse": []}}
    if png is None:
        headers = {"content-type": "application/json"}
        return OutboundRequest(url=url, method="POST", headers=headers, body=msgspec.json.encode(body))
    body["embeds"][0]["image"] = {"url": "attachment://chart.png"}
    body["attachments"] = [{"id": 0, "filename": "chart.png", "description": "The value over the last window"}]
    fields = {"payload_json": msgspec.json.encode(body).decode()}
    return build_multipart_request(url, fields, "files[0]", png, delivery_id)


def _build_embed(message: AlertMessage) -> dict[str, Any]:
    wording = describe_message(message)
    return {
        "title": truncate(wording.headline, _MAX_TITLE_LENGTH, escape_markdown),
        "description": truncate(wording.sentence, _MAX_DESCRIPTION_LENGTH, escape_markdown),
        "color": _choose_color(message),
        "fields": [
            {"name": name, "value": truncate(value, _MAX_FIELD_LENGTH, escape_markdown) or "none", "inline": True}
            for name, value in wording.facts
        ],
        "timestamp": message.timestamp,
        **({"url": message.url} if len(message.url) <= _MAX_URL_LENGTH else {}),
    }


def _choose_color(message: AlertMessage) -> int:
    if message.type in {"test", "alert.nodata"}:
        return _NEUTRAL_COLOR
    return _RESOLVED_COLOR if message.type == "alert.resolved" else _COLOR_BY_SEVERITY[message.severity]
