"""Writes the parameters of a query as ClickHouse reads them.

clickhouse-connect does the same, but loading it takes 0.1 seconds and 5 MB, and only servers of ClickHouse need it.
"""

from typing import Any, Final

_ESCAPES: Final = str.maketrans({character: f"\\{character}" for character in "\\'`\t\n"})


def format_parameter(value: Any) -> str:
    """Return the text of a value: a string, a number, a date or a UUID; or a list or tuple of such values."""
    return _format_nested(value) if isinstance(value, list | tuple) else str(value).translate(_ESCAPES)


def _format_nested(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_format_nested, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_format_nested, value))})"
    if isinstance(value, int | float):
        return str(value)
    return f"'{str(value).translate(_ESCAPES)}'"
