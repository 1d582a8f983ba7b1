"""Accounts for the events of each spool, and reports whether they add up."""

import sqlite3
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

import msgspec

from tallyroom.cluster.open_metadata import read_survey
from tallyroom.cluster.survey import SurveyedSpool
from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import SPOOL_FILE, build_unusable_error, hold_directory
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import Settings
from tallyroom.core.version import VERSION
from tallyroom.operations.backup.balance import EventBalance
from tallyroom.operations.backup.store_access import StoreAccess, StoreCondition
from tallyroom.operations.doctor.data_checks import RESTORE_ADVICE, check_damage, check_spool, format_event_sum
from tallyroom.operations.doctor.findings import Finding, report_broken, report_ok, report_warning
from tallyroom.operations.doctor.servers import REPAIR_ADVICE
from tallyroom.storage.database_file import open_read_only
from tallyroom.storage.event_store.part_check import count_events_by_spool
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.event_counts import SpoolCounts, read_spool_counts

ConnectToWorker = Callable[[Path], AbstractContextManager[StoreAccess]]
"""Provides access to the running worker on a directory; raises `OSError` if none runs there."""

_MAX_POLLS = 30
_POLL_SECONDS = 0.2


class SpoolBalance(NamedTuple):
    """The account of one spool's events."""

    name: str  # of the spool, for the operator
    counts: SpoolCounts
    event_count: int  # in the store
    missing_count: int  # how many events are certainly missing; negative if there are too many
    is_exact: bool  # whether `event_count` is what `counts` say, or `missing_count` is certain


def _compute_event_bounds(counts_before: SpoolCounts, counts_after: SpoolCounts) -> tuple[int, int]:
    """Return the least and the most events of a spool that the store may have had between two readings."""
    deleted_count = counts_after.erased - counts_before.erased + counts_after.erasing
    written_off_count = counts_after.written_off - counts_before.written_off
    min_event_count = counts_before.expected_in_store - deleted_count - written_off_count
    return min_event_count, counts_after.expected_in_store + counts_after.claimed + deleted_count


def read_reported_counts(spool: SurveyedSpool) -> SpoolCounts | None:
    """Return the last counts that a spool's worker reported; None if there are none that can be read."""
    try:
        return msgspec.json.decode(spool.counts_json, type=SpoolCounts)
    except msgspec.DecodeError:
        return None


def balance_spool_folder(
    folder: Path, name: str, connect_to_worker: ConnectToWorker, writer: Writer
) -> Generator[Finding, None, SpoolBalance | None]:
    """Account for the spool in a directory of this host, through its worker if it runs."""
    try:
        with connect_to_worker(folder) as access:
            condition = access.read_condition()
    except OSError:
        return (yield from _balance_stopped_spool(folder, name, writer))
    except TallyroomError as error:
        yield report_broken("worker", f"{name}: {error}", REPAIR_ADVICE)
        return None
    yield from _check_worker(name, condition)
    return _build_spool_balance(name, condition.balance)


def _balance_stopped_spool(folder: Path, name: str, writer: Writer) -> Generator[Finding, None, SpoolBalance | None]:
    if not (folder / SPOOL_FILE).is_file():
        return None
    try:
        with hold_directory(folder), open_read_only(folder / SPOOL_FILE) as connection:
            spool_counts = read_spool_counts(connection)
            balance = EventBalance(spool_counts, count_events_by_spool(writer).get(spool_counts.spool, 0), 0)
    except (TallyroomError, sqlite3.Error, OSError) as error:
        reason = error if isinstance(error, TallyroomError) else build_unusable_error(folder, error)
        yield report_broken("worker", f"{name}: {reason}\n".splitlines()[0], REPAIR_ADVICE)
        return None
    yield report_ok("worker", f"{name} is not running; {spool_counts.queued:,} events are queued in its spool")
    return _build_spool_balance(name, balance)


def _build_spool_balance(name: str, balance: EventBalance) -> SpoolBalance:
    missing_count = 0 if balance.adds_up else balance.missing_count or balance.unaccounted_count
    return SpoolBalance(name, balance.counts, balance.events, missing_count, balance.exact)


def _check_worker(name: str, condition: StoreCondition) -> Iterator[Finding]:
    spool_counts = condition.balance.counts
    if condition.program != VERSION:
        text = f"Worker {name} runs {condition.program}, but this command is {VERSION}."
        yield report_warning("versions", text, "Send SIGHUP to its parent, so that it runs the installed version.")
    yield report_ok(
        "worker", f"{name} runs as process {condition.process}; {spool_counts.queued:,} events are queued in its spool"
    )
    if condition.failing:
        reason = condition.failing.splitlines()[0]
        text = f"{name}: the store accepts no events, and {spool_counts.queued:,} are queued: {reason}"
        yield report_broken("queue", text, "Nothing is lost: they will be stored once this is fixed. Check the server.")
    yield from prefix_findings(name, check_spool(spool_counts, condition.reasons))
    yield from check_damage(condition.damage)


def balance_other_hosts(
    spools: Sequence[SurveyedSpool], settings: Settings, clock: Clock, writer: Writer
) -> Iterator[SpoolBalance]:
    """Account for the spools of other hosts by what their workers report before and after reading the store."""
    counts_before_by_spool = {spool.identity: read_reported_counts(spool) for spool in spools}
    event_count_by_spool = count_events_by_spool(writer)
    counts_after_by_spool = _wait_for_reported_counts(spools, settings, clock)
    for spool in spools:
        counts_before, counts_after = counts_before_by_spool[spool.identity], counts_after_by_spool.get(spool.identity)
        if counts_before is None:
            continue
        event_count, name = event_count_by_spool.get(spool.identity, 0), f"{spool.identity} on {spool.host}"
        min_count, max_count = _compute_event_bounds(counts_before, counts_after or counts_before)
        missing_count = max(0, min_count - event_count)
        if counts_after is not None and not missing_count:  # a dead worker may have delivered more than reported
            missing_count = min(0, max_count - event_count)
        spool_counts = counts_after or counts_before
        yield SpoolBalance(
            name,
            spool_counts,
            event_count,
            missing_count,
            is_exact=bool(missing_count) or spool_counts.expected_in_store == event_count,
        )


def _wait_for_reported_counts(
    spools: Sequence[SurveyedSpool], settings: Settings, clock: Clock
) -> Mapping[int, SpoolCounts]:
    """Wait for new reports from the workers, and return the counts of those that report in time."""
    pending_spools = {spool.identity: spool.reported_ms or 0 for spool in spools if spool.has_worker}
    counts_by_spool: dict[int, SpoolCounts] = {}
    started_ms = None
    for _ in range(_MAX_POLLS):
        if not pending_spools:
            break
        survey = read_survey(settings.db_dsn, clock.now_ms)
        started_ms = started_ms or survey.now_ms
        for spool in survey.spools:
            spool_counts = read_reported_counts(spool)
            if spool.identity in pending_spools and (spool.reported_ms or 0) >= started_ms and spool_counts is not None:
                counts_by_spool[spool.identity] = spool_counts
                del pending_spools[spool.identity]
        time.sleep(_POLL_SECONDS if pending_spools else 0)
    return counts_by_spool


def check_event_sum(spool_balances: Sequence[SpoolBalance], other_event_count: int) -> Iterator[Finding]:
    """Report whether the events of all spools add up; `other_event_count` events in the store are from none of them."""
    wrong_balances = [spool_balance for spool_balance in spool_balances if spool_balance.missing_count]
    for name, spool_counts, event_count, missing_count, is_exact in wrong_balances:
        text = f"{name}: {format_event_sum(spool_counts, event_count, 0)}"
        if not is_exact:
            yield report_warning("events", f"{text}; they moved while they were counted.", "Try again.")
        elif spool_counts.acknowledged != spool_counts.left_spool + spool_counts.queued:
            yield report_broken("events", f"{text}: the spool itself cannot account for all of them.", RESTORE_ADVICE)
        elif missing_count > 0:
            yield report_broken("events", f"{text}: {missing_count:,} are missing from the store.", RESTORE_ADVICE)
        else:
            yield report_broken("events", f"{text}: {-missing_count:,} are stored more than once.", RESTORE_ADVICE)
    if spool_balances and not wrong_balances:
        event_count = sum(balance.event_count for balance in spool_balances)
        moving_note = "" if all(balance.is_exact for balance in spool_balances) else "; some moved meanwhile"
        counts = _sum_counts([balance.counts for balance in spool_balances])
        text = format_event_sum(counts, event_count, other_event_count)
        yield report_ok("events", f"{text}, of {len(spool_balances):,} spools{moving_note}")


def _sum_counts(all_counts: list[SpoolCounts]) -> SpoolCounts:
    fields = SpoolCounts.__struct_fields__
    return SpoolCounts(**{field: sum(getattr(counts, field) for counts in all_counts) for field in fields})


def prefix_findings(name: str, findings: Iterator[Finding]) -> Iterator[Finding]:
    """Put the name of a worker in front of each finding."""
    for finding in findings:
        yield msgspec.structs.replace(finding, text=f"{name}: {finding.text}")
