"""One mail for many recipients, no larger than mail programs show (rules/digests#email)."""

import re
from collections.abc import Sequence
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

import pytest

from harness.browser.mail_page import MailPage
from harness.builders.digest_mails import HEAD
from harness.builders.rich_mail import CARDS, build_rich_digest
from tallyroom.core.ids import IdGenerator
from tallyroom.dashboards.mail.contents import MailChart, MailNote, MailTable, ThemedPicture, WidgetPart
from tallyroom.digests.mail.html import MAX_ROWS_BYTES
from tallyroom.digests.mail.message import RenderedDigest
from tallyroom.mail.message import compose_email

PNG, DARK_PNG = b"\x89PNG\r\n\x1a\n", b"\x89PNG\r\n\x1a\ndark"
CHART = ThemedPicture("chart1", "chart1dark")
CLIPPED_BYTES = 102_000
"""The size at which Gmail cuts a mail off."""
URL = "https://stats.example.com/unsubscribe/x"


def made(parts: Sequence[WidgetPart], subject: str = "Shop: 13 – 20 Nov 2026", **pictures: bytes) -> RenderedDigest:
    return RenderedDigest(subject, HEAD, parts, pictures)


def read(mail: RenderedDigest, clock: Any) -> EmailMessage:
    """A mail as its reader gets it."""
    sender = Address("Tallyroom", "noreply", "stats.example.com")
    message = compose_email(mail.build_message("ann@example.com", "digest.1", URL), sender, clock, IdGenerator(clock))
    found: EmailMessage = message_from_bytes(message.as_bytes(), _class=EmailMessage, policy=SMTP)
    return found


def test_the_structure_of_a_mail(fake_clock: Any) -> None:
    mail = read(made([WidgetPart("Views", [MailChart("1 to 2", CHART)])], chart1=PNG, chart1dark=DARK_PNG), fake_clock)
    types = [part.get_content_type() for part in mail.walk()]
    assert types == ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png", "image/png"]
    [html] = [part for part in mail.walk() if part.get_content_type() == "text/html"]
    pngs = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert MailPage(html.get_content()).of("img", "src") == ["cid:chart1", "cid:chart1dark"]
    assert [(png["content-id"], png.get_content(), png.get_content_disposition()) for png in pngs] == [
        ("<chart1>", PNG, "inline"),
        ("<chart1dark>", DARK_PNG, "inline"),
    ]
    assert mail["message-id"] == "<digest.1@stats.example.com>"
    assert mail["list-unsubscribe"] == f"<{URL}>"
    assert max(len(line) for line in mail.as_bytes().splitlines()) <= 998


@pytest.mark.parametrize(
    "subject",
    ["=?utf-8?q?Hello?=", "x =?utf-8?b?YWJj?= y", "=?", "Größe 🫖 مجاني", "<b>", "a" * 150, "=?utf-8?q?x?= 🫖" * 20],
)
def test_a_subject_arrives_as_typed(fake_clock: Any, subject: str) -> None:
    assert str(read(made([], subject), fake_clock)["subject"]) == subject


def test_a_mail_that_would_be_cut_off_says_what_is_on_the_dashboard() -> None:
    parts = [WidgetPart(f"Widget {number}", [MailNote("long " * 2000)]) for number in range(20)]
    letter = made(
        [*parts, WidgetPart("Last", [MailChart("words", CHART)])], chart1=PNG, chart1dark=DARK_PNG
    ).build_message("a@b.c", "d", URL)
    assert letter.html is not None
    assert len(letter.html.encode()) < MAX_ROWS_BYTES + 12_000
    shown = MailPage(letter.html).text
    assert "Widget 7" in shown
    assert "13 more widgets on the dashboard" in shown
    assert "Widget 19" in letter.text
    assert letter.pictures == []


def test_thirty_cards_of_all_kinds_fit_into_a_mail() -> None:
    letter = build_rich_digest((CARDS * 3)[:30]).build_message("a@b.c", "d", URL)
    assert letter.html is not None
    assert len(letter.html.encode()) < CLIPPED_BYTES
    assert "\n2 more widgets on the dashboard" in letter.text
    assert ">2 more widgets on the dashboard<" in letter.html
    assert MailPage(letter.html).text.count("Newest orders") == 2
    assert len(letter.pictures) == 16


@pytest.mark.parametrize("label", ["&" * 80, "🫖" * 80, "a" * 80])
def test_thirty_lists_of_the_longest_labels_are_cut_to_what_fits(label: str) -> None:
    table = MailTable(
        ("plan", "Count", "Share"), [(label, "1", "9 %")] * 10, (False, True, True), [1.0] * 10, has_head=False
    )
    letter = made([WidgetPart(label, [table], 6)] * 30).build_message("a@b.c", "d", URL)
    assert letter.html is not None
    assert MAX_ROWS_BYTES / 2 < len(letter.html.encode()) < CLIPPED_BYTES
    shown = MailPage(letter.html)
    left_out = re.search(r"(\d+) more widgets on the dashboard", shown.text)
    assert left_out is not None
    assert len(shown.of("h2", "dir")) + int(left_out[1]) == 30


def test_in_a_browser_the_pictures_are_in_the_page() -> None:
    page = made([WidgetPart("Views", [MailChart("1 to 2", CHART)])], chart1=PNG, chart1dark=DARK_PNG).render_page(URL)
    assert MailPage(page).of("img", "src") == [
        "data:image/png;base64,iVBORw0KGgo=",
        "data:image/png;base64,iVBORw0KGgpkYXJr",
    ]
