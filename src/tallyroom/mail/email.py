"""Submits mails to the mail server, few at once (rules/people#email)."""

import asyncio
import logging
import ssl
from functools import cached_property

from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.log import MAIL_LOGGER
from tallyroom.core.mail_server import MailServer
from tallyroom.mail.errors import DeliveryRejected
from tallyroom.mail.message import MailMessage, compose_email

_MAX_CONNECTIONS = 2  # mail servers admit few connections of one client

_mail_log = logging.getLogger(MAIL_LOGGER)


class Mailer:
    """Sends mails; without a mail server it writes them to the log, where the operator finds them.

    A mailer belongs to one event loop. `server` is None if there is no mail server.
    """

    def __init__(self, server: MailServer | None, clock: Clock, id_generator: IdGenerator) -> None:
        self._server = server
        self._clock = clock
        self._id_generator = id_generator
        self._connection_slots = asyncio.Semaphore(_MAX_CONNECTIONS)

    @property
    def has_server(self) -> bool:
        """Whether there is a mail server."""
        return self._server is not None

    @cached_property
    def _tls_context(self) -> ssl.SSLContext:
        return ssl.create_default_context()  # reading the certificates takes longer than most steps of a start

    async def send(self, message: MailMessage) -> None:
        """Try once to send a mail, and wait for the result; the caller retries.

        Raises `DeliveryDeferred` if another attempt may succeed, and `DeliveryRejected` if the mail server refused the
        mail permanently or there is none, and the log has the mail.
        """
        if self._server is None:
            _log_unsent_message(message)
            raise DeliveryRejected("TALLYROOM_SMTP_URL is not set, so the email was written to the log")
        await self._submit(message, self._server)

    async def _submit(self, message: MailMessage, server: MailServer) -> None:
        from tallyroom.mail.smtp import submit_email  # noqa: PLC0415 # only where a server is set

        try:
            email = compose_email(message, server.sender, self._clock, self._id_generator)
        except ValueError as error:
            raise DeliveryRejected(str(error)) from error
        async with self._connection_slots:
            await submit_email(email, server, self._tls_context)


def _log_unsent_message(message: MailMessage) -> None:
    log_fields = {"to": message.to, "subject": message.subject, "text": message.text}
    _mail_log.warning("TALLYROOM_SMTP_URL is not set: this email was not sent", extra=log_fields)
