"""A message for Slack, as blocks; for servers that only read the text, the text says everything, too."""

from typing import Any

import msgspec

from tallyroom.alerts.channel_types.escaping import escaped, fitting, in_markup, unlinked
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.channel_types.wording import Wording, worded
from tallyroom.core.fetch.messages import OutboundRequest

MAX_URL = 3000
"""The longest address of a picture or a link, in characters."""

_MAX_HEADER = 150
_MAX_SECTION = 3000
_MAX_FIELD = 2000
_MAX_TEXT = 3000

Block = dict[str, Any]


def slack_request(url: str, message: AlertMessage, picture_url: str | None) -> OutboundRequest:
    """Return the request that tells a channel of Slack, or of a server that takes the same requests.

    Args:
        url: the address of an incoming webhook.
        message: what to tell.
        picture_url: where Slack finds the picture of the chart; None if there is none that it could reach.
    """
    wording = worded(message)
    body = {"text": _text(wording, message.url), "blocks": _blocks(wording, message.url, picture_url)}
    return OutboundRequest(
        url=url, method="POST", headers={"content-type": "application/json"}, body=msgspec.json.encode(body)
    )


def _text(wording: Wording, link: str) -> str:
    lines = [wording.headline, wording.sentence, *(f"{name}: {value}" for name, value in wording.facts)]
    return unlinked(fitting("\n".join(lines), _MAX_TEXT - len(link), in_markup)) + f"\n{escaped(link, in_markup)}"


def _blocks(wording: Wording, link: str, picture_url: str | None) -> list[Block]:
    facts = [_plain(f"{name}: {value}", _MAX_FIELD) for name, value in wording.facts]
    blocks: list[Block] = [
        {"type": "header", "text": _plain(wording.headline, _MAX_HEADER)},
        {"type": "section", "text": _plain(wording.sentence, _MAX_SECTION)},
        {"type": "section", "fields": facts},
    ]
    if picture_url is not None and len(picture_url) <= MAX_URL:
        blocks.append({"type": "image", "image_url": picture_url, "alt_text": "The value over the last window"})
    if len(link) <= MAX_URL:
        # Not a button: Slack would tell the app that somebody pressed it, and nobody listens.
        words = {"type": "mrkdwn", "text": f"<{escaped(link, in_markup)}|Open the alert>", "verbatim": True}
        blocks.append({"type": "context", "elements": [words]})
    return blocks


def _plain(text: str, most: int) -> Block:
    """Return a text in which Slack looks for neither formatting nor emoji."""
    return {"type": "plain_text", "text": fitting(text, most, in_markup), "emoji": False}
