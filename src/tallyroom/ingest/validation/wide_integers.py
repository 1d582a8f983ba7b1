"""Prepares integers that do not fit into 64 bits for the typed maps of the event store.

The store's only correctly rounding JSON reader reads such an integer as a string, which would make it a group ID. So
the maps are derived from a second text; every reader sees the verbatim text (docs/decisions/0004).
"""

import json
import re
from typing import Any

_MIN_INTEGER, _MAX_INTEGER = -(2**63), 2**64 - 1
_MANY_DIGITS = re.compile(rb"[0-9]{19}")


def narrow_integers(properties: bytes) -> bytes:
    """Return `properties` with such integers as doubles, except in lists, which are stored as text; b"" if none."""
    if not _MANY_DIGITS.search(properties):
        return b""
    values = json.loads(properties)
    narrow_values = {
        key: _narrow_elements(value) if isinstance(value, list) else _narrow(value) for key, value in values.items()
    }
    text = json.dumps(narrow_values, ensure_ascii=False)
    return b"" if text == json.dumps(values, ensure_ascii=False) else text.encode()


def _narrow_elements(values: list[Any]) -> list[Any]:
    return [value if isinstance(value, int) else _narrow(value) for value in values]


def _narrow(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _narrow(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_narrow(inner) for inner in value]
    return float(value) if isinstance(value, int) and not _MIN_INTEGER <= value <= _MAX_INTEGER else value
