"""Completes the lines that an earlier version left in a spool: they do not have the exact texts of numbers."""

from typing import Final

from tallyroom.ingest.drain.pieces import read_line
from tallyroom.ingest.validation.number_shape import encode_exact_texts
from tallyroom.storage.spool.row import split_lines

_END_WITHOUT_TEXTS: Final = b"{}]\n"
"""No line of an earlier version ends like this: it ends with "", or with a stand-in, which has members."""


def complete_lines(body: bytes, line_count: int) -> bytes:
    """Return lines in the order of `EVENT_COLUMNS`; those that cannot be read stay, for the store to refuse."""
    if body.count(_END_WITHOUT_TEXTS) == line_count:
        return body
    return b"".join(line if line.endswith(_END_WITHOUT_TEXTS) else _complete_line(line) for line in split_lines(body))


def _complete_line(line: bytes) -> bytes:
    row = read_line(line)
    if row is None or bytes(row.number_texts) or not line.endswith(b"]\n"):
        return line
    return b"%s,%s]\n" % (line[:-2], encode_exact_texts(bytes(row.properties)))
