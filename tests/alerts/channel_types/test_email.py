"""The mail of each message, and names that do nothing in it (rules/alerts#message-content)."""

from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from html.parser import HTMLParser
from typing import Any

import pytest

from harness.builders.alert_messages import HOSTILE, TYPES, URL, a_message, short
from tallyroom.alerts.channel_types.email import ThemedChart, build_alert_mail
from tallyroom.core.ids import IdGenerator
from tallyroom.mail.message import compose_email

CHART = ThemedChart(b"\x89PNG\r\n\x1a\n", b"\x89PNG\r\n\x1a\ndark")


def read(clock: Any, chart: ThemedChart | None = CHART, **fields: Any) -> Any:
    """The mail as its reader gets it."""
    letter = build_alert_mail("ann@example.com", a_message(**fields), chart, "delivery-1")
    written = compose_email(
        letter, Address("Tallyroom", "noreply", "stats.example.com"), clock, IdGenerator(clock)
    ).as_bytes()
    return message_from_bytes(written, _class=EmailMessage, policy=SMTP)


class Page(HTMLParser):
    """The visible text of a page, its tags, and where its links and pictures lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self.leads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        self.leads += [value for name, value in attrs if name in {"href", "src"}]

    def handle_data(self, data: str) -> None:
        if data.strip() and self.tags[-1] not in {"style", "title"}:
            self.texts.append(data.strip())


@pytest.mark.parametrize(
    ("type_", "badge", "headline", "sentence", "more"),
    [
        ("alert.fired", "Critical", "Fired", "signup count is 120, above 100, over the last 60 minutes.", []),
        (
            "alert.reminder",
            "Critical",
            "Still firing",
            "signup count is 140.5, above 100, over the last 60 minutes.",
            ["Firing for", "2 hours 5 minutes"],
        ),
        (
            "alert.nodata",
            "No data",
            "No data",
            "signup count has no value over the last 60 minutes. The incident stays open.",
            ["No data since", "20 Nov 2026, 12:20 UTC", "Firing for", "35 minutes"],
        ),
        (
            "alert.resolved",
            "Resolved",
            "Resolved",
            "signup count is 80, no longer above 100, over the last 60 minutes.",
            ["Lasted", "35 minutes"],
        ),
        (
            "test",
            "Test",
            "Test",
            "This is only a test. An alert would say: signup count is 120, above 100, over the last 60 minutes.",
            [],
        ),
    ],
)
def test_each_type_of_message(
    fake_clock: Any, type_: str, badge: str, headline: str, sentence: str, more: list[str]
) -> None:
    mail = read(fake_clock, type_=type_)
    headline = f"{headline}: Too many sign-ups"
    severity = "Warning" if type_ == "test" else "Critical"
    facts = ["Severity", severity, "Environment", "production", "Fired at", "20 Nov 2026, 12:00 UTC", *more]
    footer = "You're receiving this email because your address is an alert channel in a Tallyroom workspace."
    assert (str(mail["to"]), str(mail["subject"])) == ("ann@example.com", headline)
    assert str(mail["message-id"]) == "<delivery-1@stats.example.com>"
    lines = [f"{name}: {value}" for name, value in zip(facts[::2], facts[1::2], strict=True)]
    assert mail.get_body(["plain"]).get_content().splitlines() == [
        headline,
        "",
        sentence,
        "",
        *lines,
        "",
        URL,
        "",
        "-- ",
        footer,
    ]
    page = Page(mail.get_body(["html"]).get_content())
    assert page.texts == [badge, headline, sentence, *facts, "Open the alert", footer]
    assert page.leads == ["cid:chart", "cid:chartdark", URL]


def test_the_chart_is_in_the_mail_in_both_themes_and_in_words(fake_clock: Any) -> None:
    pictures = [part for part in read(fake_clock).walk() if part.get_content_type() == "image/png"]
    assert [(picture["content-id"], picture.get_content()) for picture in pictures] == [
        ("<chart>", CHART.light),
        ("<chartdark>", CHART.dark),
    ]
    html = read(fake_clock).get_body(["html"]).get_content()
    words = "Chart of the value. signup count is 120, above 100, over the last 60 minutes."
    assert html.count(f'alt="{words}"') == 2
    bare = read(fake_clock, chart=None)
    assert [part.get_content_type() for part in bare.walk()] == ["multipart/alternative", "text/plain", "text/html"]
    assert Page(bare.get_body(["html"]).get_content()).leads == [URL]


@pytest.mark.parametrize("name", HOSTILE, ids=short)
def test_names_do_nothing(fake_clock: Any, name: str) -> None:
    usual, mail = read(fake_clock), read(fake_clock, name=name, event=name, environment=name)
    assert mail.keys() == usual.keys()
    pages = [Page(each.get_body(["html"]).get_content()) for each in (usual, mail)]
    assert pages[0].tags == pages[1].tags
    assert pages[0].leads == pages[1].leads
    subject = str(mail["subject"])
    assert subject.startswith("Fired: ")
    assert len(subject) <= 200
    assert [str(address) for address in mail["to"].addresses] == ["ann@example.com"]


@pytest.mark.parametrize("name", ["=?utf-8?q?Injected?=", "a =?utf-8?b?QmNj?= b", "Ärger =?utf-8?q?x?= 🔥"])
def test_a_name_that_looks_like_an_encoded_word_stays_as_it_is(fake_clock: Any, name: str) -> None:
    assert str(read(fake_clock, name=name)["subject"]) == f"Fired: {name}"


@pytest.mark.parametrize("type_", TYPES)
def test_the_page_can_be_read_in_light_and_in_dark(fake_clock: Any, type_: str) -> None:
    html = read(fake_clock, type_=type_).get_body(["html"]).get_content()
    assert "prefers-color-scheme: dark" in html
    assert "$" not in html
