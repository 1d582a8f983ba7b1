"""A widget's `type` and `config` as they arrive: read by the kind that they name, refused field by field."""

from collections.abc import Sequence
from typing import Any

import msgspec

from tallyroom.analytics.bodies import decode_body
from tallyroom.core.errors import ValidationFailed
from tallyroom.engine.config import Config
from tallyroom.engine.kind import Kind
from tallyroom.engine.registry import KINDS


def kind_of(type_: str, at: Sequence[str | int] = ("type",)) -> Kind[Any]:
    """The kind of widget that `type_` names.

    Raises:
        ValidationFailed: there is none.
    """
    kind = KINDS.get(type_)
    if kind is None:
        raise ValidationFailed.at([*at], f"is not one of {', '.join(sorted(KINDS))}")
    return kind


def config_of(kind: Kind[Any], config: msgspec.Raw, at: Sequence[str | int] = ("config",)) -> Config:
    """The config of a widget of this kind.

    Raises:
        ValidationFailed: names each field that is unknown, missing, of another type, out of range, or does not fit the
            others.
    """
    read: Config = decode_body(bytes(config), kind.config, at)
    kind.check(read, at)
    return read
