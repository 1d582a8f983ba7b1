"""Reads a widget's `type` and `config` as its kind demands, and refuses wrong fields one by one.

A config and the filters of a segment are stored as the JSON of what was read.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.suggestions import must_be_one_of
from tallyroom.queries.config import Config
from tallyroom.queries.filters import Filter, check_filters
from tallyroom.queries.kind import Kind
from tallyroom.queries.patterns import check_patterns
from tallyroom.queries.registry import KINDS
from tallyroom.rest.bodies import decode_body

MAX_STORED_BYTES = 65_536


def kind_of(type_: str, at: Sequence[str | int] = ("type",)) -> Kind[Any]:
    """Return the kind of widget that `type_` names.

    Raises:
        ValidationFailed: there is no such kind.
    """
    kind = KINDS.get(type_)
    if kind is None:
        raise ValidationFailed.at([*at], must_be_one_of(sorted(KINDS), type_))
    return kind


def stored_config(kind: Kind[Any], text: str) -> Config:
    """Read the config of a stored widget; whether its fields fit each other was checked before it was stored."""
    read: Config = msgspec.json.decode(text, type=kind.config)
    return read


async def sent_config(kind: Kind[Any], config: dict[str, Any], at: Sequence[str | int] = ("config",)) -> Config:
    """Read the config of a widget of this kind from a request.

    Args:
        kind: the kind of the widget.
        config: the config that the framework has read.
        at: its path in the request.

    Raises:
        ValidationFailed: names each field that is unknown, missing, of the wrong type or out of range, or does not fit
            the others; or a regular expression is invalid, or they are too large together.
        Unavailable: too many other requests are waiting for this check.
    """
    read: Config = decode_body(msgspec.json.encode(config), kind.config, at)
    kind.check(read, at)
    await check_patterns(read, at)
    return read


async def checked_filters(filters: tuple[Filter, ...]) -> str:
    """Check the field `filters` of a request; return the text to store.

    Raises:
        ValidationFailed: a filter has a value that its operator does not accept, or they are too large together.
        Unavailable: too many other requests are waiting for this check.
    """
    check_filters(filters, ["filters"])
    await check_patterns(filters, ["filters"])
    return stored(filters, ["filters"])


def stored(value: Any, at: Sequence[str | int]) -> str:
    """Return the JSON text to store for `value`, without spaces and defaults; `at` is its path in the request.

    Raises:
        ValidationFailed: the text is larger than 64 KiB.
    """
    text = msgspec.json.encode(value)
    if len(text) > MAX_STORED_BYTES:
        raise ValidationFailed.at([*at], f"takes {len(text)} bytes as JSON; at most {MAX_STORED_BYTES} are allowed")
    return text.decode()
