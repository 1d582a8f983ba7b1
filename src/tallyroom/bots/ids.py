"""Ids of bots and users: 17 to 19 digits, stored as text."""

import re
from typing import Annotated

from msgspec import Meta

_PATTERN = r"^[0-9]{17,19}\Z"
_ID = re.compile(_PATTERN)
_SHORTEST = 17
_LENGTHS = 3

BotId = Annotated[str, Meta(pattern=_PATTERN)]
UserId = Annotated[str, Meta(pattern=_PATTERN)]


def is_id(text: str) -> bool:
    """Return True if `text` has the form of an id (rules/statistics#ids)."""
    return _ID.match(text) is not None


def number_of(bot_id: str) -> int:
    """Return a number below 2**65 that sorts ids by value; ids that differ only in leading zeros get different ones."""
    return int(bot_id) * _LENGTHS + len(bot_id) - _SHORTEST


def id_of(number: int) -> str:
    """Return the id whose `number_of` is `number`."""
    value, zeros = divmod(number, _LENGTHS)
    return f"{value:0{_SHORTEST + zeros}d}"
