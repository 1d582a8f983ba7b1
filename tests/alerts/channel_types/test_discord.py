"""The embed of each message, and names that do nothing in it (rules/alerts#message-content)."""

import json
import re
from typing import Any

import pytest

from harness.builders.alert_messages import HOSTILE, URL, a_message, short
from harness.servers.receiver import Received
from tallyroom.alerts.channel_types.discord import build_discord_request

ADDRESS = "https://discord.com/api/webhooks/1/secret"
PNG = b"\x89PNG\r\n\x1a\n--delivery-1 is not the end"


def sent(**fields: Any) -> Any:
    request = build_discord_request(ADDRESS, a_message(**fields), None, "delivery-1")
    assert (request.url, request.method, request.headers) == (ADDRESS, "POST", {"content-type": "application/json"})
    return json.loads(request.body)


@pytest.mark.parametrize(
    ("type_", "title", "description", "color", "more"),
    [
        ("alert.fired", "Fired", "signup count is 120, above 100, over the last 60 minutes.", 0xD92D20, []),
        (
            "alert.reminder",
            "Still firing",
            "signup count is 140.5, above 100, over the last 60 minutes.",
            0xD92D20,
            [("Firing for", "2 hours 5 minutes")],
        ),
        (
            "alert.nodata",
            "No data",
            "signup count has no value over the last 60 minutes. The incident stays open.",
            0x5B5B66,
            [("No data since", "20 Nov 2026, 12\\:20 UTC"), ("Firing for", "35 minutes")],
        ),
        (
            "alert.resolved",
            "Resolved",
            "signup count is 80, no longer above 100, over the last 60 minutes.",
            0x16A34A,
            [("Lasted", "35 minutes")],
        ),
        (
            "test",
            "Test",
            "This is only a test. An alert would say\\: signup count is 120, above 100, over the last 60 minutes.",
            0x5B5B66,
            [],
        ),
    ],
)
def test_each_type_of_message(type_: str, title: str, description: str, color: int, more: Any) -> None:
    severity = "Warning" if type_ == "test" else "Critical"
    facts = [("Severity", severity), ("Environment", "production"), ("Fired at", "20 Nov 2026, 12\\:00 UTC"), *more]
    assert sent(type_=type_) == {
        "embeds": [
            {
                "title": f"{title}\\: Too many sign\\-ups",
                "description": description,
                "color": color,
                "fields": [{"name": name, "value": value, "inline": True} for name, value in facts],
                "timestamp": a_message(type_).timestamp,
                "url": URL,
            }
        ],
        "allowed_mentions": {"parse": []},
    }


def test_a_warning_has_another_color() -> None:
    assert sent(severity="warning")["embeds"][0]["color"] == 0xDC8A04


def test_the_picture_is_attached() -> None:
    request = build_discord_request(ADDRESS, a_message(), PNG, "delivery-1")
    parts = Received("", request.headers, request.body).parts
    assert set(parts) == {"payload_json", "files[0]"}
    assert parts["files[0]"] == PNG
    body, bare = json.loads(parts["payload_json"]), sent()
    assert body["embeds"][0].pop("image") == {"url": "attachment://chart.png"}
    assert body.pop("attachments") == [
        {"id": 0, "filename": "chart.png", "description": "The value over the last window"}
    ]
    assert body == bare
    assert b'filename="chart.png"' in request.body


@pytest.mark.parametrize("name", HOSTILE, ids=short)
def test_names_do_nothing(name: str) -> None:
    body = sent(name=name, event=name, environment=name)
    assert body["allowed_mentions"] == {"parse": []}
    [embed] = body["embeds"]
    values = [field["value"] for field in embed["fields"]]
    for text in (embed["title"], embed["description"], *values):
        assert text
        unescaped = re.sub(r"\\[\\`*_~|#>\-+<@\[\]():]", "", text)
        assert not re.search("[\\\\`*_~|#><@\\[\\]\r\n\u202e\u2066]", unescaped)
    assert len(embed["title"].encode("utf-16-le")) <= 2 * 256
    assert len(embed["description"].encode("utf-16-le")) <= 2 * 4096
    assert all(len(value.encode("utf-16-le")) <= 2 * 1024 for value in values)
    assert len((embed["title"] + embed["description"] + "".join(values)).encode("utf-16-le")) <= 2 * 6000
