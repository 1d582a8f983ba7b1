"""Reports an import to the person at the terminal: the refused rows and, at the end, the totals."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec
from msgspec import Raw

from tallyroom.import_export.row import RefusedRow, RowDisplay
from tallyroom.import_export.run import RunTotals

MAX_SHOWN_REFUSALS: Final = 10


def format_count(count: int, singular: str, plural: str) -> str:
    """Return a number with its noun, as in ``1 row`` and ``1,200 rows``."""
    return f"{count:,} {singular if count == 1 else plural}"


class RefusalReport:
    """Shows the first refused rows, and writes all as lines of ``{"line", "reason", "row"}`` to `refusals_output`."""

    def __init__(
        self, print_line: Callable[[str], object], refusals_output: BinaryIO | None, number_label: str = "line"
    ) -> None:
        self._print_line = print_line
        self._refusals_output = refusals_output
        self._number_label = number_label
        self._refusal_count = 0

    def report_rows(self, rows: Iterable[RefusedRow]) -> None:
        """Report these rows as refused."""
        for row in rows:
            self._refusal_count += 1
            if self._refusal_count <= MAX_SHOWN_REFUSALS:
                self._print_line(f"{self._number_label} {row.line_number}: {row.reason}")
            if self._refusals_output is not None:
                record = {
                    "line": row.line_number,
                    "reason": _replace_invalid_utf8(row.reason),
                    "row": _display_as_json(row.display),
                }
                self._refusals_output.write(msgspec.json.encode(record) + b"\n")

    def report_remainder(self, path: Path | None) -> None:
        """Report where to find the rows that were not shown."""
        hidden_count = self._refusal_count - MAX_SHOWN_REFUSALS
        if hidden_count > 0:
            self._print_line(
                f"and {format_count(hidden_count, 'more refused row', 'more refused rows')}"
                + (f" in {path}" if path else "; --refused FILE writes them all")
            )


def format_summary(totals: RunTotals, resume_hint: str | None = None) -> str:
    """Return the totals in one or two sentences; `resume_hint` says how to continue an unfinished import."""
    counts = f"{totals.accepted_count:,} accepted, {totals.replay_count:,} already counted"
    text = f"{format_count(totals.row_count, 'row', 'rows')}: {counts}, {totals.refusal_count:,} refused."
    if totals.changed_batch_count:
        text += (
            f"\n{format_count(totals.changed_batch_count, 'batch', 'batches')} had already been sent by an earlier"
            " run, which had some rows refused. These rows are shown as already counted, but are still missing."
        )
    if resume_hint is not None:
        last_line = totals.settled_line_number
        progress_note = f"; every row up to line {last_line} was processed" if last_line else ""
        text += f"\nThe import did not finish{progress_note}. {resume_hint}".rstrip()
    return text


def hint_after_fix(resume_hint: str, totals: RunTotals) -> str:
    """Return `resume_hint` for when the same command would fail again; empty if there is nothing to resume."""
    return f"Once the cause is fixed, {resume_hint[0].lower()}{resume_hint[1:]}" if totals.row_count else ""


def describe_nameless_cells(count_by_column: Mapping[int, int]) -> Iterator[str]:
    """Describe how many non-empty cells were in CSV columns without a name, by the column's number."""
    if count_by_column:
        columns = [
            f"column {number} with {format_count(count, 'non-empty cell', 'non-empty cells')}"
            for number, count in sorted(count_by_column.items())
        ]
        yield f"Ignored, because the header has no name for it: {', '.join(columns)}."


def _display_as_json(display: RowDisplay) -> Any:
    if isinstance(display, bytes):
        try:
            msgspec.json.decode(display)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return display.decode(errors="replace")
        return Raw(display)
    return {
        _replace_invalid_utf8(column): cell if isinstance(cell, Raw) else _replace_invalid_utf8(cell)
        for column, cell in display.items()
    }


def _replace_invalid_utf8(text: str) -> str:
    return text.encode(errors="surrogateescape").decode(errors="replace")
