"""Submits a mail to a mail server, once. Loaded only if one is set, because the library behind it takes 3 MB."""

import asyncio
import ssl
from email.message import EmailMessage

from aiosmtplib import SMTP, SMTPException, SMTPRecipientsRefused, SMTPResponseException

from tallyroom.core.mail_server import MailServer
from tallyroom.mail.errors import DeliveryDeferred, DeliveryRejected

_TEMPORARY_CODE_CLASS = 4  # the first digit of a temporary refusal
_STEP_SECONDS = 15.0  # to connect and for each answer; a healthy server needs less than one


class _SmtpConnection(SMTP):
    """Ends without waiting for the server to end its side of TLS, which would keep the socket for half a minute."""

    def close(self) -> None:
        """Close the connection, which is no longer used."""
        transport = self.transport
        super().close()
        if isinstance(transport, asyncio.WriteTransport):
            transport.abort()


async def submit_email(email: EmailMessage, server: MailServer, tls_context: ssl.SSLContext) -> None:
    """Submit the mail.

    Raises `DeliveryDeferred` for a 4xx code or a failed connection, and `DeliveryRejected` if the server refused it
    permanently.
    """
    try:
        async with _SmtpConnection(
            hostname=server.host,
            port=server.port,
            username=server.username,
            password=server.password,
            timeout=_STEP_SECONDS,
            use_tls=server.uses_tls,
            start_tls=server.starttls,
            tls_context=tls_context,
        ) as connection:
            await connection.send_message(email)
    except (SMTPException, OSError) as error:
        code, reason = _read_failure(error)
        is_temporary = isinstance(error, OSError) if code is None else code // 100 == _TEMPORARY_CODE_CLASS
        if is_temporary:
            raise DeliveryDeferred(reason, smtp_code=code) from error
        raise DeliveryRejected(reason, smtp_code=code) from error
    finally:
        await asyncio.sleep(0)  # lets the event loop release the socket


def _read_failure(error: Exception) -> tuple[int | None, str]:
    """Return the server's code, None without an answer, and its words or the error."""
    if isinstance(error, SMTPRecipientsRefused):
        error = error.recipients[0]
    if isinstance(error, SMTPResponseException):
        return error.code, f"{error.code} {error.message}"
    return None, str(error)
