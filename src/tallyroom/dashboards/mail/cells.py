"""Texts of cells: as long as a mail has room, and sentences about what it leaves out."""

MAX_ROWS = 10
"""How many rows of a table a mail shows."""

_MAX_CELL_LENGTH = 80


def shorten_cell(text: str) -> str:
    """Return a text that is not longer than a cell shows."""
    return text if len(text) <= _MAX_CELL_LENGTH else text[: _MAX_CELL_LENGTH - 1].rstrip() + "…"


def format_left_out_rows(row_count: int) -> str:
    """Say how many rows a mail leaves out; empty for none."""
    return f"{row_count} more row{'s' * (row_count > 1)}" if row_count > 0 else ""
