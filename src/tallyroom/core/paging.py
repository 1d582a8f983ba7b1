"""Cursors and limits of lists: a cursor is opaque to clients and valid only for the question that it came from."""

import base64
import hashlib
from contextlib import suppress
from typing import TypeVar

import msgspec

from tallyroom.core.errors import ValidationFailed

Position = TypeVar("Position", bound=msgspec.Struct)

CursorScope = tuple[object, ...]
"""Everything that determines the content and order of a list: its name, the scope, the parameters; but not `limit`."""

_SIGNATURE_BYTES = 8


def encode_cursor(position: msgspec.Struct, cursor_scope: CursorScope) -> str:
    """Encode a position as text for a URL, valid only for `cursor_scope`."""
    payload = msgspec.json.encode(position)
    return base64.urlsafe_b64encode(_sign(payload, cursor_scope) + payload).rstrip(b"=").decode("ascii")


def decode_cursor(text: str, position_type: type[Position], cursor_scope: CursorScope) -> Position:
    """Decode the position in `text`; raises `ValidationFailed` if it is not a cursor of `cursor_scope`."""
    with suppress(ValueError, msgspec.DecodeError):
        cursor = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        payload = cursor[_SIGNATURE_BYTES:]
        if cursor == _sign(payload, cursor_scope) + payload:
            return msgspec.json.decode(payload, type=position_type)
    raise ValidationFailed.at(["cursor"], "is not a cursor for this list and query")


def _sign(payload: bytes, cursor_scope: CursorScope) -> bytes:
    """Tie position and question together, against mistakes; clients who forge it still see only their own events."""
    return hashlib.blake2b(msgspec.json.encode(cursor_scope) + payload, digest_size=_SIGNATURE_BYTES).digest()


def parse_limit(text: str | None, *, default: int, max_limit: int) -> int:
    """Parse a list's `limit`, at most the cap (rules/actors-and-groups#pages); raises `ValidationFailed` below 1."""
    if text is None:
        return default
    digits = text.lstrip("0")
    if not (text.isascii() and text.isdigit() and digits):
        raise ValidationFailed.at(["limit"], "must be an integer of 1 or more")
    return max_limit if len(digits) > len(str(max_limit)) else min(int(digits), max_limit)
