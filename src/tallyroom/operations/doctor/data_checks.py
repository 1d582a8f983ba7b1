"""The doctor's checks of what stores events, for one server or each of several workers."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from tallyroom.core.times import iso_ms
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.doctor.findings import Finding, report_broken, report_ok, report_warning
from tallyroom.storage.database_file import find_problem, open_read_only
from tallyroom.storage.event_store.part_check import CheckedPart
from tallyroom.storage.metadata.stamp import Loss, read_losses
from tallyroom.storage.spool.event_counts import SpoolCounts

RESTORE_ADVICE = "Restore a backup into another directory with `tallyroom restore`, and keep this one unchanged."


_MAX_DESCRIPTION_LENGTH = 60


def format_event_sum(spool_counts: SpoolCounts, event_count: int, other_event_count: int) -> str:
    """Describe the sum of all events; `other_event_count` are events of other spools in the store."""
    return (
        f"{spool_counts.acknowledged:,} acknowledged = {event_count:,} in the store + {spool_counts.queued:,} queued"
        f" + {spool_counts.dead_letters:,} put aside + {spool_counts.erased:,} erased"
        + (f" + {spool_counts.written_off:,} lost" if spool_counts.written_off else "")
        + (f"; {other_event_count:,} more came through another spool" if other_event_count else "")
    )


def check_spool(spool_counts: SpoolCounts, reason_counts: Sequence[tuple[str, int]]) -> Iterator[Finding]:
    """Report the dead letters of the spool, with the reasons, and the records that it repaired."""
    if reason_counts:
        reasons = "; ".join(f"{count:,} with {reason.splitlines()[0][:160]}" for reason, count in reason_counts)
        text = f"{spool_counts.dead_letters:,} could not be stored and are missing from every answer: {reasons}"
        advice = (
            "They are in the dead_letter table of spool.sqlite. If their bytes changed, check disk and memory. "
            "Otherwise, please report the reason: it should not happen."
        )
        yield report_warning("put aside", text, advice)
    if spool_counts.mended_records:
        text = f"{spool_counts.mended_records:,} of its own records had changed on the disk and were repaired"
        advice = "Nothing is lost. Check disk and memory; the log lists each repair as an error."
        yield report_warning("spool", text, advice)


def check_damage(damage_lines: Iterable[str]) -> Iterator[Finding]:
    """Report what is missing from the store."""
    for damage_line in damage_lines:
        yield report_broken("store", f"{damage_line}: missing from every answer.", RESTORE_ADVICE)


def check_store_parts(
    part_count: int, read_parts: Callable[[], Iterator[CheckedPart]], progress: Progress, *, quick: bool
) -> Iterator[Finding]:
    """Read every part of the store, unless `quick`."""
    if quick:
        yield report_ok("store", f"{part_count:,} parts, not read")
        return
    progress.begin_step("Reading the store", part_count)
    read_count = row_count = problem_count = 0
    for part in read_parts():
        read_count, row_count = read_count + 1, row_count + part.row_count
        progress.advance(1)
        if part.problem:
            problem_count += 1
            text = f"{part.table}/{part.part} with {part.row_count:,} rows is damaged: {part.problem}"
            yield report_broken("store", text, RESTORE_ADVICE)
    if not problem_count:
        yield report_ok("store", f"{read_count:,} parts with {row_count:,} rows read, all undamaged")


def check_property_columns(descriptions: Sequence[str], unfilled_month_count: int) -> Iterator[Finding]:
    """Report which properties have a column of their own, and how many months are not filled, if there are any."""
    if not descriptions:
        return
    months_text = f"; months that are not filled yet: {unfilled_month_count:,}" if unfilled_month_count else ""
    names = ", ".join(map(_shorten, descriptions))
    yield report_ok("property columns", f"{len(descriptions):,}: {names}{months_text}")


def check_fill(unfilled_month_count: int) -> Iterator[Finding]:
    """Report how many months of an upgraded store are not filled yet (rules/events#kinds-of-values)."""
    if unfilled_month_count:
        months = "1 month" if unfilled_month_count == 1 else f"{unfilled_month_count:,} months"
        yield report_ok("numbers", f"{months} left in which numbers beyond a double are not told apart yet")


def check_database(path: Path, *, quick: bool, describe_schema: Callable[[], str] = str) -> Iterator[Finding]:
    """Let SQLite check a file, if it exists."""
    if not path.exists():
        return
    if problem := find_problem(path, quick=quick):
        yield report_broken(path.stem, f"{path.name} is damaged: {problem}", RESTORE_ADVICE)
    else:
        yield report_ok(path.stem, f"{path.name} is undamaged{describe_schema()}")


def read_accepted_losses(metadata_file: Path) -> Sequence[Loss]:
    """Return the losses that the operator accepted; empty if the metadata file cannot be read."""
    with suppress(sqlite3.Error), open_read_only(metadata_file) as connection:
        return read_losses(connection)
    return ()


def _shorten(description: str) -> str:
    """Return a description in one line of limited length."""
    line = " ".join(description.split())
    return line if len(line) <= _MAX_DESCRIPTION_LENGTH else f"{line[:_MAX_DESCRIPTION_LENGTH]}…"


def check_losses(losses: Sequence[Loss]) -> Iterator[Finding]:
    """Report the losses that the operator accepted."""
    for lost_ms, text in losses:
        lost_at = iso_ms(lost_ms)[:16].replace("T", " ")
        advice = "Restore an earlier backup elsewhere, export the missing events there, and import them here."
        yield report_warning("lost", f"When the server started at {lost_at} UTC, {text}.", advice)
