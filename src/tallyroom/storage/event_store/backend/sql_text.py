"""Writes values and names into SQL, where they cannot be parameters."""


def quote_literal(value: str | int) -> str:
    """Return a value as a constant."""
    return str(value) if isinstance(value, int) else _quote("'", value)


def quote_identifier(name: str) -> str:
    """Return a name as an identifier."""
    return _quote("`", name)


def _quote(quote_mark: str, text: str) -> str:
    content = text.replace("\\", "\\\\").replace(quote_mark, f"\\{quote_mark}")
    return f"{quote_mark}{content}{quote_mark}"
