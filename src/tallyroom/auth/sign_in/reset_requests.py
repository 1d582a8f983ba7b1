"""Requests for links that wait for their turn, so that no answer depends on what becomes of them."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from tallyroom.core.errors import Unavailable

MAX_WAITING: Final = 10_000
"""At most 3 MB of addresses; those without an account take microseconds each."""

_PAUSE_SECONDS: Final = 1.0

_log = logging.getLogger(__name__)


class ResetRequestQueue:
    """Has a link mailed for each request, one after the other, up to a second later.

    Whether an address has an account is looked up only then. Neither the answer, nor what the client sends next, nor a
    write that meets the one for a link can therefore tell; of an unknown address, nothing is written.

    Args:
        mail_reset_link: mails a link to the owner of an address, if it has an account.
        pause_seconds: the seconds that requests wait for others.
    """

    def __init__(
        self, mail_reset_link: Callable[[str], Awaitable[None]], pause_seconds: float = _PAUSE_SECONDS
    ) -> None:
        self._mail_reset_link = mail_reset_link
        self._pause_seconds = pause_seconds
        self._waiting_emails: deque[str] = deque()
        self._closing_event = asyncio.Event()
        self._mailing_task: asyncio.Task[None] | None = None

    def add(self, email: str) -> None:
        """Accept a request.

        Raises:
            Unavailable: too many wait.
        """
        if len(self._waiting_emails) >= MAX_WAITING:
            raise Unavailable("Too many others have asked for links. Try again.")
        self._waiting_emails.append(email)
        if self._mailing_task is None or self._mailing_task.done():
            self._mailing_task = asyncio.create_task(self._mail_waiting())

    async def close(self) -> None:
        """Mail what waits, without a pause."""
        self._closing_event.set()
        if self._mailing_task is not None:
            await self._mailing_task

    async def _mail_waiting(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pause_seconds):
                await self._closing_event.wait()
        while self._waiting_emails:
            email = self._waiting_emails.popleft()
            try:
                await self._mail_reset_link(email)
            except Exception:  # noqa: BLE001 # the answer has been sent, so only the log can report it
                _log.exception("no link for a new password was mailed")
