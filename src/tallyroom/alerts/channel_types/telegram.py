"""A message for Telegram: a text in HTML, or a picture with that text below it."""

import msgspec

from tallyroom.alerts.channel_types.destination import chat_of
from tallyroom.alerts.channel_types.escaping import escaped, fitting, in_markup, unlinked
from tallyroom.alerts.channel_types.message import AlertMessage
from tallyroom.alerts.channel_types.multipart import multipart_request
from tallyroom.alerts.channel_types.wording import worded
from tallyroom.core.fetch.messages import OutboundAnswer, OutboundRequest

# A caption has 1,024 characters beside its markup. These leave some for the other facts.
_MAX_HEADLINE = 200
_MAX_SENTENCE = 480
_MAX_FACT = 60


def telegram_request(
    api: str, address: str, message: AlertMessage, png: bytes | None, delivery_id: str
) -> OutboundRequest:
    """Return the request that tells a chat of Telegram.

    Args:
        api: the address of the server of Telegram's bots.
        address: the destination of the channel.
        message: what to tell.
        png: the picture of the chart, if there is one.
        delivery_id: separates the parts of the request.
    """
    chat, text = chat_of(address), _html(message)
    url = f"{api}/bot{chat.token}"
    if png is None:
        body = {
            "chat_id": chat.chat_id,
            "text": text,
            "parse_mode": "HTML",
            "link_preview_options": {"is_disabled": True},
        }
        headers = {"content-type": "application/json"}
        return OutboundRequest(url=f"{url}/sendMessage", method="POST", headers=headers, body=msgspec.json.encode(body))
    fields = {"chat_id": chat.chat_id, "caption": text, "parse_mode": "HTML"}
    return multipart_request(f"{url}/sendPhoto", fields, "photo", png, delivery_id)


def wait_of(answer: OutboundAnswer) -> int | None:
    """Return how many seconds Telegram wants to be left alone, which it says in the body of its answer."""
    try:
        return msgspec.json.decode(answer.body, type=_Refused).parameters.retry_after
    except msgspec.DecodeError:
        return None


class _Wait(msgspec.Struct):
    retry_after: int | None = None


class _Refused(msgspec.Struct):
    parameters: _Wait = msgspec.field(default_factory=_Wait)


def _html(message: AlertMessage) -> str:
    wording = worded(message)
    lines = [
        f"<b>{_shown(wording.headline, _MAX_HEADLINE)}</b>",
        _shown(wording.sentence, _MAX_SENTENCE),
        "",
        *(f"{name}: {_shown(value, _MAX_FACT)}" for name, value in wording.facts),
        "",
        f'<a href="{escaped(message.url, in_markup).replace(chr(34), "%22")}">Open the alert</a>',
    ]
    return "\n".join(lines)


def _shown(text: str, most: int) -> str:
    return escaped(fitting(unlinked(text), most), in_markup)
