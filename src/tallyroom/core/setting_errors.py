"""Describes the accepted values of a setting for the operator who corrects it."""

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import inspect

from tallyroom.core.suggestions import did_you_mean

EXPLANATION: Final = "takes"
"""The key in `Meta.extra` under which a text field explains its pattern."""


def describe_refusal(settings_type: type[msgspec.Struct], name: str, value: object) -> str:
    """Return the end of a sentence that refuses `value` for a field, such as ``must be 1 or 2, not 3.``."""
    field = next(field for field in msgspec.structs.fields(settings_type) if field.name == name)
    field_type, explanation = _split_type(inspect.type_info(field.type))
    suggestion = (
        did_you_mean(str(value), map(str, field_type.values)) if isinstance(field_type, inspect.LiteralType) else ""
    )
    return f"must be {explanation or _describe_type(field_type)}, not {value!r}{suggestion or '.'}"


def _split_type(field_type: inspect.Type) -> tuple[inspect.Type, str]:
    if isinstance(field_type, inspect.Metadata):
        return field_type.type, (field_type.extra or {}).get(EXPLANATION, "")
    return field_type, ""


def _describe_type(field_type: inspect.Type) -> str:
    match field_type:
        case inspect.BoolType():
            return _join_choices(["true", "false"])
        case inspect.LiteralType(values):
            return _join_choices(map(str, values))
        case inspect.IntType(ge=minimum, le=maximum) if maximum is not None:
            return f"a whole number from {minimum} to {maximum}"
        case inspect.IntType(ge=minimum):
            return f"a whole number of {minimum} or more"
    raise TypeError(f"no words for {field_type}")


def _join_choices(choices: Iterable[str]) -> str:
    *before_last, last = choices
    return f"{', '.join(before_last)} or {last}"
