"""Values with a NUL, which PostgreSQL text cannot contain: look-ups find no row instead of failing."""

from typing import Any

from sqlalchemy import Connection, Engine, event

_NUL = "\x00"


def match_nothing_for_nul_texts(engine: Engine) -> None:
    """Replace each such value in an engine's SELECTs with NULL, which equals no value."""
    event.listen(engine, "before_cursor_execute", _replace_nul_texts, retval=True)


def _replace_nul_texts(
    _connection: Connection, _cursor: object, statement: str, parameters: Any, _context: object, is_executemany: object
) -> tuple[str, Any]:
    if is_executemany or not statement.startswith("SELECT") or not any(map(_has_nul, parameters)):
        return statement, parameters
    return statement, tuple(None if _has_nul(value) else value for value in parameters)


def _has_nul(value: object) -> bool:
    return isinstance(value, str) and _NUL in value
