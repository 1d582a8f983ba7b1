"""CSV that people open in a spreadsheet, which must not run what others wrote (rules/questions#behind-a-number)."""

import csv
import io
from collections.abc import Iterable, Sequence

from tallyroom.rest.offers import takes

CSV = "text/csv"
MEDIA_TYPE = f"{CSV}; charset=utf-8; header=present"

_FORMULA = ("=", "+", "-", "@")


def takes_csv(accept: str) -> bool:
    """Return True if an `Accept` header names CSV without a weight of 0; a star does not name it."""
    return takes(accept, CSV)


def csv_lines(rows: Iterable[Sequence[str | int | None]]) -> bytes:
    """Return the rows as lines of CSV; a text that a spreadsheet would take for a formula begins with an apostrophe."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows([_inert(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def _inert(cell: str | int | None) -> str | int | None:
    if isinstance(cell, str) and cell.lstrip().startswith(_FORMULA):
        return f"'{cell}"
    return cell
