"""What travels encrypted, and what does not travel at all."""

import ssl
from collections.abc import Callable
from typing import Any

import pytest

from harness.servers.mailbox import Mailbox
from harness.stores.mail_posting import Posting

MakeMailbox = Callable[..., Mailbox]
MakeMailer = Callable[[str], Posting]
Losses = Callable[[], list[dict[str, Any]]]

TEXT = "Open https://stats.example.com/reset?token=trr_0123456789"


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_letter_travels_encrypted(
    make_mailbox: MakeMailbox,
    make_mailer: MakeMailer,
    certificate: ssl.SSLContext,
    trust: None,
    at_once: bool,
) -> None:
    mailbox = make_mailbox(tls=certificate, at_once=at_once, account=("me@example.com", "p/w:@"))
    scheme = "smtps" if at_once else "smtp"
    mailer = make_mailer(f"{scheme}://me%40example.com:p%2Fw%3A%40@127.0.0.1:{mailbox.port}")
    await mailer.post("you@example.com", "s", TEXT)
    await mailer.close()
    assert mailbox.encrypted == [True]


async def test_encryption_is_taken_when_it_is_offered(
    make_mailbox: MakeMailbox, make_mailer: MakeMailer, certificate: ssl.SSLContext, trust: None
) -> None:
    mailbox = make_mailbox(tls=certificate)
    mailer = make_mailer(f"smtp://127.0.0.1:{mailbox.port}")
    await mailer.post("you@example.com", "s", TEXT)
    await mailer.close()
    assert mailbox.encrypted == [True]


async def test_a_password_never_travels_in_clear(
    make_mailbox: MakeMailbox, make_mailer: MakeMailer, losses: Losses
) -> None:
    mailbox = make_mailbox(account=("me", "secret"))
    mailer = make_mailer(f"smtp://me:secret@127.0.0.1:{mailbox.port}")
    await mailer.post("you@example.com", "s", TEXT)
    await mailer.close()
    assert (mailbox.letters, mailbox.attempts) == ([], 0)
    assert "STARTTLS" in losses()[0]["reason"]


async def test_the_operator_may_do_without(make_mailbox: MakeMailbox, make_mailer: MakeMailer) -> None:
    mailbox = make_mailbox(account=("me", "secret"))
    mailer = make_mailer(f"smtp://me:secret@127.0.0.1:{mailbox.port}?starttls=never")
    await mailer.post("you@example.com", "s", TEXT)
    await mailer.close()
    assert mailbox.encrypted == [False]


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
async def test_a_certificate_of_nobody_is_not_believed(
    make_mailbox: MakeMailbox,
    make_mailer: MakeMailer,
    certificate: ssl.SSLContext,
    losses: Losses,
    scheme: str,
) -> None:
    mailbox = make_mailbox(tls=certificate, at_once=scheme == "smtps")
    mailer = make_mailer(f"{scheme}://127.0.0.1:{mailbox.port}")
    await mailer.post("you@example.com", "s", TEXT)
    await mailer.close()
    assert mailbox.letters == []
    assert "certificate verify failed" in losses()[0]["reason"]


async def test_a_wrong_password_is_told_once(
    make_mailbox: MakeMailbox,
    make_mailer: MakeMailer,
    certificate: ssl.SSLContext,
    trust: None,
    losses: Losses,
    caplog: pytest.LogCaptureFixture,
) -> None:
    mailbox = make_mailbox(tls=certificate, account=("me", "secret"))
    mailer = make_mailer(f"smtp://me:mistaken@127.0.0.1:{mailbox.port}")
    await mailer.post("you@example.com", "s", TEXT)
    await mailer.close()
    assert len(losses()) == 1
    assert "535" in losses()[0]["reason"]
    assert not any("mistaken" in str(record.__dict__) for record in caplog.records)
