"""Texts of cells that fit into a mail, and sentences about what is left out."""

MAX_ROWS = 10
"""The most rows of a table that a mail shows."""

_MAX_CELL_LENGTH = 80


def shorten_cell(text: str) -> str:
    """Return a text cut to the length of a cell."""
    return text if len(text) <= _MAX_CELL_LENGTH else text[: _MAX_CELL_LENGTH - 1].rstrip() + "…"


def format_left_out_rows(row_count: int) -> str:
    """Return how many rows a mail leaves out, in words; empty for none."""
    return f"{row_count} more row{'s' * (row_count > 1)}" if row_count > 0 else ""
