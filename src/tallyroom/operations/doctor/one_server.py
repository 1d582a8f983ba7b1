"""The doctor: examines everything that keeps events safe, and changes nothing."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import (
    DATABASE_FILE,
    SPOOL_FILE,
    OfWorkers,
    refuse_of_workers,
    unusable,
)
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import Settings
from tallyroom.core.version import VERSION
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.backup.store_access import Condition, StoreAccess
from tallyroom.operations.doctor.data_checks import (
    RESTORE,
    check_damage,
    check_database,
    check_losses,
    check_spool,
    losses_in,
    read_parts,
    said_sum,
)
from tallyroom.operations.doctor.findings import Finding, broken, doubtful, fine
from tallyroom.operations.doctor.host_checks import check_host
from tallyroom.operations.installation.inspection import has_something
from tallyroom.operations.installation.refusal import NotWhole, refuse_unless_whole
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.migrate import newest_version
from tallyroom.storage.metadata.migrate import revision_of

Reach = Callable[[], AbstractContextManager[StoreAccess]]


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
    try:
        refuse_of_workers(data)
    except OfWorkers as refusal:
        yield broken("data", refusal.text, refusal.advice)
        return
    if not has_something(data):
        yield broken("data", f"There is no Tallyroom data in {data}.", "Name its directory with --data.")
        return
    findings = list(_parts(settings))
    yield from findings
    try:
        with reach() as access:
            condition = access.condition()
            yield from _process(condition)
            yield from _balance(condition)
            yield from check_spool(condition.balance.counts, condition.reasons)
            yield from check_damage(condition.damage)
            yield from read_parts(condition.parts, access.check, progress, quick=quick)
    except NotWhole as refusal:
        if not findings:
            yield _not_whole(refusal)
    except (TallyroomError, StoreError, sqlite3.Error, OSError) as error:
        why = error if isinstance(error, TallyroomError) else unusable(data, error)
        yield broken("server", f"{why}\n".splitlines()[0], "Until this is repaired, the events cannot be counted.")
    metadata = data / DATABASE_FILE
    yield from check_database(metadata, quick=quick, schema=lambda: f", schema {revision_of(metadata)}")
    yield from check_database(data / SPOOL_FILE, quick=quick)
    yield from check_losses(losses_in(metadata))
    yield from check_host(settings, clock)


def _parts(settings: Settings) -> Iterator[Finding]:
    """Report whether a server would refuse to start, in the words of its refusal."""
    try:
        refuse_unless_whole(settings.data_dir, key_given=bool(settings.secret_keys), check=False)
    except NotWhole as refusal:
        yield _not_whole(refusal)
    except (TallyroomError, sqlite3.Error, OSError) as error:
        yield broken("data", f"{error}\n".splitlines()[0], RESTORE)


def _not_whole(refusal: NotWhole) -> Finding:
    return broken("data", refusal.text, refusal.advice)


def _process(condition: Condition) -> Iterator[Finding]:
    running = condition.process != os.getpid()
    yield fine("server", f"runs as process {condition.process}" if running else "is not running")
    versions = (
        f"Tallyroom {condition.program}, ClickHouse {condition.engine}, "
        f"schemas {condition.spool_schema} (spool) and {condition.store_schema} (event store)"
    )
    if condition.program != VERSION:
        advice = "Restart the server, so that it runs the installed version."
        yield doubtful("versions", f"The server is {condition.program}, this command {VERSION}.", advice)
    elif condition.store_schema != newest_version():
        yield doubtful("versions", versions, f"The next start of the server upgrades the store to {newest_version()}.")
    else:
        yield fine("versions", versions)


def _balance(condition: Condition) -> Iterator[Finding]:
    balance, counts = condition.balance, condition.balance.counts
    sum_text = said_sum(counts, balance.events, balance.others)
    if balance.unaccounted:
        yield broken("events", f"{sum_text}: the spool itself cannot account for {balance.unaccounted:,}.", RESTORE)
    elif balance.adds_up:
        yield fine("events", sum_text)
    elif not balance.exact:
        yield doubtful(
            "events", f"{sum_text}; they moved while they were counted.", "Try again when the store accepts events."
        )
    elif balance.missing > 0:
        yield broken("events", f"{sum_text}: {balance.missing:,} are missing from the store.", RESTORE)
    else:
        yield broken("events", f"{sum_text}: {-balance.missing:,} are in the store more than once.", RESTORE)
    if counts.queued and condition.process == os.getpid():
        yield fine("queue", f"{counts.queued:,} wait for the next start of the server")
    if condition.failing:
        text = f"The store accepts no events, and {counts.queued:,} wait: {condition.failing.splitlines()[0]}"
        yield broken("queue", text, "Nothing is lost: they are stored once the cause is gone. Check disk and memory.")
    if counts.erasing or condition.unfinished_deletions:
        yield doubtful("erasure", "An erasure did not finish.", "Erase the actor or the environment again.")
