"""Sends mail in the background: few connections at once, a few attempts (rules/people#mail)."""

import asyncio
import logging
import ssl
from collections.abc import Sequence

from tallyroom.core.clock import Clock
from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ids import Ids
from tallyroom.core.log import LETTERS
from tallyroom.core.mail_server import MailServer
from tallyroom.notify.errors import NotNow, NotTaken
from tallyroom.notify.letter import Letter, compose, has_control_characters

MOST_WAITING = 1000  # some kB each; a server that people use sends a handful in an hour
PAUSES = (5.0, 60.0, 600.0)  # a restart, a busy moment, greylisting; the links in mails are good for an hour and more

_AT_ONCE = 2  # mail servers admit few connections of one client

_log = logging.getLogger(__name__)
_letters = logging.getLogger(LETTERS)


class Mailer:
    """Sends letters; without a mail server it writes them to the log, where the operator finds them.

    A mailer belongs to one event loop. Nothing is stored on disk: letters that are not sent when the server stops are
    lost, and the log says so. Whoever asked for one can ask again.

    Args:
        server: the mail server; None if there is none.
        clock: gives the dates of letters.
        ids: makes the ids of letters.
        pauses: seconds between the attempts.
    """

    def __init__(self, server: MailServer | None, clock: Clock, ids: Ids, pauses: Sequence[float] = PAUSES) -> None:
        self._server = server
        self._clock = clock
        self._ids = ids
        self._pauses = pauses
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._on_their_way: set[asyncio.Task[None]] = set()
        self._trusted = ssl.create_default_context() if server else None

    def post(self, to: str, subject: str, text: str) -> None:
        """Send `text` soon; return immediately, and report the result only in the log.

        Raises:
            ValidationFailed: the address or the subject has a control character, which could begin another header.
        """
        if has_control_characters(to) or has_control_characters(subject):
            raise ValidationFailed("The address and the subject of a mail take no control characters.")
        letter = Letter(to, subject, text)
        if self._server is None:
            _log_unsent(letter)
        elif len(self._on_their_way) >= MOST_WAITING:
            _note_loss(letter, f"{MOST_WAITING} others wait")
        else:
            task = asyncio.create_task(self._deliver(letter, self._server))
            self._on_their_way.add(task)
            task.add_done_callback(self._on_their_way.discard)

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

    async def close(self, seconds: float = 5.0) -> None:
        """Wait for letters that are being sent, but at most `seconds`."""
        if self._on_their_way:
            _, late = await asyncio.wait(self._on_their_way, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _deliver(self, letter: Letter, server: MailServer) -> None:
        try:
            await self._attempt(letter, server)
        except asyncio.CancelledError:
            _note_loss(letter, "the server stopped")
            raise
        except Exception as error:  # noqa: BLE001 # nobody waits for this task: the log is the only place to tell it
            _note_loss(letter, str(error))

    async def _attempt(self, letter: Letter, server: MailServer) -> None:
        for pause in (*self._pauses, None):
            try:
                await self._hand_in(letter, server)
            except NotNow as error:
                if pause is None:
                    raise
                _log.warning("a mail waits for another attempt", extra=_facts(letter, str(error)))
                await asyncio.sleep(pause)
            else:
                return

    async def _hand_in(self, letter: Letter, server: MailServer) -> None:
        from tallyroom.notify.smtp import hand_in  # noqa: PLC0415 # only where a server is set

        try:
            message = compose(letter, server.sender, self._clock, self._ids)
        except ValueError as error:
            raise NotTaken(str(error)) from error
        async with self._slots:
            await hand_in(message, server, self._trusted)


def _log_unsent(letter: Letter) -> None:
    facts = {"to": letter.to, "subject": letter.subject, "text": letter.text}
    _letters.warning("TALLYROOM_SMTP_URL is not set: this mail was not sent", extra=facts)


def _note_loss(letter: Letter, reason: str) -> None:
    _log.error("a mail was lost", extra=_facts(letter, reason))


def _facts(letter: Letter, reason: str) -> dict[str, str]:
    """Return what the log may say about a letter to a mailbox, which excludes its text."""
    return {"to": letter.to, "subject": letter.subject, "reason": reason}
