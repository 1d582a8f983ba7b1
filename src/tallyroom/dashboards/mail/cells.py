"""Texts of cells: as long as a mail has room, and sentences about what it leaves out."""

MAX_ROWS = 10
"""How many rows of a table a mail shows."""

_MAX_CELL = 80


def shorten_cell(text: str) -> str:
    """Return a text that is not longer than a cell shows."""
    return text if len(text) <= _MAX_CELL else text[: _MAX_CELL - 1].rstrip() + "…"


def format_left_out(count: int) -> str:
    """Say how many rows a mail leaves out; empty for none."""
    return f"{count} more row{'s' * (count > 1)}" if count > 0 else ""
