"""CSV for spreadsheets, which must not run text from others as formulas (rules/questions#spreadsheets)."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from tallyroom.rest.accept_headers import accepts

CSV = "text/csv"
MEDIA_TYPE = f"{CSV}; header=present"  # the framework adds the charset
BYTE_ORDER_MARK = "\ufeff".encode()
"""The start of such a file: without it, spreadsheets decode UTF-8 in the machine's own charset."""

_FORMULA_SIGNS = r"=+@\-\uff1d\uff0b\uff20\uff0d\ufe66\ufe62\ufe6b\ufe63"
_LINE_BREAKS = r"\t-\r\x85\u2028\u2029"
_INVISIBLE = (
    r"\x00-\x08\x0e-\x20\x7f-\x84\x86-\xa0\xad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f"
    r"\u202a-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_FORMULA_START = re.compile(rf"[\t\r\n]|[{_LINE_BREAKS}{_INVISIBLE}]*[{_FORMULA_SIGNS}]")
"""Text at the start of a cell that a spreadsheet may run; keep in sync with web/src/widgets/csv.ts."""
_INNER_FORMULA_START = re.compile(rf'[{_LINE_BREAKS};,"](?=[{_INVISIBLE}]*[{_FORMULA_SIGNS}])')
"""Places where a spreadsheet that splits text may find a formula; keep in sync with web/src/widgets/csv.ts."""


def accepts_csv(accept_header: str) -> bool:
    """Return whether an `Accept` header names CSV with a weight above 0; a star does not name it."""
    return accepts(accept_header, CSV)


def encode_csv(rows: Iterable[Sequence[str | int | None]]) -> bytes:
    """Return the rows as lines of CSV; no cell that a spreadsheet makes from text begins like a formula."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows([_escape_formulas(cell) for cell in row] for row in rows)
    return buffer.getvalue().encode()


def _escape_formulas(cell: str | int | None) -> str | int | None:
    if not isinstance(cell, str):
        return cell
    prefix = "'" if _FORMULA_START.match(cell) else ""
    return prefix + _INNER_FORMULA_START.sub(r"\g<0>'", cell)
