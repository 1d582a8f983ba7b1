"""Ids of bots and users: 17 to 19 digits, stored as text."""

import re
from collections.abc import Collection
from typing import Annotated

from msgspec import Meta

_ID_REGEX = r"^[0-9]{17,19}\Z"
_ID_PATTERN = re.compile(_ID_REGEX)
_MIN_DIGITS = 17
_LENGTH_COUNT = 3

BotId = Annotated[str, Meta(pattern=_ID_REGEX)]
UserId = Annotated[str, Meta(pattern=_ID_REGEX)]
BotIds = Collection[str]


def is_id(text: str) -> bool:
    """Return True if `text` has the form of an id (rules/statistics#ids)."""
    return _ID_PATTERN.match(text) is not None


def number_from_id(bot_id: str) -> int:
    """Return a number below 2**65 that sorts ids by value; ids that differ only in leading zeros get different ones."""
    return int(bot_id) * _LENGTH_COUNT + len(bot_id) - _MIN_DIGITS


def id_from_number(number: int) -> str:
    """Return the id whose `number_from_id` is `number`."""
    digits_value, extra_digits = divmod(number, _LENGTH_COUNT)
    return f"{digits_value:0{_MIN_DIGITS + extra_digits}d}"
