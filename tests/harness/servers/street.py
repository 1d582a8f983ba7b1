"""A server, and those whom it may tell: a web server and a mail server, whose certificates it trusts."""

import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
import trustme

from harness.servers.mailbox import Mailbox
from harness.servers.receiver import Answer, Received, Receiver
from harness.servers.server import Server
from harness.suite.patience import PATIENCE


class Street(NamedTuple):
    """The servers."""

    server: Server
    receiver: Receiver
    mailbox: Mailbox

    def clear(self) -> None:
        """Forget what arrived, and answer 200 again."""
        self.receiver.requests.clear()
        self.receiver.answers.clear()
        self.receiver.otherwise = Answer()
        self.mailbox.letters.clear()

    def arrived(self, number: int) -> list[Received]:
        """The requests, as soon as there are so many."""
        deadline = time.monotonic() + PATIENCE
        while len(self.receiver.requests) < number:
            assert time.monotonic() < deadline, f"{len(self.receiver.requests)} requests arrived"
            time.sleep(0.02)
        return self.receiver.requests


@contextmanager
def open_street(folder: Path, **settings: str) -> Iterator[Street]:
    """Run all three for as long as the block lasts."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with (
        pytest.MonkeyPatch.context() as patch,
        Receiver(context).running() as receiver,
        Mailbox().running() as mailbox,
    ):
        patch.setenv("SSL_CERT_FILE", str(folder / "ca.pem"))
        own = {
            "open_signup": "true",
            "base_url": "https://tally.example.com",
            "outbound_allow": "127.0.0.0/8",
            "trusted_proxies": "127.0.0.0/8",
            "telegram_url": receiver.url,
            "smtp_url": f"smtp://127.0.0.1:{mailbox.port}",
            "mail_from": "Tallyroom <noreply@example.com>",
        }
        server = Server(folder / "data", **own | settings).start()  # type: ignore[arg-type] # all of them are texts
        yield Street(server, receiver, mailbox)
        server.stop()
