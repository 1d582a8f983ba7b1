"""The blocks of each message, and names that do nothing in them (rules/alerts#message-content)."""

import json
import re
from typing import Any

import pytest

from harness.builders.alert_messages import HOSTILE, URL, a_message, short
from tallyroom.alerts.channel_types.slack import build_slack_request

ADDRESS = "https://hooks.slack.com/services/T0/B0/secret"
PICTURE = "https://tally.example.com/custom/graph.png?data_points=[]"


def sent(picture_url: str | None = None, **fields: Any) -> Any:
    request = build_slack_request(ADDRESS, a_message(**fields), picture_url)
    assert (request.url, request.method, request.headers) == (ADDRESS, "POST", {"content-type": "application/json"})
    return json.loads(request.body)


def plain(text: str) -> Any:
    return {"type": "plain_text", "text": text, "emoji": False}


LINK = {"type": "context", "elements": [{"type": "mrkdwn", "text": f"<{URL}|Open the alert>", "verbatim": True}]}


@pytest.mark.parametrize(
    ("type_", "headline", "sentence", "facts"),
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
def test_each_type_of_message(type_: str, headline: str, sentence: str, facts: list[str]) -> None:
    severity = "Warning" if type_ == "test" else "Critical"
    facts = [f"Severity: {severity}", "Environment: production", "Fired at: 20 Nov 2026, 12:00 UTC", *facts]
    assert sent(PICTURE, type_=type_) == {
        "text": "\n".join([f"{headline}: Too many sign-ups", sentence, *facts, URL]),
        "blocks": [
            {"type": "header", "text": plain(f"{headline}: Too many sign-ups")},
            {"type": "section", "text": plain(sentence)},
            {"type": "section", "fields": [plain(fact) for fact in facts]},
            {"type": "image", "image_url": PICTURE, "alt_text": "The value over the last window"},
            LINK,
        ],
    }


def test_without_a_public_address_there_is_no_picture() -> None:
    for address in (None, "https://tally.example.com/" + "x" * 3000):
        assert [block["type"] for block in sent(address)["blocks"]] == ["header", "section", "section", "context"]


def texts(node: Any) -> list[str]:
    """Every text in the blocks that somebody may have typed."""
    if isinstance(node, dict):
        found = [node["text"]] if node.get("type") in {"plain_text", "mrkdwn"} else []
        return found + [text for child in node.values() for text in texts(child)]
    return [text for child in node for text in texts(child)] if isinstance(node, list) else []


@pytest.mark.parametrize("name", HOSTILE, ids=short)
def test_names_do_nothing(name: str) -> None:
    body = sent(name=name, event=name, environment=name)
    for text in (*texts(body["blocks"]), body["text"]):
        assert re.findall(r"<[^>]*>", text) in ([], [f"<{URL}|Open the alert>"])
        assert not re.search(r"&(?!amp;|lt;|gt;)", text)
        assert not re.search("[\r\u202e\u2066]", text)
    assert not re.search(r"@\w|\]\(", body["text"])
    assert len(body["text"]) <= 7000
    header, section, facts, _ = body["blocks"]
    assert len(header["text"]["text"]) <= 150
    assert len(section["text"]["text"]) <= 3000
    assert all(len(fact["text"]) <= 2000 for fact in facts["fields"])
    assert all(text["type"] == "plain_text" for text in (header["text"], section["text"], *facts["fields"]))


def test_a_long_name_is_cut() -> None:
    header = sent(name="x" * 200)["blocks"][0]["text"]["text"]
    assert header == "Fired: " + "x" * 142 + "…"
