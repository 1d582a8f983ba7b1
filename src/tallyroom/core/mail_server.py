"""Reads the mail server and the sender's address from two settings."""

from email.headerregistry import Address
from email.policy import SMTP
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

_DEFAULT_PORTS = {"smtp": 587, "smtps": 465}  # RFC 6409 submission, RFC 8314 submission over TLS
_STARTTLS_BY_OPTION = {"required": True, "offered": None, "never": False}


class MailServer(NamedTuple):
    """The server that accepts our mail, and the sender's address.

    `uses_tls` encrypts from the first byte. `starttls` is True if the upgrade is required, None if it is used when
    offered, and False if never.
    """

    host: str
    port: int
    username: str | None
    password: str | None
    uses_tls: bool
    starttls: bool | None
    sender: Address


def read_mail_server(url: str, sender: str) -> MailServer:
    """Parse ``smtp[s]://user:password@host:port[?starttls=required|offered|never]``, and the sender's address.

    With ``smtp``, credentials require STARTTLS by default. Raises `ValueError`, without the URL, which may contain a
    password.
    """
    try:
        url_parts = urlsplit(url)
        port = url_parts.port
        options = parse_qs(url_parts.query, strict_parsing=True) if url_parts.query else {}
    except ValueError:
        raise ValueError("TALLYROOM_SMTP_URL is not a URL") from None
    if (
        url_parts.scheme not in _DEFAULT_PORTS
        or not url_parts.hostname
        or url_parts.path.strip("/")
        or url_parts.fragment
    ):
        raise ValueError("TALLYROOM_SMTP_URL must have the form smtp://user:password@host:port, or smtps://…")
    username = unquote(url_parts.username) if url_parts.username else None
    [starttls_option] = options.pop("starttls", ["required" if username else "offered"])[-1:]
    if options or starttls_option not in _STARTTLS_BY_OPTION or (url_parts.scheme == "smtps" and url_parts.query):
        raise ValueError(
            "TALLYROOM_SMTP_URL accepts only the parameter ?starttls=required, offered or never, and only with smtp://"
        )
    uses_tls = url_parts.scheme == "smtps"
    return MailServer(
        host=url_parts.hostname,
        port=port or _DEFAULT_PORTS[url_parts.scheme],
        username=username,
        password=unquote(url_parts.password) if url_parts.password else None,
        uses_tls=uses_tls,
        starttls=False if uses_tls else _STARTTLS_BY_OPTION[starttls_option],
        sender=_read_sender(sender),
    )


def _read_sender(text: str) -> Address:
    header = SMTP.header_factory("From", text)
    senders: tuple[Address, ...] = header.addresses
    if len(senders) != 1 or header.defects or not senders[0].domain:
        raise ValueError("TALLYROOM_MAIL_FROM must be one address, such as Tallyroom <noreply@example.com>")
    return senders[0]
