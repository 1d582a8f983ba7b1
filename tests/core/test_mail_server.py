"""From one URL to a connection that gives no password away."""

from email.headerregistry import Address

import pytest

from tallyroom.core.mail_server import MailServer, read_mail_server

FROM = "Tallyroom <noreply@example.com>"
SENDER = Address("Tallyroom", "noreply", "example.com")


PLAIN = MailServer(host="mail", port=587, username=None, password=None, uses_tls=False, starttls=None, sender=SENDER)
LOGIN = PLAIN._replace(username="me", password="secret", starttls=True)
TLS = PLAIN._replace(port=465, uses_tls=True, starttls=False)


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail", PLAIN),
        ("smtp://mail:25/", PLAIN._replace(port=25)),
        ("smtp://mail?starttls=required", PLAIN._replace(starttls=True)),
        ("smtp://[::1]:25?starttls=never", PLAIN._replace(host="::1", port=25, starttls=False)),
        ("smtp://me:secret@mail:2525", LOGIN._replace(port=2525)),
        ("smtp://me%40example.com:p%2Fw%3A%40@mail", LOGIN._replace(username="me@example.com", password="p/w:@")),
        ("smtp://me:secret@mail?starttls=never", LOGIN._replace(starttls=False)),
        ("smtp://me:secret@mail?starttls=offered", LOGIN._replace(starttls=None)),
        ("smtps://mail:4650", TLS._replace(port=4650)),
        ("smtps://me:secret@mail", TLS._replace(username="me", password="secret")),
    ],
)
def test_a_url_says_how_to_connect(url: str, server: MailServer) -> None:
    assert read_mail_server(url, FROM) == server


@pytest.mark.parametrize(
    "url",
    [
        "mail.example.com",
        "mail:25",
        "http://secret@mail",
        "smtp://",
        "smtp://me:secret@",
        "smtp://me:secret@mail:x",
        "smtp://me:secret@mail:99999",
        "smtp://me:secret@[mail",
        "smtp://me:secret@mail/path",
        "smtp://me:secret@mail#part",
        "smtp://me:secret@mail?starttls=maybe",
        "smtp://me:secret@mail?starttls",
        "smtp://me:secret@mail?tls=yes",
        "smtp://me:secret@mail?starttls=never&x=y",
        "smtps://me:secret@mail?starttls=never",
    ],
)
def test_a_wrong_url_is_refused_without_repeating_its_password(url: str) -> None:
    with pytest.raises(ValueError, match="TALLYROOM_SMTP_URL") as refusal:
        read_mail_server(url, FROM)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    "sender",
    [
        "",
        "noreply",
        "a@example.com, b@example.com",
        "Tallyroom <noreply>",
        "a@example.com\r\nBcc: b@example.com",
        "<@>",
    ],
)
def test_a_wrong_sender_is_refused(sender: str) -> None:
    with pytest.raises(ValueError, match="TALLYROOM_MAIL_FROM"):
        read_mail_server("smtp://mail", sender)


def test_the_sender_needs_no_name() -> None:
    assert read_mail_server("smtp://mail", "noreply@example.com").sender == Address("", "noreply", "example.com")
