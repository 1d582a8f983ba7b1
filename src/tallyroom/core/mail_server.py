"""Reads the mail server and the sender's address from two settings."""

from email.headerregistry import Address
from email.policy import SMTP
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

_PORTS = {"smtp": 587, "smtps": 465}  # RFC 6409 submission, RFC 8314 submission over TLS
_STARTTLS = {"required": True, "offered": None, "never": False}


class MailServer(NamedTuple):
    """The server that accepts our mail, and the sender's address.

    With `tls`, the connection is encrypted from the first byte. `starttls` is True to insist on the upgrade, None to
    use it if it is offered, and False to never ask for it. Certificates are always checked.
    """

    host: str
    port: int
    username: str | None
    password: str | None
    tls: bool
    starttls: bool | None
    sender: Address


def read_mail_server(url: str, sender: str) -> MailServer:
    """Parse `url`, as in ``smtp://user:password@host:port``, and the sender's address.

    With ``smtp``, credentials require STARTTLS, so that a password never travels in clear text; without credentials,
    STARTTLS is used if it is offered. ``?starttls=required``, ``offered`` or ``never`` overrides this, for example for
    a relay on the same machine.

    Raises:
        ValueError: one of them cannot be read; the message does not repeat the URL, which may contain a password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
        options = parse_qs(parts.query, strict_parsing=True) if parts.query else {}
    except ValueError:
        raise ValueError("TALLYROOM_SMTP_URL is not a URL") from None
    if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/") or parts.fragment:
        raise ValueError("TALLYROOM_SMTP_URL must have the form smtp://user:password@host:port, or smtps://…")
    username = unquote(parts.username) if parts.username else None
    [wish] = options.pop("starttls", ["required" if username else "offered"])[-1:]
    if options or wish not in _STARTTLS or (parts.scheme == "smtps" and parts.query):
        raise ValueError(
            "TALLYROOM_SMTP_URL accepts no parameter except ?starttls=required, offered or never, after smtp://"
        )
    tls = parts.scheme == "smtps"
    return MailServer(
        host=parts.hostname,
        port=port or _PORTS[parts.scheme],
        username=username,
        password=unquote(parts.password) if parts.password else None,
        tls=tls,
        starttls=False if tls else _STARTTLS[wish],
        sender=_read_sender(sender),
    )


def _read_sender(text: str) -> Address:
    header = SMTP.header_factory("From", text)
    senders: tuple[Address, ...] = header.addresses
    if len(senders) != 1 or header.defects or not senders[0].domain:
        raise ValueError("TALLYROOM_MAIL_FROM must be one address, as in Tallyroom <noreply@example.com>")
    return senders[0]
