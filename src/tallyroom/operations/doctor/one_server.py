"""The doctor: examines everything that keeps events safe, and changes nothing."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import (
    DATABASE_FILE,
    SPOOL_FILE,
    WorkersDirectory,
    build_unusable_error,
    refuse_workers_directory,
)
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import Settings
from tallyroom.core.version import VERSION
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.backup.store_access import StoreAccess, StoreCondition
from tallyroom.operations.doctor.alert_checks import check_delayed_alerts, read_delayed_alerts
from tallyroom.operations.doctor.data_checks import (
    RESTORE_ADVICE,
    check_damage,
    check_database,
    check_fill,
    check_losses,
    check_property_columns,
    check_spool,
    check_store_parts,
    format_event_sum,
    read_accepted_losses,
)
from tallyroom.operations.doctor.findings import Finding, report_broken, report_ok, report_warning
from tallyroom.operations.doctor.host_checks import check_host
from tallyroom.operations.installation.inspection import has_any_part
from tallyroom.operations.installation.refusal import IncompleteInstallation, refuse_incomplete
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.migrate import newest_version
from tallyroom.storage.metadata.migrate import read_file_revision

OpenStoreAccess = Callable[[], AbstractContextManager[StoreAccess]]


def examine_server(
    open_access: OpenStoreAccess, settings: Settings, clock: Clock, progress: Progress, *, quick: bool
) -> Iterator[Finding]:
    """Examine one thing after another, even if one cannot be examined; `quick` skips checks that read all data."""
    data_dir = settings.data_dir
    try:
        refuse_workers_directory(data_dir)
    except WorkersDirectory as refusal:
        yield report_broken("data", refusal.finding, refusal.advice)
        return
    if not has_any_part(data_dir):
        yield report_broken("data", f"There is no Tallyroom data in {data_dir}.", "Pass its directory with --data.")
        return
    yield from (start_findings := list(_find_start_refusals(settings)))
    try:
        with open_access() as access:
            yield from _check_store(access, progress, quick=quick)
    except IncompleteInstallation as refusal:
        if not start_findings:
            yield _report_refusal(refusal)
    except (TallyroomError, StoreError, sqlite3.Error, OSError) as error:
        reason = error if isinstance(error, TallyroomError) else build_unusable_error(data_dir, error)
        text = f"{reason}\n".splitlines()[0]
        yield report_broken("server", text, "Until this is repaired, the events cannot be counted.")
    database = data_dir / DATABASE_FILE
    yield from check_database(database, quick=quick, describe_schema=lambda: f", schema {read_file_revision(database)}")
    yield from check_database(data_dir / SPOOL_FILE, quick=quick)
    yield from check_delayed_alerts(read_delayed_alerts(database), clock.now_ms())
    yield from check_losses(read_accepted_losses(database))
    yield from check_host(settings, clock)


def _find_start_refusals(settings: Settings) -> Iterator[Finding]:
    """Report whether a server would refuse to start, with its error message."""
    try:
        refuse_incomplete(settings.data_dir, is_key_given=bool(settings.secret_keys), must_check_damage=False)
    except IncompleteInstallation as refusal:
        yield _report_refusal(refusal)
    except (TallyroomError, sqlite3.Error, OSError) as error:
        yield report_broken("data", f"{error}\n".splitlines()[0], RESTORE_ADVICE)


def _report_refusal(refusal: IncompleteInstallation) -> Finding:
    return report_broken("data", refusal.text, refusal.advice)


def _check_store(access: StoreAccess, progress: Progress, *, quick: bool) -> Iterator[Finding]:
    condition = access.read_condition()
    yield from _check_process(condition)
    yield from _check_balance(condition)
    yield from check_spool(condition.balance.counts, condition.reasons)
    yield from check_damage(condition.damage)
    yield from check_property_columns(condition.property_columns, condition.unfilled_months)
    yield from check_fill(condition.unfilled_number_months)
    yield from check_store_parts(condition.parts, access.check_parts, progress, quick=quick)


def _check_process(condition: StoreCondition) -> Iterator[Finding]:
    is_running = condition.process != os.getpid()
    yield report_ok("server", f"runs as process {condition.process}" if is_running else "is not running")
    version_text = (
        f"Tallyroom {condition.program}, ClickHouse {condition.engine}, "
        f"schemas {condition.spool_schema} (spool) and {condition.store_schema} (event store)"
    )
    if condition.program != VERSION:
        advice = "Restart the server, so that it runs the installed version."
        yield report_warning("versions", f"The server runs {condition.program}, but this command is {VERSION}.", advice)
    elif condition.store_schema != newest_version():
        advice = f"The server upgrades the store to {newest_version()} when it next starts."
        yield report_warning("versions", version_text, advice)
    else:
        yield report_ok("versions", version_text)


def _check_balance(condition: StoreCondition) -> Iterator[Finding]:
    balance, spool_counts = condition.balance, condition.balance.counts
    sum_text = format_event_sum(spool_counts, balance.events, balance.others)
    if balance.unaccounted_count:
        text = f"{sum_text}: the spool itself cannot account for {balance.unaccounted_count:,}."
        yield report_broken("events", text, RESTORE_ADVICE)
    elif balance.adds_up:
        yield report_ok("events", sum_text)
    elif not balance.exact:
        advice = "Try again when the store accepts events."
        yield report_warning("events", f"{sum_text}; they moved while they were counted.", advice)
    elif balance.missing_count > 0:
        text = f"{sum_text}: {balance.missing_count:,} are missing from the store."
        yield report_broken("events", text, RESTORE_ADVICE)
    else:
        text = f"{sum_text}: {-balance.missing_count:,} are stored more than once."
        yield report_broken("events", text, RESTORE_ADVICE)
    if spool_counts.queued and condition.process == os.getpid():
        yield report_ok("queue", f"{spool_counts.queued:,} are queued until the server next starts")
    if condition.failing:
        text = (
            f"The store accepts no events, and {spool_counts.queued:,} are queued: {condition.failing.splitlines()[0]}"
        )
        yield report_broken(
            "queue", text, "Nothing is lost: they will be stored once this is fixed. Check disk and memory."
        )
    if spool_counts.erasing or condition.unfinished_deletions:
        yield report_warning("erasure", "An erasure did not finish.", "Erase the actor or the environment again.")
