"""Writes values and names into SQL, where they cannot be parameters."""


def literal(value: str | int) -> str:
    """Return a value as a constant."""
    if isinstance(value, int):
        return str(value)
    return _between("'", value)


def quoted(name: str) -> str:
    """Return a name as an identifier."""
    return _between("`", name)


def _between(mark: str, text: str) -> str:
    content = text.replace("\\", "\\\\").replace(mark, f"\\{mark}")
    return f"{mark}{content}{mark}"
