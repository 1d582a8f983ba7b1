"""A row of a file in any format: its cells by column, and how to reach into them."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from msgspec import Raw

Cell = Raw | str
"""A JSON value exactly as the file has it, or the text of a CSV cell. An empty CSV cell is no cell."""

Cells = Mapping[str, Cell]
Shown = bytes | Cells
"""A row as it is shown to the person who has to correct it: the line of the file, or its cells."""

_members = msgspec.json.Decoder(dict[str, Raw]).decode
_text = msgspec.json.Decoder(str).decode
_QUOTE, _BRACE, _NULL = b'"', b"{", b"null"
_NUMBER_STARTS = b"-0123456789"


class FileRow(NamedTuple):
    """A row that can be read.

    Attributes:
        line: where it begins: the line of a text file, the number of the row in Parquet; from 1.
        cells: by column.
        display: what to show when it is refused.
    """

    line: int
    cells: Cells
    display: Shown


class RefusedRow(NamedTuple):
    """A row that does not become an event, and why."""

    line: int
    reason: str
    display: Shown


class RowRefused(Exception):
    """The row at hand cannot become an event; the text is the reason, as in ``name: is missing``."""


def find(cells: Cells, path: str) -> Cell | None:
    """The cell of a column, or of a dotted path into an object; None when it is absent, null or empty text."""
    cell = cells.get(path)
    if cell is None:
        head, _, rest = path.partition(".")
        inner = members(cells[head]) if rest and head in cells else None
        return None if inner is None else find(inner, rest)
    return None if isinstance(cell, Raw) and bytes(cell) == _NULL else cell


def members(cell: Cell) -> dict[str, Raw] | None:
    """What an object holds, also when the object is written as JSON text; None when the cell is no object."""
    try:
        json = bytes(cell) if isinstance(cell, Raw) else cell.encode()
        if json.startswith(_QUOTE):
            json = _text(json).encode()
        return _members(json)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def text_of(cell: Cell, field: str) -> str:
    """The text of a cell; a JSON number is the text that it was written as, so that an id stays whole.

    Raises:
        RowRefused: the cell is neither text nor a number.
    """
    if isinstance(cell, str):
        return cell
    json = bytes(cell)
    if json.startswith(_QUOTE):
        try:
            return _text(json)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise RowRefused(f"{field}: is not JSON text: {error}") from error
    if json[0] in _NUMBER_STARTS:
        return json.decode()
    raise RowRefused(f"{field}: is neither text nor a number")


def is_number(cell: Cell) -> bool:
    """Whether the cell is a JSON number."""
    return isinstance(cell, Raw) and bytes(cell)[0] in _NUMBER_STARTS
