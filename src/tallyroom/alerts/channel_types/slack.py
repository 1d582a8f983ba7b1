"""A message for Slack, as blocks; for servers that only read the text, the text has everything, too."""

from typing import Any

import msgspec

from tallyroom.alerts.channel_types.escaping import escape_markup, escape_text, neutralize_links, truncate
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.channel_types.wording import Wording, describe_message
from tallyroom.core.fetch.messages import OutboundRequest

MAX_URL_LENGTH = 3000
"""The longest address of a picture or a link, in characters."""

_MAX_HEADER_LENGTH = 150
_MAX_SECTION_LENGTH = 3000
_MAX_FIELD_LENGTH = 2000
_MAX_TEXT_LENGTH = 3000

SlackBlock = dict[str, Any]


def build_slack_request(url: str, message: AlertMessage, picture_url: str | None) -> OutboundRequest:
    """Return the request to an incoming webhook; `picture_url` is where Slack finds the chart, None if nowhere."""
    wording = describe_message(message)
    body = {"text": _build_text(wording, message.url), "blocks": _build_blocks(wording, message.url, picture_url)}
    headers = {"content-type": "application/json"}
    return OutboundRequest(url=url, method="POST", headers=headers, body=msgspec.json.encode(body))


def _build_text(wording: Wording, link: str) -> str:
    lines = [wording.headline, wording.sentence, *(f"{name}: {value}" for name, value in wording.facts)]
    text = truncate("\n".join(lines), _MAX_TEXT_LENGTH - len(link), escape_markup)
    return f"{neutralize_links(text)}\n{escape_text(link, escape_markup)}"


def _build_blocks(wording: Wording, link: str, picture_url: str | None) -> list[SlackBlock]:
    facts = [_plain_text_block(f"{name}: {value}", _MAX_FIELD_LENGTH) for name, value in wording.facts]
    blocks: list[SlackBlock] = [
        {"type": "header", "text": _plain_text_block(wording.headline, _MAX_HEADER_LENGTH)},
        {"type": "section", "text": _plain_text_block(wording.sentence, _MAX_SECTION_LENGTH)},
        {"type": "section", "fields": facts},
    ]
    if picture_url is not None and len(picture_url) <= MAX_URL_LENGTH:
        blocks.append({"type": "image", "image_url": picture_url, "alt_text": "The value over the last window"})
    if len(link) <= MAX_URL_LENGTH:
        # Not a button: Slack would report each press to the app, which does not listen.
        link_text = {"type": "mrkdwn", "text": f"<{escape_text(link, escape_markup)}|Open the alert>", "verbatim": True}
        blocks.append({"type": "context", "elements": [link_text]})
    return blocks


def _plain_text_block(text: str, max_utf16_units: int) -> SlackBlock:
    """Return a text in which Slack finds neither formatting nor emoji."""
    return {"type": "plain_text", "text": truncate(text, max_utf16_units, escape_markup), "emoji": False}
