"""CSV that people open in a spreadsheet, which must not run what others wrote (rules/questions#spreadsheets)."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from tallyroom.rest.accept_headers import takes

CSV = "text/csv"
MEDIA_TYPE = f"{CSV}; header=present"  # the framework adds the charset
BYTE_ORDER_MARK = "\ufeff".encode()
"""How such a file begins: without it, spreadsheets take UTF-8 for the charset of the machine."""

_SIGNS = r"=+@\-\uff1d\uff0b\uff20\uff0d\ufe66\ufe62\ufe6b\ufe63"
_BREAKS = r"\t-\r\x85\u2028\u2029"
_INVISIBLE = (
    r"\x00-\x08\x0e-\x20\x7f-\x84\x86-\xa0\xad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f"
    r"\u202a-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_FORMULA = re.compile(rf"[\t\r\n]|[{_BREAKS}{_INVISIBLE}]*[{_SIGNS}]")
"""How a text begins that a spreadsheet may run; web/src/widgets/csv.ts has the same."""
_LATER_FORMULA = re.compile(rf'[{_BREAKS};,"](?=[{_INVISIBLE}]*[{_SIGNS}])')
"""Where a spreadsheet that splits a text may find another; web/src/widgets/csv.ts has the same."""


def takes_csv(accept: str) -> bool:
    """Return True if an `Accept` header names CSV without a weight of 0; a star does not name it."""
    return takes(accept, CSV)


def csv_lines(rows: Iterable[Sequence[str | int | None]]) -> bytes:
    """Return the rows as lines of CSV; no cell that a spreadsheet makes of a text begins like a formula."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows([_inert(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def _inert(cell: str | int | None) -> str | int | None:
    if not isinstance(cell, str):
        return cell
    start = "'" if _FORMULA.match(cell) else ""
    return start + _LATER_FORMULA.sub(r"\g<0>'", cell)
