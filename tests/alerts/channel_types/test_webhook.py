"""What a webhook receives, and that its receiver can verify it (rules/alerts#webhook)."""

import json
import re
from typing import Any

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from harness.builders.alert_messages import FIELDS, HOSTILE, POINTS, TYPES, URL, a_message, short
from tallyroom.alerts.channel_types.webhook import build_webhook_request, generate_secret
from tallyroom.core.clock import SystemClock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import datetime_from_ms

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ADDRESS = "https://example.com/hooks/1"


def request(message: Any, secret: str = SECRET) -> Any:
    return build_webhook_request(ADDRESS, secret, message, "delivery-1", SystemClock().now_ms())


@pytest.mark.parametrize("type_", TYPES)
def test_the_body_says_everything(type_: str) -> None:
    sent = request(a_message(type_, points=POINTS))
    fields = FIELDS | TYPES[type_]
    assert (sent.url, sent.method) == (ADDRESS, "POST")
    assert json.loads(sent.body) == {
        "type": type_,
        "timestamp": fields["timestamp"],
        "data": {
            "alertId": "019aa0b0-0000-7000-8000-000000000001",
            "name": "Too many sign-ups",
            "severity": fields["severity"],
            "environment": "production",
            "event": "signup",
            "measure": "count",
            "property": None,
            "formula": None,
            "condition": "above",
            "threshold": 100.0,
            "value": fields["value"],
            "windowMinutes": 60,
            "firedAt": "2026-11-20T12:00:00.000Z",
            "resolvedAt": fields["resolved_at"],
            "noDataSince": fields.get("no_data_since"),
            "url": URL,
        },
    }


def test_a_formula_comes_as_the_alert_has_it() -> None:
    formula = {"a": {"event": "refund", "measure": "count"}, "expression": "a * 2"}
    data = json.loads(request(a_message(event=None, measure=None, formula=formula)).body)["data"]
    assert (data["event"], data["measure"], data["property"], data["formula"]) == (None, None, None, formula)


def test_the_library_of_the_standard_verifies_it() -> None:
    sent = request(a_message())
    assert set(sent.headers) == {"content-type", "webhook-id", "webhook-timestamp", "webhook-signature"}
    assert sent.headers["content-type"] == "application/json"
    assert sent.headers["webhook-id"] == "delivery-1"
    assert Webhook(SECRET).verify(sent.body, sent.headers)["type"] == "alert.fired"
    for wrong in (
        {"webhook-id": "delivery-2"},
        {"webhook-timestamp": str(int(sent.headers["webhook-timestamp"]) + 1)},
    ):
        with pytest.raises(WebhookVerificationError):
            Webhook(SECRET).verify(sent.body, sent.headers | wrong)
    for body, secret in ((sent.body + b" ", SECRET), (sent.body, generate_secret(IdGenerator()))):
        with pytest.raises(WebhookVerificationError):
            Webhook(secret).verify(body, sent.headers)


def test_the_example_of_the_standard_gets_the_same_signature() -> None:
    body = '{"test": 2432232314}'
    assert Webhook(SECRET).sign("msg_p5jXN8AQM9LWM0D4loKWxJek", datetime_from_ms(1_614_265_330_000), body) == (
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    )


def test_whole_numbers_stay_whole() -> None:
    sent = request(a_message(threshold=100, value=2**63))
    assert b'"threshold":100,"value":9223372036854775808,' in sent.body


@pytest.mark.parametrize("name", HOSTILE, ids=short)
def test_names_arrive_as_they_are(name: str) -> None:
    sent = request(a_message(name=name))
    assert json.loads(sent.body)["data"]["name"] == name
    assert Webhook(SECRET).verify(sent.body, sent.headers)


def test_a_secret_is_256_random_bits() -> None:
    secrets = {generate_secret(IdGenerator()) for _ in range(20)}
    assert len(secrets) == 20
    assert all(re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", secret) for secret in secrets)
