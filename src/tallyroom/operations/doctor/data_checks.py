"""The doctor's checks of what keeps events, for one server as for each of several workers."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from tallyroom.core.times import iso_ms
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.doctor.findings import Finding, broken, doubtful, fine
from tallyroom.storage.database_file import find_problem, reading
from tallyroom.storage.event_store.part_check import CheckedPart
from tallyroom.storage.metadata.stamp import Loss, read_losses
from tallyroom.storage.spool.event_counts import SpoolNumbers

RESTORE = "Restore a backup into another directory with `tallyroom restore`, and keep this one as it is."


def said_sum(counts: SpoolNumbers, events: int, other_events: int) -> str:
    """Say the sum of all events.

    Args:
        counts: those of the spool.
        events: the number of its events in the store.
        other_events: the number of other events there.
    """
    return (
        f"{counts.acknowledged:,} acknowledged = {events:,} in the store + {counts.queued:,} queued"
        f" + {counts.dead_letters:,} put aside + {counts.erased:,} erased"
        + (f" + {counts.lost:,} lost" if counts.lost else "")
        + (f"; {other_events:,} more came through another spool" if other_events else "")
    )


def check_spool(counts: SpoolNumbers, reasons: Sequence[tuple[str, int]]) -> Iterator[Finding]:
    """Report what the spool put aside, with the reasons, and which of its own records it set right."""
    yield from _check_dead_letters(counts.dead_letters, reasons)
    yield from _check_records(counts.mended)


def _check_dead_letters(total: int, reasons: Sequence[tuple[str, int]]) -> Iterator[Finding]:
    """Report the events that never reached the store, and why."""
    if not reasons:
        return
    why = "; ".join(f"{letters:,} with {reason.splitlines()[0][:160]}" for reason, letters in reasons)
    advice = (
        "They are kept in the table dead_letter of spool.sqlite. If their bytes changed, check disk and memory. "
        "Otherwise, please report the reason: it should not happen."
    )
    yield doubtful("put aside", f"{total:,} could not be stored and are in no answer: {why}", advice)


def _check_records(records: int) -> Iterator[Finding]:
    """Report that records of the spool had changed on the disk."""
    if records:
        text = f"{records:,} of its own records had changed on the disk and were set right"
        yield doubtful("spool", text, "Nothing is lost. Check disk and memory; the log has each at the level error.")


def check_damage(damage: Iterable[str]) -> Iterator[Finding]:
    """Report what is gone from the store."""
    for line in damage:
        yield broken("store", f"{line}: missing from every answer.", RESTORE)


def read_parts(
    count: int, parts: Callable[[], Iterator[CheckedPart]], progress: Progress, *, quick: bool
) -> Iterator[Finding]:
    """Read every part of the store.

    Args:
        count: how many there are.
        parts: reads them.
        progress: shows the progress.
        quick: do not.
    """
    if quick:
        yield fine("store", f"{count:,} parts, not read")
        return
    progress.begin("Reading the store", count)
    read = rows = problems = 0
    for part in parts():
        read, rows = read + 1, rows + part.rows
        progress.advance(1)
        if part.problem:
            problems += 1
            yield broken(
                "store", f"{part.table}/{part.part} with {part.rows:,} rows is damaged: {part.problem}", RESTORE
            )
    if not problems:
        yield fine("store", f"{read:,} parts with {rows:,} rows read, all undamaged")


def check_database(path: Path, *, quick: bool, schema: Callable[[], str] = str) -> Iterator[Finding]:
    """Let SQLite check a file, if there is one."""
    if not path.exists():
        return
    if problem := find_problem(path, quick=quick):
        yield broken(path.stem, f"{path.name} is damaged: {problem}", RESTORE)
    else:
        yield fine(path.stem, f"{path.name} is sound{schema()}")


def losses_in(metadata: Path) -> Sequence[Loss]:
    """Return what the operator accepted as lost, as far as a file of metadata can be read."""
    with suppress(sqlite3.Error), reading(metadata) as connection:
        return read_losses(connection)
    return ()


def check_losses(losses: Sequence[Loss]) -> Iterator[Finding]:
    """Report what the operator accepted as lost."""
    for at_ms, text in losses:
        moment = iso_ms(at_ms)[:16].replace("T", " ")
        advice = "Restore an earlier backup elsewhere, export the missing events there, and import them here."
        yield doubtful("lost", f"At the start of {moment} UTC {text}.", advice)
