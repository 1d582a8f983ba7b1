"""Describes which values a setting takes, in words for the person who has to correct it."""

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import inspect

from tallyroom.core.suggestions import did_you_mean

TAKES: Final = "takes"
"""The key in `Meta.extra` under which a text field explains its pattern."""


def not_taken(settings: type[msgspec.Struct], name: str, value: object) -> str:
    """Return the end of a sentence that refuses `value` for the field `name`: ``must be 1 or 2, not 3`` and a mark."""
    field = next(field for field in msgspec.structs.fields(settings) if field.name == name)
    kind, words = _kind_and_words(inspect.type_info(field.type))
    hint = did_you_mean(str(value), map(str, kind.values)) if isinstance(kind, inspect.LiteralType) else ""
    return f"must be {words or _in_words(kind)}, not {value!r}{hint or '.'}"


def _kind_and_words(kind: inspect.Type) -> tuple[inspect.Type, str]:
    if isinstance(kind, inspect.Metadata):
        return kind.type, (kind.extra or {}).get(TAKES, "")
    return kind, ""


def _in_words(kind: inspect.Type) -> str:
    match kind:
        case inspect.BoolType():
            return _either(["true", "false"])
        case inspect.LiteralType(values):
            return _either(map(str, values))
        case inspect.IntType(ge=least, le=most) if most is not None:
            return f"a whole number from {least} to {most}"
        case inspect.IntType(ge=least):
            return f"a whole number of {least} or more"
    raise TypeError(f"no words for {kind}")


def _either(choices: Iterable[str]) -> str:
    *before_last, last = choices
    return f"{', '.join(before_last)} or {last}"
