"""A mail server and a mailer that hands in there."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from ipaddress import ip_network
from typing import Any

import pytest
import trustme
from cryptography.fernet import Fernet

from harness.servers.mailbox import Mailbox
from harness.servers.receiver import Receiver
from harness.stores.mail_posting import Posting
from tallyroom.core.fetch.fetcher import GuardedFetcher
from tallyroom.core.fetch.rules import OutboundRules
from tallyroom.core.ids import IdGenerator
from tallyroom.core.mail_server import read_mail_server
from tallyroom.core.vault import Vault
from tallyroom.mail.email import Mailer
from tallyroom.storage.metadata.connection import Database

MakeMailbox = Callable[..., Mailbox]
MakeMailer = Callable[[str], Posting]
Losses = Callable[[], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def certificate(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return context


@pytest.fixture
def trust(authority: trustme.CA, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an operator makes the server trust their own authority."""
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))


@pytest.fixture
def make_mailbox() -> Iterator[MakeMailbox]:
    with ExitStack() as running:
        yield lambda **options: running.enter_context(Mailbox(**options).running())


@pytest.fixture
def make_mailer(database: Database, fake_clock: Any) -> MakeMailer:
    """Makes senders that share one outbox, by the address of their mail server."""
    vault = Vault([Fernet.generate_key().decode()])

    def make(url: str) -> Posting:
        server = read_mail_server(url, "Tallyroom <noreply@example.com>") if url else None
        return Posting(database, Mailer(server, fake_clock, IdGenerator(fake_clock)), vault, fake_clock)

    return make


@pytest.fixture
def losses(caplog: pytest.LogCaptureFixture) -> Losses:
    """Which letters the log calls lost so far, and why."""

    def found() -> list[dict[str, Any]]:
        lost = [record.__dict__ for record in caplog.records if record.message == "an email was lost"]
        return [{"to": each["to"], "reason": each["reason"]} for each in lost]

    return found


@pytest.fixture
def receive(certificate: ssl.SSLContext, trust: None) -> Iterator[Callable[[], Receiver]]:
    """Starts servers whose certificate the fetcher trusts."""
    with ExitStack() as running:
        yield lambda: running.enter_context(Receiver(certificate).running())


@pytest.fixture
def receiver(receive: Callable[[], Receiver]) -> Receiver:
    return receive()


@pytest.fixture
def fetcher(trust: None) -> GuardedFetcher:
    """May reach the servers of the tests."""
    return GuardedFetcher(OutboundRules((ip_network("127.0.0.0/8"),)))
