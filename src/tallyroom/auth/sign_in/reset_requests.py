"""A queue of requests for reset links, so that no answer depends on their result."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from tallyroom.core.errors import Unavailable

MAX_WAITING: Final = 10_000  # at most 3 MB of addresses; an address without an account takes microseconds
_PAUSE_SECONDS: Final = 1.0

_log = logging.getLogger(__name__)


class ResetRequestQueue:
    """Mails a link for each request, one after the other, up to `pause_seconds` later.

    Only then is the address looked up, so neither the answer nor a write at the same moment reveals whether it has an
    account.
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
        """Queue a request; raise `Unavailable` if the queue is full."""
        if len(self._waiting_emails) >= MAX_WAITING:
            raise Unavailable("Too many requests for links are queued. Try again shortly.")
        self._waiting_emails.append(email)
        if self._mailing_task is None or self._mailing_task.done():
            self._mailing_task = asyncio.create_task(self._mail_waiting())

    async def close(self) -> None:
        """Mail the rest of the queue, without a pause."""
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
                _log.exception("a password reset link could not be emailed")
