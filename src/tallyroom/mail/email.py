"""Hands letters in at the mail server, few at once (rules/people#mail)."""

import asyncio
import logging
import ssl

from tallyroom.core.clock import Clock
from tallyroom.core.ids import Ids
from tallyroom.core.log import LETTERS
from tallyroom.core.mail_server import MailServer
from tallyroom.mail.errors import NotTaken
from tallyroom.mail.message import Letter, compose

_AT_ONCE = 2  # mail servers admit few connections of one client

_letters = logging.getLogger(LETTERS)


class Mailer:
    """Sends letters; without a mail server it writes them to the log, where the operator finds them.

    A mailer belongs to one event loop.

    Args:
        server: the mail server; None if there is none.
        clock: gives the dates of letters.
        ids: makes the ids of letters.
    """

    def __init__(self, server: MailServer | None, clock: Clock, ids: Ids) -> None:
        self._server = server
        self._clock = clock
        self._ids = ids
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._trusted = ssl.create_default_context() if server else None

    @property
    def has_server(self) -> bool:
        """Whether there is a mail server."""
        return self._server is not None

    async def send(self, letter: Letter) -> None:
        """Try once to send a letter, and wait for the result; it is the caller's to try again.

        Raises:
            NotNow: the mail server did not take it, but another attempt may succeed.
            NotTaken: it refused the letter for good, or there is no mail server, and the log has the letter.
        """
        if self._server is None:
            _log_unsent(letter)
            raise NotTaken("TALLYROOM_SMTP_URL is not set, so the mail was written to the log")
        await self._hand_in(letter, self._server)

    async def _hand_in(self, letter: Letter, server: MailServer) -> None:
        from tallyroom.mail.smtp import hand_in  # noqa: PLC0415 # only where a server is set

        try:
            message = compose(letter, server.sender, self._clock, self._ids)
        except ValueError as error:
            raise NotTaken(str(error)) from error
        async with self._slots:
            await hand_in(message, server, self._trusted)


def _log_unsent(letter: Letter) -> None:
    facts = {"to": letter.to, "subject": letter.subject, "text": letter.text}
    _letters.warning("TALLYROOM_SMTP_URL is not set: this mail was not sent", extra=facts)
