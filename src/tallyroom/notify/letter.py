"""A mail as a message: its headers contain only what they should, and nothing can be injected into them."""

import re
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import NamedTuple

from tallyroom.core.clock import Clock
from tallyroom.core.ids import Ids
from tallyroom.core.times import moment

_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Letter(NamedTuple):
    """One mail to one person."""

    to: str
    subject: str
    text: str


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
        ValueError: its address cannot receive mail.
    """
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = mailbox(letter.to)
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(moment(clock.now_ms()))
    message["Message-ID"] = f"<{ids.new()}@{sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: prevents automatic replies such as holiday notices
    message.set_content(letter.text)
    return message
