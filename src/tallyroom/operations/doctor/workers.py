"""The doctor of several workers: examines their servers, the spools of this host, and what others have reported."""

import sqlite3
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from socket import gethostname

from tallyroom.cluster.open_metadata import start_record
from tallyroom.cluster.survey import Survey, SurveyedSpool
from tallyroom.core.clock import Clock
from tallyroom.core.data_directory import DATABASE_FILE, SPOOL_FILE, WORKERS_FOLDER
from tallyroom.core.errors import TallyroomError
from tallyroom.core.settings import Settings
from tallyroom.core.times import iso_ms
from tallyroom.operations.backup.progress import Progress
from tallyroom.operations.doctor.alert_checks import check_delayed_alerts
from tallyroom.operations.doctor.data_checks import (
    RESTORE_ADVICE,
    check_database,
    check_fill,
    check_losses,
    check_store_parts,
)
from tallyroom.operations.doctor.event_balance import (
    ConnectToWorker,
    balance_other_hosts,
    balance_spool_folder,
    check_event_sum,
    prefix_findings,
)
from tallyroom.operations.doctor.findings import Finding, report_broken, report_ok, report_warning
from tallyroom.operations.doctor.host_checks import check_host
from tallyroom.operations.doctor.servers import REPAIR_ADVICE, examine_limits, examine_metadata, examine_store
from tallyroom.operations.installation.consistency import find_problems
from tallyroom.operations.installation.inspection import FoundInstallation, inspect_installation
from tallyroom.operations.installation.refusal import build_refusal
from tallyroom.storage.event_store.column_fill import list_unfilled_months
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.number_texts import NUMBER_TEXTS
from tallyroom.storage.event_store.part_check import check_parts, count_events_by_spool, count_parts
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import MovedAway, SharedMetadata

_MAX_ERASURE_AGE_MS = 10 * 60 * 1000


def examine_workers(
    connect_to_worker: ConnectToWorker, settings: Settings, clock: Clock, progress: Progress, *, quick: bool
) -> Iterator[Finding]:
    """Examine one thing after another, even if one cannot be examined; `quick` skips checks that read all data."""
    survey = yield from examine_metadata(settings, clock)
    yield from examine_limits(settings.limits_dsn)
    writer = yield from examine_store(settings)
    folders = find_spool_folders(settings.data_dir, survey.spools if survey else ())
    if survey is not None:
        yield from _check_workers(survey)
        yield from _check_erasures(survey)
        yield from check_delayed_alerts(survey.delayed_alerts, survey.now_ms)
        yield from check_losses(survey.losses)
    if writer is not None:
        with closing(writer):
            try:
                if survey is not None:
                    yield from _check_spools(connect_to_worker, settings, clock, survey, folders, writer)
                yield from check_fill(len(list_unfilled_months(writer.command, NUMBER_TEXTS) or ()))
                parts = partial(check_parts, writer.backend)
                yield from check_store_parts(count_parts(writer), parts, progress, quick=quick)
            except StoreError as error:
                yield report_broken("store", f"{error}\n".splitlines()[0], REPAIR_ADVICE)
    for folder in folders:
        name = _display_name(folder, settings.data_dir)
        yield from prefix_findings(name, check_database(folder / SPOOL_FILE, quick=quick))
    if settings.data_dir.is_dir():
        yield from check_host(settings, clock)


def find_spool_folders(data_dir: Path, spools: Sequence[SurveyedSpool]) -> list[Path]:
    """Return the directories of this host that have, or should have, the spool of a worker."""
    live_folders = {Path(spool.path) for spool in spools if spool.state == "live" and spool.host == gethostname()}
    candidates = [data_dir, *sorted((data_dir / WORKERS_FOLDER).glob("*"))]
    return sorted(live_folders | {folder.absolute() for folder in candidates if (folder / SPOOL_FILE).exists()})


def _check_workers(survey: Survey) -> Iterator[Finding]:
    working_spools = [spool for spool in survey.spools if spool.has_worker]
    hosts = sorted({spool.host for spool in working_spools})
    if not working_spools:
        yield report_ok("workers", "none is running")
        return
    yield report_ok("workers", f"{len(working_spools):,} on {', '.join(hosts)}")
    if len({spool.settings_fingerprint for spool in working_spools}) > 1:
        text = f"The workers on {', '.join(hosts)} do not all have the same settings."
        yield report_broken("settings", text, "Give all hosts the same settings. /readyz lists the hosts that differ.")
    for spool in survey.spools:
        if spool.state == "live" and not spool.has_worker:
            text = f"No worker is using the spool {spool.identity}, last in use on {spool.host} in {spool.path}."
            advice = "Its queued events are not delivered: start its worker, or see `tallyroom spool adopt`."
            yield report_warning("workers", text, advice)


def _check_erasures(survey: Survey) -> Iterator[Finding]:
    for erasure in survey.erasures:
        if survey.now_ms - erasure.asked_at_ms > _MAX_ERASURE_AGE_MS:
            asked_at = iso_ms(erasure.asked_at_ms)[:16].replace("T", " ")
            spool_list = ", ".join(map(str, erasure.waiting_spool_ids))
            text = f"The erasure requested at {asked_at} UTC is waiting for the workers of these spools: {spool_list}."
            yield report_warning("erasure", text, "It finishes when they run, or when their spools are adopted.")


def _check_spools(
    connect_to_worker: ConnectToWorker,
    settings: Settings,
    clock: Clock,
    survey: Survey,
    folders: list[Path],
    writer: Writer,
) -> Iterator[Finding]:
    balances = []
    for folder in (yield from _select_usable_folders(settings, folders, writer)):
        name = _display_name(folder, settings.data_dir)
        balance = yield from balance_spool_folder(folder, name, connect_to_worker, writer)
        if balance is not None:
            balances.append(balance)
    balanced_ids = {balance.counts.spool for balance in balances}
    live_spools = [spool for spool in survey.spools if spool.state == "live"]
    other_spools = [
        spool for spool in live_spools if spool.identity not in balanced_ids and spool.host != gethostname()
    ]
    balances += balance_other_hosts(other_spools, settings, clock, writer)
    event_counts = count_events_by_spool(writer)
    balanced_event_count = sum(event_counts.get(balance.counts.spool, 0) for balance in balances)
    yield from check_event_sum(balances, sum(event_counts.values()) - balanced_event_count)
    balanced_ids = {balance.counts.spool for balance in balances}
    yield from _report_events_without_worker(survey, event_counts, balanced_ids)


def _select_usable_folders(
    settings: Settings, folders: list[Path], writer: Writer
) -> Generator[Finding, None, list[Path]]:
    """Report why a worker would refuse to start on a directory; return the directories whose spool is in use."""
    shared_metadata = start_record(settings.data_dir / DATABASE_FILE, settings.db_dsn).read_metadata()
    if shared_metadata is None:
        return folders
    try:
        shared_metadata.refuse_moved()
    except MovedAway as error:
        yield report_broken("data", error.message, "Run the doctor there.")
        return []
    reported_texts: set[str] = set()
    usable_folders = []
    for folder in folders:
        try:
            installation = _inspect_folder(folder, shared_metadata, writer)
            problems = find_problems(installation, is_key_given=True)
            problems = [problem for problem in problems if problem.text not in reported_texts]
        except (TallyroomError, sqlite3.Error, OSError) as error:
            yield report_broken("data", f"{folder}: {error}\n".splitlines()[0], RESTORE_ADVICE)
            continue
        if _was_adopted(installation, shared_metadata):
            advice = "Delete the directory. It is no longer needed."
            yield report_warning("data", f"The spool in {folder} was adopted.", advice)
            continue
        if all(problem.subject != "spool" for problem in problems):
            usable_folders.append(folder)
        reported_texts |= {problem.text for problem in problems if problem.subject != "spool"}
        if problems:
            refusal = build_refusal(installation, problems)
            yield report_broken("data", refusal.text, refusal.advice)
    return usable_folders


def _inspect_folder(folder: Path, shared_metadata: SharedMetadata, writer: Writer) -> FoundInstallation:
    local_metadata = shared_metadata._replace(location=(gethostname(), str(folder)))
    return inspect_installation(folder, must_check_damage=False, shared_metadata=local_metadata, store=writer.backend)


def _was_adopted(installation: FoundInstallation, shared_metadata: SharedMetadata) -> bool:
    spool_counts = installation.counts.spool_counts
    registration = shared_metadata.spools.get(spool_counts.spool) if spool_counts else None
    return registration is not None and registration.state == "adopted"


def _report_events_without_worker(
    survey: Survey, event_count_by_spool: Mapping[int, int], balanced_spool_ids: set[int]
) -> Iterator[Finding]:
    """Report events for which no worker is responsible, so that none erases them or notices their loss."""
    spool_by_identity = {spool.identity: spool for spool in survey.spools}
    for identity, event_count in event_count_by_spool.items():
        spool = spool_by_identity.get(identity)
        if identity in balanced_spool_ids or (spool and spool.state == "live"):
            continue
        keeper_spool = spool_by_identity.get(spool.keeper_id or 0) if spool else None
        if keeper_spool is None or keeper_spool.state != "live":
            text = f"No worker is responsible for {event_count:,} events that came through the spool {identity}."
            yield report_warning("events", text, "The next worker to start takes responsibility for them.")


def _display_name(folder: Path, data_dir: Path) -> str:
    """Return the operator's name for the worker on a directory."""
    is_child = data_dir.absolute() / WORKERS_FOLDER in folder.parents
    return str(folder.relative_to(data_dir.absolute()) if is_child else folder)
