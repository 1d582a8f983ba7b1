"""A message for Telegram: a text in HTML, or a picture with that text below it."""

import msgspec

from tallyroom.alerts.channel_types.destination import parse_chat
from tallyroom.alerts.channel_types.escaping import escape_markup, escape_text, neutralize_links, truncate
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.channel_types.multipart import build_multipart_request
from tallyroom.alerts.channel_types.wording import describe_message
from tallyroom.core.fetch.messages import OutboundAnswer, OutboundRequest

# A caption has 1,024 characters without its markup. These leave some for the other facts.
_MAX_HEADLINE_LENGTH = 200
_MAX_SENTENCE_LENGTH = 480
_MAX_FACT_LENGTH = 60


def build_telegram_request(
    api_url: str, destination: str, message: AlertMessage, png: bytes | None, delivery_id: str
) -> OutboundRequest:
    """Return the request to Telegram's bot server at `api_url`; `delivery_id` separates the request's parts."""
    chat, text = parse_chat(destination), _build_html(message)
    bot_url = f"{api_url}/bot{chat.bot_token}"
    if png is None:
        options = {"parse_mode": "HTML", "link_preview_options": {"is_disabled": True}}
        body = msgspec.json.encode({"chat_id": chat.chat_id, "text": text, **options})
        headers = {"content-type": "application/json"}
        return OutboundRequest(url=f"{bot_url}/sendMessage", method="POST", headers=headers, body=body)
    fields = {"chat_id": chat.chat_id, "caption": text, "parse_mode": "HTML"}
    return build_multipart_request(f"{bot_url}/sendPhoto", fields, "photo", png, delivery_id)


def read_retry_after_s(answer: OutboundAnswer) -> int | None:
    """Return how many seconds Telegram asks to wait, from the body of its response."""
    try:
        return msgspec.json.decode(answer.body, type=_ErrorBody).parameters.retry_after
    except msgspec.DecodeError:
        return None


class _RetryParameters(msgspec.Struct):
    retry_after: int | None = None


class _ErrorBody(msgspec.Struct):
    parameters: _RetryParameters = msgspec.field(default_factory=_RetryParameters)


def _build_html(message: AlertMessage) -> str:
    wording = describe_message(message)
    lines = [
        f"<b>{_escape_truncated(wording.headline, _MAX_HEADLINE_LENGTH)}</b>",
        _escape_truncated(wording.sentence, _MAX_SENTENCE_LENGTH),
        "",
        *(f"{name}: {_escape_truncated(value, _MAX_FACT_LENGTH)}" for name, value in wording.facts),
        "",
        f'<a href="{escape_text(message.url, escape_markup).replace(chr(34), "%22")}">Open the alert</a>',
    ]
    return "\n".join(lines)


def _escape_truncated(text: str, max_utf16_units: int) -> str:
    return escape_text(truncate(neutralize_links(text), max_utf16_units), escape_markup)
