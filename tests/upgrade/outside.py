"""Those whom a server of the fixture tells, and the settings by which it finds them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.servers.mailbox import Mailbox
from harness.servers.receiver import Answer, Received, Receiver
from harness.servers.server import Server
from harness.servers.wall_clock import WallClock

HOOK, TELEGRAM = "/hook", "/bot123456:harbor-token/"
"""How the paths of the webhook and of Telegram begin."""

LATER = "451 try again later"

SETTINGS = {
    "open_signup": "true",
    "base_url": "http://tally.example.com",
    "trusted_proxies": "127.0.0.0/8",
    "outbound_allow": "127.0.0.0/8",
    "outbound_http": "true",
    "mail_from": "Tallyroom <noreply@example.com>",
}
"""Those of every server of the fixture; one that tells somebody has further ones."""


@dataclass
class Outside:
    """A web server, which is Telegram's, too, and a mail server."""

    receiver: Receiver
    mailbox: Mailbox

    @property
    def settings(self) -> dict[str, str]:
        """Those by which a server tells them."""
        smtp = f"smtp://127.0.0.1:{self.mailbox.port}?starttls=never"
        return {"telegram_url": self.receiver.url, "smtp_url": smtp}

    def refuse(self) -> None:
        """Take nothing from now on, but say that it may be tried again."""
        self.receiver.otherwise = Answer(503)
        self.mailbox.refusals = [LATER] * 10_000

    def told(self, path: str) -> list[Received]:
        """What arrived at a path."""
        return [request for request in self.receiver.requests if request.path.startswith(path)]

    def mails(self, address: str) -> list[tuple[str, str]]:
        """Subject and text of the mails to an address."""
        letters = [letter for letter in self.mailbox.letters if letter["to"] == address]
        return [(str(letter["subject"]), letter.get_body(("plain",)).get_content()) for letter in letters]  # type: ignore[union-attr] # each has a text


@contextmanager
def outside() -> Iterator[Outside]:
    """Both servers."""
    with Receiver().running() as receiver, Mailbox().running() as mailbox:
        yield Outside(receiver, mailbox)


def to_serve(data: Path, clock: WallClock, dsn: str = "", **settings: Any) -> Server:
    """A server on a data directory, whose metadata are in a PostgreSQL database if `dsn` names one."""
    return Server(data, clock=clock, servers={"db_dsn": dsn} if dsn else {}, **SETTINGS | settings)


@contextmanager
def serving(data: Path, clock: WallClock, dsn: str = "", **settings: Any) -> Iterator[Server]:
    """A server on a data directory that has started."""
    server = to_serve(data, clock, dsn, **settings).start()
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()
