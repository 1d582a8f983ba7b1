"""A message for a webhook, signed as in Standard Webhooks (rules/alerts#webhook)."""

from base64 import b64encode
from typing import Any, Literal

import msgspec
from standardwebhooks import Webhook

from tallyroom.alerts.channel_types.message import AlertMessage, MessageType
from tallyroom.core.fetch.messages import OutboundRequest
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import datetime_from_ms

SECRET_PREFIX = "whsec_"  # noqa: S105 # what every secret begins with
_SECRET_BYTES = 32


class WebhookRecord(msgspec.Struct, rename="camel"):
    """The alert, as a webhook receives it."""

    alert_id: str
    name: str
    severity: Literal["warning", "critical"]
    environment: str
    event: str | None
    measure: str | None
    property: str | None
    formula: dict[str, Any] | None
    condition: str
    threshold: int | float | None
    value: int | float | None
    window_minutes: int
    fired_at: str
    resolved_at: str | None
    no_data_since: str | None
    url: str


class WebhookBody(msgspec.Struct):
    """The body of a webhook; `timestamp` is the moment of the beat, not of the attempt to deliver it."""

    type: MessageType
    timestamp: str
    data: WebhookRecord


def generate_secret(id_generator: IdGenerator) -> str:
    """Generate a secret to sign webhooks with."""
    return SECRET_PREFIX + b64encode(id_generator.random_bytes(_SECRET_BYTES)).decode()


def build_webhook_request(
    url: str, secret: str, message: AlertMessage, delivery_id: str, now_ms: int
) -> OutboundRequest:
    """Return the signed request; `delivery_id` is the same in each attempt, `now_ms` is the time of this attempt."""
    message_fields = msgspec.structs.asdict(message)
    record = WebhookRecord(**{name: message_fields[name] for name in WebhookRecord.__struct_fields__})
    body = msgspec.json.encode(WebhookBody(message.type, message.timestamp, record))
    attempt_time = datetime_from_ms(now_ms)
    headers = {
        "content-type": "application/json",
        "webhook-id": delivery_id,
        "webhook-timestamp": str(now_ms // 1000),
        "webhook-signature": Webhook(secret).sign(delivery_id, attempt_time, body.decode()),
    }
    return OutboundRequest(url=url, method="POST", headers=headers, body=body)
