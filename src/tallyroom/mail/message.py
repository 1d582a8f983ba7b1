"""A mail as a message: its headers contain only what they should, and nothing can be injected into them."""

import re
from collections.abc import Sequence
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import NamedTuple

from tallyroom.core.clock import Clock
from tallyroom.core.ids import Ids
from tallyroom.core.times import moment

_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")
_PLAIN = re.compile(r"(?!.*=\?)[!-~]([ -~]{0,58}[!-~])?")  # fits on its line and cannot be taken for an encoded word
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class InlinePicture(NamedTuple):
    """A picture within a mail: its HTML shows it by ``cid:`` and this name, which is letters and digits."""

    name: str
    png: bytes


class Letter(NamedTuple):
    """One mail to one person.

    Attributes:
        html: the same as `text` for programs that show HTML; None if the mail has only text.
        pictures: what `html` shows.
        message_id: the part of its Message-ID before the @, so that a repeated mail can be known; random if None.
        unsubscribe_url: an address that takes a POST to unsubscribe (RFC 8058); None if nobody subscribed.
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
    return _CONTROL.search(text) is not None


def mailbox(text: str) -> Address:
    """Return `text` as the address of exactly one mailbox; characters with a meaning in headers are quoted.

    Raises:
        ValueError: the address cannot receive mail.
    """
    local, _, domain = text.rpartition("@")
    try:
        host = domain.encode("idna").decode("ascii")
    except UnicodeError:
        host = ""
    if not local or not _HOST.fullmatch(host):
        raise ValueError("no mail can go to this address")
    return Address("", local, host)


def compose(letter: Letter, sender: Address, clock: Clock, ids: Ids) -> EmailMessage:
    """Return the message with its headers.

    Raises:
        ValueError: its address cannot receive mail, or its subject has a control character.
    """
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = mailbox(letter.to)
    message.set_raw("Subject", _subject(letter.subject))
    message["Date"] = format_datetime(moment(clock.now_ms()))
    message["Message-ID"] = f"<{letter.message_id or ids.new()}@{sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: prevents automatic replies such as holiday notices
    if letter.unsubscribe_url is not None:
        message["List-Unsubscribe"] = f"<{letter.unsubscribe_url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(letter.text)
    if letter.html is not None:
        _add_html(message, letter.html, letter.pictures)
    return message


def _subject(text: str) -> str:
    """Return a subject as it travels; it arrives as it was typed, also where it looks like an encoded word.

    `EmailMessage` would decode such a word, and whatever it says would be the subject.
    """
    if has_control_characters(text):
        raise ValueError("a subject takes no control characters")
    return text if _PLAIN.fullmatch(text) else Header(text, "utf-8", header_name="Subject").encode(linesep="\r\n")


def _add_html(message: EmailMessage, html: str, pictures: Sequence[InlinePicture]) -> None:
    message.add_alternative(html, subtype="html")
    html_part = list(message.iter_parts())[-1]
    for picture in pictures:
        cid, filename = f"<{picture.name}>", f"{picture.name}.png"
        html_part.add_related(picture.png, "image", "png", disposition="inline", cid=cid, filename=filename)
