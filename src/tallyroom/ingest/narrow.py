"""Integers that 64 bits cannot hold, for the typed maps of the event store.

The store's JSON reader that rounds numbers right takes such an integer for a string, which would make it a group id.
So for the rare event that carries one, a second text goes along from which the maps are derived; the verbatim one is
what every reader sees (docs/decisions/0004).
"""

import json
import re
from typing import Any

_LEAST, _MOST = -(2**63), 2**64 - 1
_MANY_DIGITS = re.compile(rb"[0-9]{19}")


def narrowed(properties: bytes) -> bytes:
    """`properties` with each such integer as the double that it reads as; b"" when there is none.

    The elements of a list property are text to the store, all digits of it, and stay as they are.
    """
    if not _MANY_DIGITS.search(properties):
        return b""
    values = json.loads(properties)
    narrow = {key: _elements(value) if isinstance(value, list) else _narrow(value) for key, value in values.items()}
    text = json.dumps(narrow, ensure_ascii=False)
    return b"" if text == json.dumps(values, ensure_ascii=False) else text.encode()


def _elements(values: list[Any]) -> list[Any]:
    return [value if isinstance(value, int) else _narrow(value) for value in values]


def _narrow(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _narrow(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_narrow(inner) for inner in value]
    return float(value) if isinstance(value, int) and not _LEAST <= value <= _MOST else value
