"""A mail as a message, with headers that nothing can be injected into."""

import re
from collections.abc import Sequence
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import NamedTuple

from tallyroom.core.clock import Clock
from tallyroom.core.ids import IdGenerator
from tallyroom.core.times import datetime_from_ms

_HOST_NAME_PATTERN = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")
_PLAIN_SUBJECT_PATTERN = re.compile(r"(?!.*=\?)[!-~]([ -~]{0,58}[!-~])?")  # fits on its line, no encoded word
_CONTROL_CHARACTER_PATTERN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class InlinePicture(NamedTuple):
    """A picture within a mail: its HTML shows it by ``cid:`` and this name, which is letters and digits."""

    name: str
    png: bytes


class MailMessage(NamedTuple):
    """One mail to one person.

    Attributes:
        html: the same as `text` for programs that show HTML; None if the mail has only text.
        pictures: the pictures in `html`.
        message_id: the part of its Message-ID before the @, so that a repeated mail is recognized; random if None.
        unsubscribe_url: an address that accepts a POST to unsubscribe (RFC 8058); None without a subscription.
    """

    to: str
    subject: str
    text: str
    html: str | None = None
    pictures: Sequence[InlinePicture] = ()
    message_id: str | None = None
    unsubscribe_url: str | None = None


def has_control_characters(text: str) -> bool:
    """Return True if `text` could end a header line and begin another."""
    return _CONTROL_CHARACTER_PATTERN.search(text) is not None


def parse_mailbox(address: str) -> Address:
    """Return `address` as the address of exactly one mailbox; characters with a meaning in headers are quoted.

    Raises ValueError if the address cannot receive mail.
    """
    local_part, _, domain = address.rpartition("@")
    try:
        host = domain.encode("idna").decode("ascii")
    except UnicodeError:
        host = ""
    if not local_part or not _HOST_NAME_PATTERN.fullmatch(host):
        raise ValueError("emails cannot be sent to this address")
    return Address("", local_part, host)


def compose_email(message: MailMessage, sender: Address, clock: Clock, id_generator: IdGenerator) -> EmailMessage:
    """Return the message with its headers.

    Raises ValueError if its address cannot receive mail, or its subject has a control character.
    """
    email = EmailMessage(policy=SMTP)
    email["From"] = sender
    email["To"] = parse_mailbox(message.to)
    email.set_raw("Subject", _encode_subject(message.subject))
    email["Date"] = format_datetime(datetime_from_ms(clock.now_ms()))
    email["Message-ID"] = f"<{message.message_id or id_generator.new()}@{sender.domain}>"
    email["Auto-Submitted"] = "auto-generated"  # RFC 3834: prevents automatic replies such as holiday notices
    if message.unsubscribe_url is not None:
        email["List-Unsubscribe"] = f"<{message.unsubscribe_url}>"
        email["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    email.set_content(message.text)
    if message.html is not None:
        _add_html(email, message.html, message.pictures)
    return email


def _encode_subject(subject: str) -> str:
    """Return an encoded subject that arrives as it was typed, even if it looks like an encoded word.

    `EmailMessage` would decode such a word and use the result as the subject.
    """
    if has_control_characters(subject):
        raise ValueError("a subject takes no control characters")
    return (
        subject
        if _PLAIN_SUBJECT_PATTERN.fullmatch(subject)
        else Header(subject, "utf-8", header_name="Subject").encode(linesep="\r\n")
    )


def _add_html(email: EmailMessage, html: str, pictures: Sequence[InlinePicture]) -> None:
    email.add_alternative(html, subtype="html")
    html_part = list(email.iter_parts())[-1]
    for picture in pictures:
        cid, filename = f"<{picture.name}>", f"{picture.name}.png"
        html_part.add_related(picture.png, "image", "png", disposition="inline", cid=cid, filename=filename)
