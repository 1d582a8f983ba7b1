"""Texts that PostgreSQL cannot hold, because they have a NUL: look-ups find no row, instead of failing."""

import secrets
from typing import Any

from sqlalchemy import Connection, Engine, event

_NUL = "\x00"
_OF_NO_ROW = secrets.token_urlsafe()  # cannot be guessed, so no row has it, and no pattern matches it


def find_nothing_for_them(engine: Engine) -> None:
    """Have each SELECT of an engine look for a text that no row has, where it was to look for one with a NUL."""
    event.listen(engine, "before_cursor_execute", _replace, retval=True)


def _replace(
    _connection: Connection, _cursor: object, statement: str, parameters: Any, _context: object, many: object
) -> tuple[str, Any]:
    if many or not statement.startswith("SELECT") or not any(map(_is_impossible, parameters)):
        return statement, parameters
    return statement, tuple(_OF_NO_ROW if _is_impossible(value) else value for value in parameters)


def _is_impossible(value: object) -> bool:
    return isinstance(value, str) and _NUL in value
