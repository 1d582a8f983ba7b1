"""A row of a file in any format: its cells by column, and how to reach into them."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from msgspec import Raw

Cell = Raw | str
"""A JSON value exactly as in the file, or the text of a CSV cell. Empty CSV cells are left out."""

Cells = Mapping[str, Cell]
RowDisplay = bytes | Cells
"""A row as it is shown to the person who has to correct it: the line of the file, or its cells."""

_decode_object = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_text = msgspec.json.Decoder(str).decode
_QUOTE, _BRACE, _NULL = b'"', b"{", b"null"
_NUMBER_STARTS = b"-0123456789"


class FileRow(NamedTuple):
    """A row that can be read; `line_number` counts from 1: lines of a text file, rows of Parquet."""

    line_number: int
    cells: Cells
    display: RowDisplay


class RefusedRow(NamedTuple):
    """A row that does not become an event, and the reason."""

    line_number: int
    reason: str
    display: RowDisplay


class RowRefused(Exception):
    """The row cannot become an event; the text is the reason, as in ``name: is missing``."""


def find_cell(cells: Cells, path: str) -> Cell | None:
    """Return the cell of a column, or of a dotted path into an object; None if absent, null or empty text."""
    cell = cells.get(path)
    if cell is None:
        column, _, inner_path = path.partition(".")
        inner_cells = parse_object(cells[column]) if inner_path and column in cells else None
        return None if inner_cells is None else find_cell(inner_cells, inner_path)
    return None if isinstance(cell, Raw) and bytes(cell) == _NULL else cell


def parse_object(cell: Cell) -> dict[str, Raw] | None:
    """Return the members of an object, or of one written as JSON text; None if the cell is not an object."""
    try:
        json_bytes = bytes(cell) if isinstance(cell, Raw) else cell.encode()
        if json_bytes.startswith(_QUOTE):
            json_bytes = _decode_text(json_bytes).encode()
        return _decode_object(json_bytes)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def text_of(cell: Cell, field: str) -> str:
    """Return the text of a cell, for a number exactly as written; raise `RowRefused` if it is neither."""
    if isinstance(cell, str):
        return cell
    json_bytes = bytes(cell)
    if json_bytes.startswith(_QUOTE):
        try:
            return _decode_text(json_bytes)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise RowRefused(f"{field}: is not JSON text: {error}") from error
    if json_bytes[0] in _NUMBER_STARTS:
        return json_bytes.decode()
    raise RowRefused(f"{field}: is neither text nor a number")


def is_number(cell: Cell) -> bool:
    """Return whether the cell is a JSON number."""
    return isinstance(cell, Raw) and bytes(cell)[0] in _NUMBER_STARTS
