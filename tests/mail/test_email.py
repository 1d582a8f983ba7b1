"""Letters reach a real mail server, and nobody waits for them."""

import logging
from collections.abc import Callable
from typing import Any

import pytest

from harness.servers.mailbox import Mailbox
from harness.stores.mail_posting import Posting
from tallyroom.core.errors import ValidationFailed
from tallyroom.mail import outbox as mail_outbox

MakeMailbox = Callable[..., Mailbox]
MakeMailer = Callable[[str], Posting]
Losses = Callable[[], list[dict[str, Any]]]

TEXT = "Open https://stats.example.com/reset?token=trr_0123456789"


async def test_a_letter_arrives(make_mailbox: MakeMailbox, make_mailer: MakeMailer) -> None:
    mailbox = make_mailbox()
    mailer = make_mailer(f"smtp://127.0.0.1:{mailbox.port}")
    await mailer.post("you@example.com", "Your invitation", TEXT)
    await mailer.close()
    [letter] = mailbox.letters
    assert (str(letter["to"]), str(letter["subject"])) == ("you@example.com", "Your invitation")
    assert letter.get_content().strip() == TEXT
    assert (mailbox.envelopes[0].mail_from, mailbox.envelopes[0].rcpt_tos) == (
        "noreply@example.com",
        ["you@example.com"],
    )
    assert mailbox.encrypted == [False]


async def test_the_envelope_has_the_one_address(make_mailbox: MakeMailbox, make_mailer: MakeMailer) -> None:
    mailbox = make_mailbox()
    mailer = make_mailer(f"smtp://127.0.0.1:{mailbox.port}")
    await mailer.post("evil@example.com,you@example.com", "s", TEXT)
    await mailer.post("Möwe@example.com", "s", TEXT)
    await mailer.close()
    found = sorted(address for envelope in mailbox.envelopes for address in envelope.rcpt_tos)
    assert found == ['"evil@example.com,you"@example.com', "Möwe@example.com"]


async def test_a_server_that_says_later_is_asked_again(make_mailbox: MakeMailbox, make_mailer: MakeMailer) -> None:
    mailbox = make_mailbox()
    mailbox.refusals = ["451 greylisted", "421 busy"]
    mailer = make_mailer(f"smtp://127.0.0.1:{mailbox.port}")
    await mailer.post("you@example.com", "s", TEXT)
    await mailer.close()
    assert (len(mailbox.letters), mailbox.attempts) == (1, 3)


async def test_a_server_that_says_no_is_not_asked_again(
    make_mailbox: MakeMailbox, make_mailer: MakeMailer, losses: Losses
) -> None:
    mailbox = make_mailbox()
    mailbox.refusals = ["554 no"]
    mailer = make_mailer(f"smtp://127.0.0.1:{mailbox.port}")
    await mailer.post("you@example.com", "s", TEXT)
    await mailer.close()
    assert (mailbox.letters, mailbox.attempts) == ([], 1)
    assert losses() == [{"to": "you@example.com", "reason": "554 no"}]


async def test_a_server_that_is_away_is_asked_a_few_times(
    make_mailbox: MakeMailbox, make_mailer: MakeMailer, caplog: pytest.LogCaptureFixture
) -> None:
    with Mailbox().running() as gone:
        port = gone.port
    mailer = make_mailer(f"smtp://127.0.0.1:{port}")
    await mailer.post("you@example.com", "s", TEXT)
    await mailer.close()
    *waits, lost = [record.message for record in caplog.records]
    assert (set(waits), lost) == ({"an email is waiting for another attempt"}, "an email was lost")
    assert 5 < len(waits) < 20
    assert not any("trr_" in str(record.__dict__) for record in caplog.records)


async def test_an_address_that_can_have_no_mail_is_noted(make_mailer: MakeMailer, losses: Losses) -> None:
    mailer = make_mailer("smtp://127.0.0.1:1")
    await mailer.post("you@a>b", "s", TEXT)
    await mailer.close()
    assert losses() == [{"to": "you@a>b", "reason": "emails cannot be sent to this address"}]


@pytest.mark.parametrize("url", ["", "smtp://127.0.0.1:1"])
@pytest.mark.parametrize(
    ("to", "subject"), [("a@example.com\r\nBcc: b@example.com", "s"), ("a@example.com", "s\nBcc: b@example.com")]
)
async def test_a_header_cannot_be_slipped_in(
    make_mailer: MakeMailer, caplog: pytest.LogCaptureFixture, url: str, to: str, subject: str
) -> None:
    mailer = make_mailer(url)
    with pytest.raises(ValidationFailed):
        await mailer.post(to, subject, TEXT)
    await mailer.close()
    assert caplog.records == []


async def test_without_a_mail_server_the_log_has_the_letter(
    make_mailer: MakeMailer, caplog: pytest.LogCaptureFixture
) -> None:
    mailer = make_mailer("")
    await mailer.post("you@example.com", "Your invitation", TEXT)
    assert caplog.records == [], "whatever causes it may fail yet"
    await mailer.close()
    [record] = caplog.records
    assert (record.levelno, record.name) == (logging.WARNING, "tallyroom.letters")
    found = record.__dict__
    assert (found["to"], found["subject"], found["text"]) == ("you@example.com", "Your invitation", TEXT)


@pytest.mark.long
async def test_few_connections_and_many_letters(make_mailbox: MakeMailbox, make_mailer: MakeMailer) -> None:
    mailbox = make_mailbox()
    mailer = make_mailer(f"smtp://127.0.0.1:{mailbox.port}")
    for number in range(20):
        await mailer.post(f"you{number}@example.com", "s", TEXT)
    await mailer.close()
    assert sorted(str(letter["to"]) for letter in mailbox.letters) == sorted(
        f"you{number}@example.com" for number in range(20)
    )
    assert mailbox.most_at_once <= 2


async def test_not_more_than_so_many_wait(
    make_mailer: MakeMailer, losses: Losses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_outbox, "MAX_WAITING_MAILS", 3)
    mailer = make_mailer("smtp://127.0.0.1:1")
    for number in range(5):
        await mailer.post(f"you{number}@example.com", "s", TEXT)
    assert [each["to"] for each in losses()] == ["you3@example.com", "you4@example.com"]
