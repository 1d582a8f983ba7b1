"""A row of a file in any format: its cells by column, and how to reach into them."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from msgspec import Raw

Cell = Raw | str
"""A JSON value exactly as the file has it, or the text of a CSV cell. An empty CSV cell is no cell."""

Cells = Mapping[str, Cell]
RowDisplay = bytes | Cells
"""A row as it is shown to the person who has to correct it: the line of the file, or its cells."""

_decode_object = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_text = msgspec.json.Decoder(str).decode
_QUOTE, _BRACE, _NULL = b'"', b"{", b"null"
_NUMBER_STARTS = b"-0123456789"


class FileRow(NamedTuple):
    """A row that can be read.

    Attributes:
        line_number: where it begins: the line of a text file, the number of the row in Parquet; from 1.
        cells: by column.
        display: what to show when it is refused.
    """

    line_number: int
    cells: Cells
    display: RowDisplay


class RefusedRow(NamedTuple):
    """A row that does not become an event, and why."""

    line_number: int
    reason: str
    display: RowDisplay


class RowRefused(Exception):
    """The row at hand cannot become an event; the text is the reason, as in ``name: is missing``."""


def find_cell(cells: Cells, path: str) -> Cell | None:
    """The cell of a column, or of a dotted path into an object; None when it is absent, null or empty text."""
    cell = cells.get(path)
    if cell is None:
        column, _, inner_path = path.partition(".")
        inner_cells = parse_object(cells[column]) if inner_path and column in cells else None
        return None if inner_cells is None else find_cell(inner_cells, inner_path)
    return None if isinstance(cell, Raw) and bytes(cell) == _NULL else cell


def parse_object(cell: Cell) -> dict[str, Raw] | None:
    """What an object holds, also when the object is written as JSON text; None when the cell is no object."""
    try:
        json_bytes = bytes(cell) if isinstance(cell, Raw) else cell.encode()
        if json_bytes.startswith(_QUOTE):
            json_bytes = _decode_text(json_bytes).encode()
        return _decode_object(json_bytes)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def text_of(cell: Cell, field: str) -> str:
    """The text of a cell; a JSON number is the text that it was written as, so that an id stays whole.

    Raises:
        RowRefused: the cell is neither text nor a number.
    """
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
    """Whether the cell is a JSON number."""
    return isinstance(cell, Raw) and bytes(cell)[0] in _NUMBER_STARTS
