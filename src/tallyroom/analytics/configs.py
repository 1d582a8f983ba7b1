"""A widget's `type` and `config` as they arrive: read by the kind that they name, refused field by field.

And as they are kept: what is stored of a config, and of the filters of a segment, is the JSON of what was read.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.nearest import must_be_one_of
from tallyroom.engine.config import Config
from tallyroom.engine.kind import Kind
from tallyroom.engine.patterns import check_patterns
from tallyroom.engine.registry import KINDS
from tallyroom.rest.bodies import decode_body

MAX_STORED_BYTES = 65_536


def kind_of(type_: str, at: Sequence[str | int] = ("type",)) -> Kind[Any]:
    """The kind of widget that `type_` names.

    Raises:
        ValidationFailed: there is none.
    """
    kind = KINDS.get(type_)
    if kind is None:
        raise ValidationFailed.at([*at], must_be_one_of(sorted(KINDS), type_))
    return kind


def config_of(kind: Kind[Any], config: msgspec.Raw | dict[str, Any], at: Sequence[str | int] = ("config",)) -> Config:
    """The config of a widget of this kind, but for its regular expressions: those of a stored one are right.

    Args:
        kind: whose config it is.
        config: as it is stored, or as the framework has read it from a request.
        at: where it stands in the request.

    Raises:
        ValidationFailed: names each field that is unknown, missing, of another type, out of range, or does not fit the
            others.
    """
    text = bytes(config) if isinstance(config, msgspec.Raw) else msgspec.json.encode(config)
    read: Config = decode_body(text, kind.config, at)
    kind.check(read, at)
    return read


async def sent_config(kind: Kind[Any], config: dict[str, Any], at: Sequence[str | int] = ("config",)) -> Config:
    """The config of a widget of this kind as a request has it; arguments and errors are those of `config_of`.

    Raises:
        ValidationFailed: a regular expression is none, or they are too large together.
        Unavailable: too many others wait to have theirs checked.
    """
    read = config_of(kind, config, at)
    await check_patterns(read, at)
    return read


def stored(value: Any, at: Sequence[str | int]) -> str:
    """The JSON text under which `value`, which stands at `at` in the request, is kept: without spaces and defaults.

    Raises:
        ValidationFailed: it takes more than 64 KiB.
    """
    text = msgspec.json.encode(value)
    if len(text) > MAX_STORED_BYTES:
        raise ValidationFailed.at([*at], f"takes {len(text)} bytes as JSON; {MAX_STORED_BYTES} can be kept")
    return text.decode()
