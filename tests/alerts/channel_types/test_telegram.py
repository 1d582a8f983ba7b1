"""The text of each message, and names that do nothing in it (rules/alerts#message-content)."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from harness.builders.alert_messages import HOSTILE, URL, a_message, short
from harness.servers.receiver import Received
from tallyroom.alerts.channel_types.telegram import build_telegram_request, read_retry_after_s
from tallyroom.core.fetch.messages import OutboundAnswer

API = "https://api.telegram.org"
ADDRESS = "123456:AbC-dEf/-1001234567890"
LINK = f'<a href="{URL}">Open the alert</a>'


def sent(**fields: Any) -> Any:
    request = build_telegram_request(API, ADDRESS, a_message(**fields), None, "delivery-1")
    assert request.url == "https://api.telegram.org/bot123456:AbC-dEf/sendMessage"
    assert (request.method, request.headers) == ("POST", {"content-type": "application/json"})
    return json.loads(request.body)


@pytest.mark.parametrize(
    ("type_", "headline", "sentence", "more"),
    [
        ("alert.fired", "Fired", "signup count is 120, above 100, over the last 60 minutes.", []),
        (
            "alert.reminder",
            "Still firing",
            "signup count is 140.5, above 100, over the last 60 minutes.",
            ["Firing for: 2 hours 5 minutes"],
        ),
        (
            "alert.nodata",
            "No data",
            "signup count has no value over the last 60 minutes. The incident stays open.",
            ["No data since: 20 Nov 2026, 12:20 UTC", "Firing for: 35 minutes"],
        ),
        (
            "alert.resolved",
            "Resolved",
            "signup count is 80, no longer above 100, over the last 60 minutes.",
            ["Lasted: 35 minutes"],
        ),
        (
            "test",
            "Test",
            "This is only a test. An alert would say: signup count is 120, above 100, over the last 60 minutes.",
            [],
        ),
    ],
)
def test_each_type_of_message(type_: str, headline: str, sentence: str, more: list[str]) -> None:
    severity = "Warning" if type_ == "test" else "Critical"
    facts = [f"Severity: {severity}", "Environment: production", "Fired at: 20 Nov 2026, 12:00 UTC", *more]
    assert sent(type_=type_) == {
        "chat_id": "-1001234567890",
        "text": "\n".join([f"<b>{headline}: Too many sign-ups</b>", sentence, "", *facts, "", LINK]),
        "parse_mode": "HTML",
        "link_preview_options": {"is_disabled": True},
    }


def test_a_picture_has_the_text_below_it() -> None:
    request = build_telegram_request(
        "https://bots.example.com:8443", "1:a/@channel", a_message(), b"\x89PNG", "delivery-1"
    )
    assert request.url == "https://bots.example.com:8443/bot1:a/sendPhoto"
    parts = Received("", request.headers, request.body).parts
    assert parts == {
        "chat_id": b"@channel",
        "caption": sent()["text"].encode(),
        "parse_mode": b"HTML",
        "photo": b"\x89PNG",
    }


class Shown(HTMLParser):
    """The text that Telegram shows, and the tags in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[Any] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("type_", ["alert.fired", "alert.reminder", "alert.nodata", "alert.resolved", "test"])
@pytest.mark.parametrize("name", HOSTILE, ids=short)
def test_names_do_nothing(name: str, type_: str) -> None:
    shown = Shown(sent(type_=type_, name=name, event=name, environment=name)["text"])
    assert shown.tags == [("b", {}), ("a", {"href": URL})]
    assert not re.search("@\\w|\\]\\(|[\r\u202e\u2066]", shown.text)
    assert len(shown.text.encode("utf-16-le")) <= 2 * 1024


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        (b'{"ok":false,"error_code":429,"description":"x","parameters":{"retry_after":17}}', 17),
        (b'{"ok":false}', None),
        (b'{"parameters":{"retry_after":"x"}}', None),
        (b"<html>", None),
        (b"", None),
    ],
)
def test_how_long_it_wants_to_be_left_alone(body: bytes, seconds: int | None) -> None:
    answer = OutboundAnswer(status=429, content_type="application/json", retry_after_seconds=None, body=body)
    assert read_retry_after_s(answer) == seconds
