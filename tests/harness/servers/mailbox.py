"""A real mail server on a free port that keeps what is handed in, in a thread of its own."""

import asyncio
import ssl
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTPUTF8
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from harness.suite.patience import PATIENCE


class Mailbox:
    """What arrived, and how the server is to answer.

    Args:
        tls: certificate; without one there is no TLS.
        at_once: TLS from the first byte, not by STARTTLS.
        account: user name and password that the server insists on.
        host: the address on which it listens.
    """

    def __init__(
        self,
        *,
        tls: ssl.SSLContext | None = None,
        at_once: bool = False,
        account: tuple[str, str] | None = None,
        host: str = "127.0.0.1",
    ) -> None:
        self.host = host
        self.letters: list[EmailMessage] = []
        self.envelopes: list[Envelope] = []
        self.encrypted: list[bool] = []
        self.refusals: list[str] = []
        """Answers to the next letters, before any is taken."""
        self.most_at_once = 0
        self.port = 0
        self.attempts = 0
        self._at_once = 0
        self._tls = tls
        self._tls_first = at_once
        self._account = account

    def arrives(self, number: int = 1, seconds: float = PATIENCE) -> EmailMessage:
        """The `number`-th letter, as soon as it is there."""
        deadline = time.monotonic() + seconds
        while len(self.letters) < number:
            assert time.monotonic() < deadline, f"{len(self.letters)} letters arrived"
            time.sleep(0.01)
        return self.letters[number - 1]

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 # its name
        self.attempts += 1
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        await asyncio.sleep(0.01)
        self._at_once -= 1
        if self.refusals:
            return self.refusals.pop(0)
        assert isinstance(envelope.content, bytes)
        self.envelopes.append(envelope)
        self.encrypted.append(session.ssl is not None or self._tls_first)
        self.letters.append(message_from_bytes(envelope.content, policy=SMTPUTF8))
        return "250 taken"

    @contextmanager
    def running(self) -> Iterator["Mailbox"]:
        """Serve for as long as the block lasts."""
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever)
        thread.start()
        server = asyncio.run_coroutine_threadsafe(self._listen(loop), loop).result(10)
        try:
            yield self
        finally:
            asyncio.run_coroutine_threadsafe(_end(server), loop).result(10)
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    async def _listen(self, loop: asyncio.AbstractEventLoop) -> asyncio.Server:
        first = self._tls if self._tls_first else None
        server = await loop.create_server(lambda: self._connection(loop), self.host, self.port, ssl=first)
        self.port = server.sockets[0].getsockname()[1]
        return server

    def _connection(self, loop: asyncio.AbstractEventLoop) -> SMTP:
        options: dict[str, Any] = {}
        if self._account:
            options = {
                "authenticator": self._know,
                "auth_required": True,
                "auth_require_tls": self._tls is not None and not self._tls_first,
            }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of what a test is about: a password without TLS
            return SMTP(
                self,
                hostname="localhost",
                loop=loop,
                tls_context=None if self._tls_first else self._tls,
                enable_SMTPUTF8=True,
                **options,
            )

    def _know(self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: Any) -> AuthResult:
        assert self._account is not None
        name, password = self._account
        right = isinstance(data, LoginPassword) and data == LoginPassword(name.encode(), password.encode())
        return AuthResult(success=right, handled=right)  # unhandled: the server finds the words of a refusal


async def _end(server: asyncio.Server) -> None:
    server.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await server.wait_closed()
