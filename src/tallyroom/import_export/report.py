"""Reports an import to the person at the terminal: the refused rows and, at the end, the numbers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec
from msgspec import Raw

from tallyroom.import_export.row import RefusedRow, Shown
from tallyroom.import_export.run import RunTotals

SHOWN_REFUSALS: Final = 10


def counted(number: int, one: str, many: str) -> str:
    """Write a number with its noun, as in ``1 row`` and ``1,200 rows``."""
    return f"{number:,} {one if number == 1 else many}"


class Refusals:
    """Shows the first refused rows, and writes all of them to a file.

    Args:
        say: shows one line.
        file: takes each refused row as ``{"line", "reason", "row"}``, one a line; None for nowhere.
        unit: what a row's number counts.
    """

    def __init__(self, say: Callable[[str], object], file: BinaryIO | None, unit: str = "line") -> None:
        self._say = say
        self._file = file
        self._unit = unit
        self._count = 0

    def note(self, rows: Iterable[RefusedRow]) -> None:
        """Report these rows as refused."""
        for row in rows:
            self._count += 1
            if self._count <= SHOWN_REFUSALS:
                self._say(f"{self._unit} {row.line}: {row.reason}")
            if self._file is not None:
                record = {"line": row.line, "reason": _sound(row.reason), "row": _shown(row.display)}
                self._file.write(msgspec.json.encode(record) + b"\n")

    def close(self, path: Path | None) -> None:
        """Say where the rows that were not shown are."""
        more = self._count - SHOWN_REFUSALS
        if more > 0:
            self._say(
                f"and {counted(more, 'more refused row', 'more refused rows')}"
                + (f" in {path}" if path else "; --refused FILE writes them all")
            )


def summary(tally: RunTotals, resuming: str | None = None) -> str:
    """The numbers in one or two sentences; `resuming` says how to go on with an import that did not finish."""
    counts = f"{tally.accepted:,} accepted, {tally.replays:,} counted before, {tally.refusals:,} refused"
    text = f"{counted(tally.rows, 'row', 'rows')}: {counts}."
    if tally.changed_batches:
        text += (
            f"\n{counted(tally.changed_batches, 'batch', 'batches')} had already been sent without some rows that"
            " were refused then; those rows are among the ones counted before, and are still missing."
        )
    if resuming is not None:
        progress = f"; every row up to line {tally.through} is settled" if tally.through else ""
        text += f"\nThe import did not finish{progress}. {resuming}".rstrip()
    return text


def once_mended(resuming: str, tally: RunTotals) -> str:
    """`resuming` where the same command would end in the same way again; empty where there is nothing to go on with."""
    return f"Once the cause is fixed: {resuming[0].lower()}{resuming[1:]}" if tally.rows else ""


def left_out(nameless: Mapping[int, int]) -> Iterator[str]:
    """What stood in columns of CSV without a name: how many cells that are not empty, by the column's number."""
    if nameless:
        columns = [
            f"column {number} with {counted(count, 'cell that is', 'cells that are')} not empty"
            for number, count in sorted(nameless.items())
        ]
        yield f"Left out, because the header has no name for it: {', '.join(columns)}."


def _shown(display: Shown) -> Any:
    if isinstance(display, bytes):
        try:
            msgspec.json.decode(display)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return display.decode(errors="replace")
        return Raw(display)
    return {_sound(column): cell if isinstance(cell, Raw) else _sound(cell) for column, cell in display.items()}


def _sound(text: str) -> str:
    """`text` with a replacement character for each byte that was no UTF-8."""
    return text.encode(errors="surrogateescape").decode(errors="replace")
