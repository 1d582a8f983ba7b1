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
from tallyroom.core.data_directory import SPOOL_FILE, hold, unusable
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import Settings
from tallyroom.core.version import VERSION
from tallyroom.operations.backup.balance import Balance
from tallyroom.operations.backup.store_access import Condition, StoreAccess
from tallyroom.operations.doctor.data_checks import (
    RESTORE,
    check_damage,
    check_spool,
    said_sum,
)
from tallyroom.operations.doctor.findings import Finding, broken, doubtful, fine
from tallyroom.operations.doctor.servers import REPAIR_ADVICE
from tallyroom.storage.database_file import reading
from tallyroom.storage.event_store.part_check import events_by_spool
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.event_counts import SpoolNumbers, read_numbers

Dial = Callable[[Path], AbstractContextManager[StoreAccess]]
"""Provides access to the running worker on a directory; raises `OSError` if none runs there."""

_LOOKS = 30
_LOOK_SECONDS = 0.2


class Account(NamedTuple):
    """What became of the events of one spool.

    Attributes:
        name: what the operator knows the spool by.
        counts: those of the spool.
        events: how many of its events the store has.
        lacking: how many of them are missing for certain; negative if there are too many.
        exact: whether `events` is what `counts` say, or `lacking` is certain.
    """

    name: str
    counts: SpoolNumbers
    events: int
    lacking: int
    exact: bool


class Interval(msgspec.Struct, frozen=True):
    """How many events of a spool the store must have at least, and may have at most, by two looks at its counts.

    Attributes:
        least: so many it has, whatever the drain and deletions did between the two.
        most: it cannot have more.
    """

    least: int
    most: int


def interval(before: SpoolNumbers, after: SpoolNumbers) -> Interval:
    """Return what the store may have had at any moment between two looks."""
    deleted = after.erased - before.erased + after.erasing
    return Interval(before.expected - deleted - (after.lost - before.lost), after.expected + after.claimed + deleted)


def said_numbers(spool: SurveyedSpool) -> SpoolNumbers | None:
    """Return the counts that the worker of a spool said last; None if it has said none that can be read."""
    try:
        return msgspec.json.decode(spool.numbers, type=SpoolNumbers)
    except msgspec.DecodeError:
        return None


def account_of(folder: Path, name: str, dial: Dial, writer: Writer) -> Generator[Finding, None, Account | None]:
    """Account for the spool of a directory of this host, through its worker if that runs."""
    try:
        with dial(folder) as access:
            condition = access.condition()
    except OSError:
        return (yield from _account_of_stopped(folder, name, writer))
    except TallyroomError as error:
        yield broken("worker", f"{name}: {error}", REPAIR_ADVICE)
        return None
    yield from _check_worker(name, condition)
    balance = condition.balance
    return _account(name, balance)


def _account_of_stopped(folder: Path, name: str, writer: Writer) -> Generator[Finding, None, Account | None]:
    if not (folder / SPOOL_FILE).is_file():
        return None
    try:
        with hold(folder), reading(folder / SPOOL_FILE) as connection:
            counts = read_numbers(connection)
            balance = Balance(counts, events_by_spool(writer).get(counts.spool, 0), 0)
    except (TallyroomError, sqlite3.Error, OSError) as error:
        why = error if isinstance(error, TallyroomError) else unusable(folder, error)
        yield broken("worker", f"{name}: {why}\n".splitlines()[0], REPAIR_ADVICE)
        return None
    yield fine("worker", f"{name} is not running; {counts.queued:,} events wait in its spool")
    return _account(name, balance)


def _account(name: str, balance: Balance) -> Account:
    lacking = 0 if balance.adds_up else balance.missing or balance.unaccounted
    return Account(name, balance.counts, balance.events, lacking, balance.exact)


def _check_worker(name: str, condition: Condition) -> Iterator[Finding]:
    counts = condition.balance.counts
    if condition.program != VERSION:
        text = f"The worker {name} is {condition.program}, this command {VERSION}."
        yield doubtful("versions", text, "Send SIGHUP to its parent, so that it runs the installed version.")
    yield fine("worker", f"{name} runs as process {condition.process}; {counts.queued:,} events wait in its spool")
    if condition.failing:
        text = f"{name}: the store accepts no events, and {counts.queued:,} wait: {condition.failing.splitlines()[0]}"
        yield broken("queue", text, "Nothing is lost: they are stored once the cause is gone. Check the server.")
    yield from named(name, check_spool(counts, condition.reasons))
    yield from check_damage(condition.damage)


def accounts_of_others(
    spools: Sequence[SurveyedSpool], settings: Settings, clock: Clock, writer: Writer
) -> Iterator[Account]:
    """Account for the spools of other hosts by what their workers say before and after a look at the store."""
    before = {spool.identity: said_numbers(spool) for spool in spools}
    event_counts = events_by_spool(writer)
    after = _said_next(spools, settings, clock)
    for spool in spools:
        first, last = before[spool.identity], after.get(spool.identity)
        if first is None:
            continue
        events, name = event_counts.get(spool.identity, 0), f"{spool.identity} on {spool.host}"
        within = interval(first, last or first)
        lacking = max(0, within.least - events)
        if last is not None and not lacking:  # a worker that is gone may have delivered more than it said
            lacking = min(0, within.most - events)
        counts = last or first
        yield Account(name, counts, events, lacking, exact=bool(lacking) or counts.expected == events)


def _said_next(spools: Sequence[SurveyedSpool], settings: Settings, clock: Clock) -> Mapping[int, SpoolNumbers]:
    """Return the counts that workers say from now on, of those that say any soon."""
    waited_for = {spool.identity: spool.seen_ms or 0 for spool in spools if spool.has_worker}
    counts_by_spool: dict[int, SpoolNumbers] = {}
    since = None
    for _ in range(_LOOKS):
        if not waited_for:
            break
        now = survey(settings.db_dsn, clock.now_ms)
        since = since or now.now_ms
        for spool in now.spools:
            numbers = said_numbers(spool)
            if spool.identity in waited_for and (spool.seen_ms or 0) >= since and numbers is not None:
                counts_by_spool[spool.identity] = numbers
                del waited_for[spool.identity]
        time.sleep(_LOOK_SECONDS if waited_for else 0)
    return counts_by_spool


def check_sum(accounts: Sequence[Account], other_events: int) -> Iterator[Finding]:
    """Report whether the events of all spools add up; `other_events` are in the store and came through no such."""
    wrong = [account for account in accounts if account.lacking]
    for name, counts, events, lacking, exact in wrong:
        text = f"{name}: {said_sum(counts, events, 0)}"
        if not exact:
            yield doubtful("events", f"{text}; they moved while they were counted.", "Try again.")
        elif counts.acknowledged != counts.stored + counts.queued:
            yield broken("events", f"{text}: the spool itself cannot account for all of them.", RESTORE)
        elif lacking > 0:
            yield broken("events", f"{text}: {lacking:,} are missing from the store.", RESTORE)
        else:
            yield broken("events", f"{text}: {-lacking:,} are in the store more than once.", RESTORE)
    if accounts and not wrong:
        events = sum(account.events for account in accounts)
        moving = "" if all(account.exact for account in accounts) else "; some moved while they were counted"
        text = said_sum(_total([account.counts for account in accounts]), events, other_events)
        yield fine("events", f"{text}, of {len(accounts):,} spools{moving}")


def _total(counts: list[SpoolNumbers]) -> SpoolNumbers:
    fields: Counter[str] = Counter()
    for spool_counts in counts:
        fields.update(msgspec.structs.asdict(spool_counts))
    return SpoolNumbers(**{name: fields[name] for name in SpoolNumbers.__struct_fields__})


def named(name: str, findings: Iterator[Finding]) -> Iterator[Finding]:
    """Put the name of a worker in front of each finding."""
    for finding in findings:
        yield msgspec.structs.replace(finding, text=f"{name}: {finding.text}")
