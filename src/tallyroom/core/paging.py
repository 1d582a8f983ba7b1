"""Cursors and limits of lists: a cursor is opaque to clients and cannot be used to ask for anything else."""

import base64
from binascii import Error as Base64Error
from typing import TypeVar

import msgspec

from tallyroom.core.errors import ValidationFailed

Position = TypeVar("Position", bound=msgspec.Struct)


def encode_cursor(position: msgspec.Struct) -> str:
    """`position` as text for a URL."""
    return base64.urlsafe_b64encode(msgspec.json.encode(position)).rstrip(b"=").decode("ascii")


def decode_cursor(text: str, position_type: type[Position]) -> Position:
    """The position in `text`.

    Raises:
        ValidationFailed: no cursor of this list has this text.
    """
    try:
        padded = text.encode("ascii") + b"=" * (-len(text) % 4)
        return msgspec.json.decode(base64.b64decode(padded, altchars=b"-_", validate=True), type=position_type)
    except (UnicodeEncodeError, Base64Error, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValidationFailed.at(["cursor"], "is not a cursor of this list") from error


def limit_of(text: str | None, *, default: int, cap: int) -> int:
    """A list's `limit`: absent is the default, above the cap is the cap (contract 1).

    Raises:
        ValidationFailed: not an integer in ASCII digits, or below 1.
    """
    if text is None:
        return default
    digits = text.lstrip("0")
    if not (text.isascii() and text.isdigit() and digits):
        raise ValidationFailed.at(["limit"], "is not an integer of at least 1")
    return cap if len(digits) > len(str(cap)) else min(int(digits), cap)
