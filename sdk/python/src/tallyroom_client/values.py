"""Turns the values of properties into JSON values.

Numbers stay exact. A `datetime`, `Decimal`, `UUID` or `Enum` becomes its text. Anything else that JSON does not have is
refused with its path, as in ``properties.items[3].price``.
"""

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum
from math import isfinite
from typing import Any

from tallyroom_client.limits import MAX_DEPTH
from tallyroom_client.refusal import EventRefused

_ATOMS = frozenset({str, bool, type(None)})
_NUMBERS = frozenset({int, float})
_DOUBLE_BITS = 1023  # a number beyond the range of a double is refused
_MAX_SHOWN_PATH = 200


def plain_object(members: Mapping[Any, Any], path: str, level: int = 1) -> dict[str, Any]:
    """Return the members as JSON has them; raises `EventRefused`."""
    if level > MAX_DEPTH:
        raise _refusal(path, f"is nested deeper than {MAX_DEPTH} levels")
    values = {}
    for key, value in members.items():
        name = key if type(key) is str else _plain_key(key, path)
        values[name] = value if type(value) in _ATOMS else _plain_value(value, f"{path}.{name}", level)
    return values


def find_half_surrogate(value: Any, path: str) -> str | None:
    """Return the path of the first text that UTF-8 cannot encode."""
    if isinstance(value, str):
        return None if _is_encodable(value) else _shorten(path)
    if isinstance(value, dict):
        if not all(map(_is_encodable, value)):
            return _shorten(path)
        members = [(f"{path}.{name}", member) for name, member in value.items()]
    elif isinstance(value, list):
        members = [(f"{path}[{index}]", item) for index, item in enumerate(value)]
    else:
        return None
    return next((place for name, member in members if (place := find_half_surrogate(member, name))), None)


def text_of(value: Any) -> str | None:
    """Return the text that represents a value of a type that JSON does not have; None if there is none."""
    if isinstance(value, Enum):
        return str(value.value) if isinstance(value.value, str) else value.name
    if isinstance(value, datetime):
        return value.isoformat()
    if _is_instance(value, "decimal", "Decimal") or _is_instance(value, "uuid", "UUID"):
        return str(value)
    return str.__str__(value) if isinstance(value, str) else None


def _plain_value(value: Any, path: str, level: int) -> Any:
    if type(value) in _NUMBERS:
        return _plain_number(value, path)
    if isinstance(value, dict | Mapping):
        return plain_object(value, path, level + 1)
    if isinstance(value, list | tuple):
        return _plain_list(value, path, level + 1)
    text = text_of(value)
    return _plain_number(value, path) if text is None else text


def _plain_list(items: Sequence[Any], path: str, level: int) -> list[Any]:
    if level > MAX_DEPTH:
        raise _refusal(path, f"is nested deeper than {MAX_DEPTH} levels")
    return [
        item if type(item) in _ATOMS else _plain_value(item, f"{path}[{index}]", level)
        for index, item in enumerate(items)
    ]


def _plain_key(key: Any, path: str) -> str:
    if not isinstance(key, str):
        raise _refusal(path, f"has a key of the type {type(key).__name__}; keys are text")
    return text_of(key) or ""


def _plain_number(value: Any, path: str) -> int | float:
    """Return a number of a subclass, too, as a plain one."""
    if isinstance(value, int):
        if value.bit_length() > _DOUBLE_BITS:
            raise _refusal(path, "is a number beyond the range of a double")
        return int(value)
    if isinstance(value, float):
        if not isfinite(value):
            raise _refusal(path, "is not a finite number")
        return float(value)
    raise _refusal(path, f"is of the type {type(value).__name__}, which JSON does not have")


def _is_instance(value: Any, module: str, name: str) -> bool:
    """Check the type without an import: a program that never imported the module has no such values."""
    return module in sys.modules and isinstance(value, getattr(sys.modules[module], name))


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refusal(path: str, reason: str) -> EventRefused:
    return EventRefused(f"{_shorten(path)} {reason}")


def _shorten(path: str) -> str:
    shown = path.encode(errors="replace").decode()
    return shown if len(shown) <= _MAX_SHOWN_PATH else f"{shown[:_MAX_SHOWN_PATH]}…"
