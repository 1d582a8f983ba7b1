"""Accounts for the events of each spool, and says whether they add up."""

import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

import msgspec

from tallyroom.cluster.open_metadata import survey
from tallyroom.cluster.survey import SurveyedSpool
from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import SPOOL_FILE, build_unusable_error, hold_directory
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import Settings
from tallyroom.core.version import VERSION
from tallyroom.operations.backup.balance import Balance
from tallyroom.operations.backup.store_access import Condition, StoreAccess
from tallyroom.operations.doctor.data_checks import (
    RESTORE,
    check_damage,
    check_spool,
    format_event_sum,
)
from tallyroom.operations.doctor.findings import Finding, report_broken, report_ok, report_warning
from tallyroom.operations.doctor.servers import REPAIR_ADVICE
from tallyroom.storage.database_file import open_read_only
from tallyroom.storage.event_store.part_check import count_events_by_spool
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.event_counts import SpoolNumbers, read_numbers

ConnectToWorker = Callable[[Path], AbstractContextManager[StoreAccess]]
"""Provides access to the running worker on a directory; raises `OSError` if none runs there."""

_MAX_POLLS = 30
_POLL_SECONDS = 0.2


class SpoolAccount(NamedTuple):
    """What became of the events of one spool.

    Attributes:
        name: what the operator knows the spool by.
        counts: those of the spool.
        event_count: how many of its events the store has.
        missing_count: how many of them are missing for certain; negative if there are too many.
        is_exact: whether `event_count` is what `counts` say, or `missing_count` is certain.
    """

    name: str
    counts: SpoolNumbers
    event_count: int
    missing_count: int
    is_exact: bool


class EventBounds(msgspec.Struct, frozen=True):
    """How many events of a spool the store must have at least, and may have at most, by two looks at its counts.

    Attributes:
        min_events: so many it has, whatever the drain and deletions did between the two.
        max_events: it cannot have more.
    """

    min_events: int
    max_events: int


def bound_store_events(before: SpoolNumbers, after: SpoolNumbers) -> EventBounds:
    """Return what the store may have had at any moment between two looks."""
    deleted = after.erased - before.erased + after.erasing
    return EventBounds(before.expected - deleted - (after.lost - before.lost), after.expected + after.claimed + deleted)


def read_reported_numbers(spool: SurveyedSpool) -> SpoolNumbers | None:
    """Return the counts that the worker of a spool said last; None if it has said none that can be read."""
    try:
        return msgspec.json.decode(spool.numbers, type=SpoolNumbers)
    except msgspec.DecodeError:
        return None


def balance_spool_folder(
    folder: Path, name: str, dial: ConnectToWorker, writer: Writer
) -> Generator[Finding, None, SpoolAccount | None]:
    """Account for the spool of a directory of this host, through its worker if that runs."""
    try:
        with dial(folder) as access:
            condition = access.condition()
    except OSError:
        return (yield from _account_for_stopped(folder, name, writer))
    except TallyroomError as error:
        yield report_broken("worker", f"{name}: {error}", REPAIR_ADVICE)
        return None
    yield from _check_worker(name, condition)
    balance = condition.balance
    return _build_account(name, balance)


def _account_for_stopped(folder: Path, name: str, writer: Writer) -> Generator[Finding, None, SpoolAccount | None]:
    if not (folder / SPOOL_FILE).is_file():
        return None
    try:
        with hold_directory(folder), open_read_only(folder / SPOOL_FILE) as connection:
            counts = read_numbers(connection)
            balance = Balance(counts, count_events_by_spool(writer).get(counts.spool, 0), 0)
    except (TallyroomError, sqlite3.Error, OSError) as error:
        reason = error if isinstance(error, TallyroomError) else build_unusable_error(folder, error)
        yield report_broken("worker", f"{name}: {reason}\n".splitlines()[0], REPAIR_ADVICE)
        return None
    yield report_ok("worker", f"{name} is not running; {counts.queued:,} events wait in its spool")
    return _build_account(name, balance)


def _build_account(name: str, balance: Balance) -> SpoolAccount:
    missing_count = 0 if balance.adds_up else balance.missing or balance.unaccounted
    return SpoolAccount(name, balance.counts, balance.events, missing_count, balance.exact)


def _check_worker(name: str, condition: Condition) -> Iterator[Finding]:
    counts = condition.balance.counts
    if condition.program != VERSION:
        text = f"The worker {name} is {condition.program}, this command {VERSION}."
        yield report_warning("versions", text, "Send SIGHUP to its parent, so that it runs the installed version.")
    yield report_ok("worker", f"{name} runs as process {condition.process}; {counts.queued:,} events wait in its spool")
    if condition.failing:
        text = f"{name}: the store accepts no events, and {counts.queued:,} wait: {condition.failing.splitlines()[0]}"
        yield report_broken("queue", text, "Nothing is lost: they are stored once the cause is gone. Check the server.")
    yield from prefix_findings(name, check_spool(counts, condition.reasons))
    yield from check_damage(condition.damage)


def account_for_other_hosts(
    spools: Sequence[SurveyedSpool], settings: Settings, clock: Clock, writer: Writer
) -> Iterator[SpoolAccount]:
    """Account for the spools of other hosts by what their workers say before and after a look at the store."""
    before = {spool.identity: read_reported_numbers(spool) for spool in spools}
    event_counts = count_events_by_spool(writer)
    after = _wait_for_reports(spools, settings, clock)
    for spool in spools:
        counts_before, counts_after = before[spool.identity], after.get(spool.identity)
        if counts_before is None:
            continue
        event_count, name = event_counts.get(spool.identity, 0), f"{spool.identity} on {spool.host}"
        bounds = bound_store_events(counts_before, counts_after or counts_before)
        missing_count = max(0, bounds.min_events - event_count)
        if counts_after is not None and not missing_count:  # a worker that is gone may have delivered more than it said
            missing_count = min(0, bounds.max_events - event_count)
        counts = counts_after or counts_before
        yield SpoolAccount(
            name, counts, event_count, missing_count, is_exact=bool(missing_count) or counts.expected == event_count
        )


def _wait_for_reports(spools: Sequence[SurveyedSpool], settings: Settings, clock: Clock) -> Mapping[int, SpoolNumbers]:
    """Return the counts that workers say from now on, of those that say any soon."""
    pending_spools = {spool.identity: spool.seen_ms or 0 for spool in spools if spool.has_worker}
    counts_by_spool: dict[int, SpoolNumbers] = {}
    started_ms = None
    for _ in range(_MAX_POLLS):
        if not pending_spools:
            break
        cluster = survey(settings.db_dsn, clock.now_ms)
        started_ms = started_ms or cluster.now_ms
        for spool in cluster.spools:
            numbers = read_reported_numbers(spool)
            if spool.identity in pending_spools and (spool.seen_ms or 0) >= started_ms and numbers is not None:
                counts_by_spool[spool.identity] = numbers
                del pending_spools[spool.identity]
        time.sleep(_POLL_SECONDS if pending_spools else 0)
    return counts_by_spool


def check_event_sum(accounts: Sequence[SpoolAccount], other_event_count: int) -> Iterator[Finding]:
    """Report whether the events of all spools add up; `other_event_count` are in the store and came through no such."""
    wrong_accounts = [account for account in accounts if account.missing_count]
    for name, counts, event_count, missing_count, is_exact in wrong_accounts:
        text = f"{name}: {format_event_sum(counts, event_count, 0)}"
        if not is_exact:
            yield report_warning("events", f"{text}; they moved while they were counted.", "Try again.")
        elif counts.acknowledged != counts.stored + counts.queued:
            yield report_broken("events", f"{text}: the spool itself cannot account for all of them.", RESTORE)
        elif missing_count > 0:
            yield report_broken("events", f"{text}: {missing_count:,} are missing from the store.", RESTORE)
        else:
            yield report_broken("events", f"{text}: {-missing_count:,} are in the store more than once.", RESTORE)
    if accounts and not wrong_accounts:
        event_count = sum(account.event_count for account in accounts)
        moving_note = "" if all(account.is_exact for account in accounts) else "; some moved while they were counted"
        text = format_event_sum(_sum_counts([account.counts for account in accounts]), event_count, other_event_count)
        yield report_ok("events", f"{text}, of {len(accounts):,} spools{moving_note}")


def _sum_counts(counts: list[SpoolNumbers]) -> SpoolNumbers:
    fields: Counter[str] = Counter()
    for spool_counts in counts:
        fields.update(msgspec.structs.asdict(spool_counts))
    return SpoolNumbers(**{name: fields[name] for name in SpoolNumbers.__struct_fields__})


def prefix_findings(name: str, findings: Iterator[Finding]) -> Iterator[Finding]:
    """Put the name of a worker in front of each finding."""
    for finding in findings:
        yield msgspec.structs.replace(finding, text=f"{name}: {finding.text}")
