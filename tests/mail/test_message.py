"""One letter goes to one mailbox, and its headers hold what they were told."""

from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

import pytest

from tallyroom.core.ids import IdGenerator
from tallyroom.mail.message import MailMessage, compose_email, has_control_characters, parse_mailbox

SENDER = Address("Tallyroom", "noreply", "stats.example.com")


def read(clock: Any, to: str = "you@example.com", subject: str = "s", text: str = "t") -> Any:
    """The letter as its reader gets it."""
    message = compose_email(MailMessage(to, subject, text), SENDER, clock, IdGenerator(clock))
    return message_from_bytes(message.as_bytes(), _class=EmailMessage, policy=SMTP)


def test_a_letter_has_its_headers(fake_clock: Any) -> None:
    letter = read(fake_clock, subject="Grüße aus dem Büro", text="Erste Zeile\n\nhttps://x.example/?a=b&c=d\n")
    assert str(letter["from"]) == "Tallyroom <noreply@stats.example.com>"
    assert str(letter["to"]) == "you@example.com"
    assert str(letter["subject"]) == "Grüße aus dem Büro"
    assert str(letter["date"]) == "Fri, 20 Nov 2026 12:00:00 +0000"
    assert str(letter["message-id"]).endswith("@stats.example.com>")
    assert letter["auto-submitted"] == "auto-generated"
    assert letter.get_content_type() == "text/plain"
    assert letter.get_content().splitlines() == ["Erste Zeile", "", "https://x.example/?a=b&c=d"]


def test_a_long_link_comes_out_whole(fake_clock: Any) -> None:
    link = "https://analytics.example.com/reset?token=trr_" + "x" * 200
    assert read(fake_clock, text=f"Open\n\n{link}\n").get_content().splitlines()[2] == link


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("you@example.com", "you@example.com"),
        ("a+b@example.com", "a+b@example.com"),
        ("you@münchen.example", "you@xn--mnchen-3ya.example"),
        ("you@[192.0.2.1]", "you@[192.0.2.1]"),
        ("you@localhost", "you@localhost"),
        ("a,b@example.com", '"a,b"@example.com'),
        ("a<b@example.com", '"a<b"@example.com'),
        ('a"b@example.com', '"a\\"b"@example.com'),
        ("a;b:c(d)@example.com", '"a;b:c(d)"@example.com'),
    ],
)
def test_an_address_is_one_mailbox(fake_clock: Any, text: str, written: str) -> None:
    assert parse_mailbox(text).addr_spec == written
    [found] = read(fake_clock, to=text)["to"].addresses
    assert found.addr_spec == written


@pytest.mark.parametrize(
    "text",
    [
        "",
        "you",
        "@example.com",
        "you@",
        "you@a>b",
        "you@a,b",
        "you@a b",
        "you@-",
        "you@a..b",
        "you@" + "x" * 70,
        "a@[x]",
    ],
)
def test_no_mail_goes_where_none_can(text: str) -> None:
    with pytest.raises(ValueError, match="emails cannot be sent to this address"):
        parse_mailbox(text)


@pytest.mark.parametrize(
    "character", ["\r", "\n", "\r\n", "\0", "\t", "\x7f", "\x85", "\u2028", "\u2029", "\x0b", "\x1c"]
)
def test_control_characters_are_seen(character: str) -> None:
    assert has_control_characters(f"a{character}Bcc: b@example.com")


def test_other_characters_are_none() -> None:
    assert not has_control_characters("Ärger, “quoted” – 🗝 a\u00a0b")


@pytest.mark.parametrize(
    "subject",
    [
        "",
        " a ",
        "a  b",
        "=?utf-8?q?x?=",
        "a =?utf-8?b?QmNj?= b",
        "x=?utf-8?q?y?=z",
        "=?utf-8?q?x?= ü",
        "=?utf-8?q?x?= " + "long " * 30 + "x",
        "ü" * 200 + " =?utf-8?q?x?=",
        "Grüße aus dem  Büro – und noch viel mehr Grüße – und noch viel mehr, für uns",
        "a" * 300,
        "🗝" * 100,
        "a: b, <c>; d",
    ],
)
def test_a_subject_stays_as_it_was_typed(fake_clock: Any, subject: str) -> None:
    letter = read(fake_clock, subject=subject)
    assert str(letter["subject"]) == subject
    assert letter.keys() == read(fake_clock).keys()
    assert max(map(len, letter.as_bytes().splitlines())) <= 78


def test_a_subject_takes_no_control_characters(fake_clock: Any) -> None:
    with pytest.raises(ValueError, match="control characters"):
        read(fake_clock, subject="a\r\nBcc: evil@example.com")
