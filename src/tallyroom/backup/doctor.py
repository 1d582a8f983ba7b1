"""The doctor: examines everything that keeps events safe, and changes nothing."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from tallyroom import __version__
from tallyroom.backup.findings import Finding, broken, doubtful, fine
from tallyroom.backup.host_checks import check_host
from tallyroom.backup.progress import Progress
from tallyroom.backup.store_access import Condition, StoreAccess
from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import DATABASE_FILE, SPOOL_FILE, unusable
from tallyroom.core.database_file import find_problem, reading
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import Settings
from tallyroom.core.times import iso_ms
from tallyroom.db.migrate import revision_of
from tallyroom.db.stamp import read_losses
from tallyroom.installation.found import has_something
from tallyroom.installation.refusal import NotWhole, refuse_unless_whole
from tallyroom.store.errors import StoreError
from tallyroom.store.migrate import newest_version

Reach = Callable[[], AbstractContextManager[StoreAccess]]

_RESTORE = "Restore a backup into another directory with `tallyroom restore`, and keep this one as it is."


def examine(reach: Reach, settings: Settings, clock: Clock, progress: Progress, *, quick: bool) -> Iterator[Finding]:
    """Examine one thing after the other; if one cannot be examined, the others still are.

    Args:
        reach: provides access to the event store.
        settings: the settings of the server, which say where its data is.
        clock: tells what is old.
        progress: shows the progress of the slow checks.
        quick: skip the checks that read all data.
    """
    data = settings.data_dir
    if not has_something(data):
        yield broken("data", f"There is no Tallyroom data in {data}.", "Name its directory with --data.")
        return
    told = list(_parts(settings))
    yield from told
    try:
        with reach() as access:
            condition = access.condition()
            yield from _process(condition)
            yield from _balance(condition)
            yield from _dead_letters(condition)
            yield from _store(condition, access, progress, quick=quick)
    except NotWhole as refused:
        if not told:
            yield _not_whole(refused)
    except (TallyroomError, StoreError, sqlite3.Error, OSError) as error:
        why = error if isinstance(error, TallyroomError) else unusable(data, error)
        yield broken("server", f"{why}\n".splitlines()[0], "Until this is repaired, the events cannot be counted.")
    metadata = data / DATABASE_FILE
    yield from _database(metadata, quick=quick, schema=lambda: f", schema {revision_of(metadata)}")
    yield from _database(data / SPOOL_FILE, quick=quick)
    yield from _losses(metadata)
    yield from check_host(settings, clock)


def _parts(settings: Settings) -> Iterator[Finding]:
    """Report whether a server would refuse to start, in the words of its refusal."""
    try:
        refuse_unless_whole(settings.data_dir, key_given=bool(settings.secret_keys), check=False)
    except NotWhole as refused:
        yield _not_whole(refused)
    except (TallyroomError, sqlite3.Error, OSError) as error:
        yield broken("data", f"{error}\n".splitlines()[0], _RESTORE)


def _not_whole(refused: NotWhole) -> Finding:
    return broken("data", refused.text, refused.advice)


def _process(condition: Condition) -> Iterator[Finding]:
    running = condition.process != os.getpid()
    yield fine("server", f"runs as process {condition.process}" if running else "is not running")
    versions = (
        f"Tallyroom {condition.program}, ClickHouse {condition.engine}, "
        f"schemas {condition.spool_schema} (spool) and {condition.store_schema} (event store)"
    )
    if condition.program != __version__:
        advice = "Restart the server, so that it runs the installed version."
        yield doubtful("versions", f"The server is {condition.program}, this command {__version__}.", advice)
    elif condition.store_schema != newest_version():
        yield doubtful("versions", versions, f"The next start of the server upgrades the store to {newest_version()}.")
    else:
        yield fine("versions", versions)


def _balance(condition: Condition) -> Iterator[Finding]:
    balance, counts = condition.balance, condition.balance.counts
    sum_text = (
        f"{counts.acknowledged:,} acknowledged = {balance.events:,} in the store + {counts.queued:,} queued"
        f" + {counts.dead_letters:,} put aside + {counts.erased:,} erased"
        + (f" + {counts.lost:,} lost" if counts.lost else "")
        + (f"; {balance.others:,} more came through another spool" if balance.others else "")
    )
    if balance.unaccounted:
        yield broken("events", f"{sum_text}: the spool itself cannot account for {balance.unaccounted:,}.", _RESTORE)
    elif balance.adds_up:
        yield fine("events", sum_text)
    elif not balance.exact:
        yield doubtful(
            "events", f"{sum_text}; they moved while they were counted.", "Try again when the store accepts events."
        )
    elif balance.missing > 0:
        yield broken("events", f"{sum_text}: {balance.missing:,} are missing from the store.", _RESTORE)
    else:
        yield broken("events", f"{sum_text}: {-balance.missing:,} are in the store more than once.", _RESTORE)
    if counts.queued and condition.process == os.getpid():
        yield fine("queue", f"{counts.queued:,} wait for the next start of the server")
    if condition.failing:
        text = f"The store accepts no events, and {counts.queued:,} wait: {condition.failing.splitlines()[0]}"
        yield broken("queue", text, "Nothing is lost: they are stored once the cause is gone. Check disk and memory.")
    if counts.erasing or condition.unfinished_deletions:
        yield doubtful("erasure", "An erasure did not finish.", "Erase the actor or the environment again.")


def _dead_letters(condition: Condition) -> Iterator[Finding]:
    if not condition.reasons:
        return
    total = condition.balance.counts.dead_letters
    why = "; ".join(f"{letters:,} with {reason.splitlines()[0][:160]}" for reason, letters in condition.reasons)
    advice = "They are kept in the table dead_letter of spool.sqlite. Please report the reason: it should not happen."
    yield doubtful("put aside", f"The store could not accept {total:,}: {why}", advice)


def _store(condition: Condition, access: StoreAccess, progress: Progress, *, quick: bool) -> Iterator[Finding]:
    for damage in condition.damage:
        yield broken("store", f"{damage}: missing from every answer.", _RESTORE)
    if quick:
        yield fine("store", f"{condition.parts:,} parts, not read")
        return
    progress.begin("Reading the store", condition.parts)
    parts = rows = damaged = 0
    for part in access.check():
        parts, rows = parts + 1, rows + part.rows
        progress.advance(1)
        if part.problem:
            damaged += 1
            yield broken(
                "store", f"{part.table}/{part.part} with {part.rows:,} rows is damaged: {part.problem}", _RESTORE
            )
    if not damaged:
        yield fine("store", f"{parts:,} parts with {rows:,} rows read, all undamaged")


def _database(path: Path, *, quick: bool, schema: Callable[[], str] = str) -> Iterator[Finding]:
    if not path.exists():
        return
    if problem := find_problem(path, quick=quick):
        yield broken(path.stem, f"{path.name} is damaged: {problem}", _RESTORE)
    else:
        yield fine(path.stem, f"{path.name} is sound{schema()}")


def _losses(metadata: Path) -> Iterator[Finding]:
    """Report what the operator accepted as lost."""
    with suppress(sqlite3.Error), reading(metadata) as connection:
        for at_ms, what in read_losses(connection):
            moment = iso_ms(at_ms)[:16].replace("T", " ")
            advice = "Restore an earlier backup elsewhere, export the missing events there, and import them here."
            yield doubtful("lost", f"At the start of {moment} UTC {what}.", advice)
