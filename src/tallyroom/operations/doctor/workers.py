"""The doctor of several workers: examines their servers, the spools of this host, and what is known of all others."""

import sqlite3
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
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
from tallyroom.operations.doctor.data_checks import (
    RESTORE,
    check_database,
    check_losses,
    check_store_parts,
)
from tallyroom.operations.doctor.event_balance import (
    ConnectToWorker,
    account_for_other_hosts,
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
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.part_check import check_parts, count_events_by_spool, count_parts
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.metadata.record import MovedAway, SharedMetadata

_MAX_ERASURE_MS = 10 * 60 * 1000


def examine_workers(
    dial: ConnectToWorker, settings: Settings, clock: Clock, progress: Progress, *, quick: bool
) -> Iterator[Finding]:
    """Examine one thing after the other; if one cannot be examined, the others still are.

    Args:
        dial: reaches the workers of this host that run.
        settings: those of the workers; the data directory is that of their parent, or of a worker without one.
        clock: that of this host.
        progress: shows the progress of the slow checks.
        quick: skip the checks that read all data.
    """
    cluster = yield from examine_metadata(settings, clock)
    yield from examine_limits(settings.limits_dsn)
    writer = yield from examine_store(settings)
    folders = find_spool_folders(settings.data_dir, cluster.spools if cluster else ())
    if cluster is not None:
        yield from _check_workers(cluster)
        yield from _check_erasures(cluster)
        yield from check_losses(cluster.losses)
    if writer is not None:
        with closing(writer):
            try:
                if cluster is not None:
                    yield from _check_spools(dial, settings, clock, cluster, folders, writer)
                yield from check_store_parts(
                    count_parts(writer), lambda: check_parts(writer.backend), progress, quick=quick
                )
            except StoreError as error:
                yield report_broken("store", f"{error}\n".splitlines()[0], REPAIR_ADVICE)
    for folder in folders:
        yield from prefix_findings(
            _display_name(folder, settings.data_dir), check_database(folder / SPOOL_FILE, quick=quick)
        )
    if settings.data_dir.is_dir():
        yield from check_host(settings, clock)


def find_spool_folders(data: Path, spools: Sequence[SurveyedSpool]) -> list[Path]:
    """Return the directories of this host that have, or should have, the spool of a worker.

    Args:
        data: the data directory of the parent, or of a worker without one.
        spools: those that the metadata knows.
    """
    live_folders = {Path(spool.path) for spool in spools if spool.state == "live" and spool.host == gethostname()}
    candidates = [data, *sorted((data / WORKERS_FOLDER).glob("*"))]
    return sorted(live_folders | {folder.absolute() for folder in candidates if (folder / SPOOL_FILE).exists()})


def _check_workers(cluster: Survey) -> Iterator[Finding]:
    working_spools = [spool for spool in cluster.spools if spool.has_worker]
    hosts = sorted({spool.host for spool in working_spools})
    if not working_spools:
        yield report_ok("workers", "none runs")
        return
    yield report_ok("workers", f"{len(working_spools):,} on {', '.join(hosts)}")
    if len({spool.settings for spool in working_spools}) > 1:
        text = f"The workers on {', '.join(hosts)} do not all have the same settings."
        yield report_broken(
            "settings", text, "Give all hosts the same: /readyz of each says which hosts differ from it."
        )
    for spool in cluster.spools:
        if spool.state == "live" and not spool.has_worker:
            text = f"No worker serves from the spool {spool.identity}, last in use on {spool.host} in {spool.path}."
            yield report_warning(
                "workers", text, "What waits in it is not delivered: start its worker, or see `tallyroom spool adopt`."
            )


def _check_erasures(cluster: Survey) -> Iterator[Finding]:
    for erasure in cluster.erasures:
        if cluster.now_ms - erasure.asked_at_ms > _MAX_ERASURE_MS:
            asked_at = iso_ms(erasure.asked_at_ms)[:16].replace("T", " ")
            spool_list = ", ".join(map(str, erasure.spools))
            yield report_warning(
                "erasure",
                f"The erasure of {asked_at} UTC waits for the workers of these spools: {spool_list}.",
                "It is done when they run, or when their spools are adopted.",
            )


def _check_spools(
    dial: ConnectToWorker, settings: Settings, clock: Clock, cluster: Survey, folders: list[Path], writer: Writer
) -> Iterator[Finding]:
    accounts, identities = [], set()
    for folder in (yield from _check_folders(settings, folders, writer)):
        account = yield from balance_spool_folder(folder, _display_name(folder, settings.data_dir), dial, writer)
        if account is not None:
            accounts.append(account)
            identities.add(account.counts.spool)
    absent_spools = [spool for spool in cluster.spools if spool.state == "live" and spool.identity not in identities]
    accounts += account_for_other_hosts(
        [spool for spool in absent_spools if spool.host != gethostname()], settings, clock, writer
    )
    event_counts = count_events_by_spool(writer)
    yield from check_event_sum(
        accounts, sum(event_counts.values()) - sum(event_counts.get(account.counts.spool, 0) for account in accounts)
    )
    yield from _report_events_without_worker(cluster, event_counts, {account.counts.spool for account in accounts})


def _check_folders(settings: Settings, folders: list[Path], writer: Writer) -> Generator[Finding, None, list[Path]]:
    """Report why a worker would refuse to start on a directory, in its words; return those whose spool is in use."""
    shared_metadata = start_record(settings.data_dir / DATABASE_FILE, settings.db_dsn).read_metadata()
    if shared_metadata is None:
        return folders
    try:
        shared_metadata.refuse_moved()
    except MovedAway as error:
        yield report_broken("data", error.message, "Run the doctor there.")
        return []
    reported_texts: set[str] = set()
    used_folders = []
    for folder in folders:
        try:
            installation = _inspect_folder(folder, shared_metadata, writer)
            problems = find_problems(installation, key_given=True)
            problems = [problem for problem in problems if problem.text not in reported_texts]
        except (TallyroomError, sqlite3.Error, OSError) as error:
            yield report_broken("data", f"{folder}: {error}\n".splitlines()[0], RESTORE)
            continue
        if _was_adopted(installation, shared_metadata):
            yield report_warning(
                "data", f"The spool in {folder} was adopted.", "Delete the directory: nobody needs it."
            )
            continue
        if all(problem.subject != "spool" for problem in problems):
            used_folders.append(folder)
        reported_texts |= {problem.text for problem in problems if problem.subject != "spool"}
        if problems:
            refusal = build_refusal(installation, problems)
            yield report_broken("data", refusal.text, refusal.advice)
    return used_folders


def _inspect_folder(folder: Path, shared_metadata: SharedMetadata, writer: Writer) -> FoundInstallation:
    local_metadata = shared_metadata._replace(location=(gethostname(), str(folder)))
    return inspect_installation(folder, check=False, shared_metadata=local_metadata, store=writer.backend)


def _was_adopted(installation: FoundInstallation, shared_metadata: SharedMetadata) -> bool:
    numbers = installation.counts.numbers
    registration = shared_metadata.spools.get(numbers.spool) if numbers else None
    return registration is not None and registration.state == "adopted"


def _report_events_without_worker(
    cluster: Survey, event_counts: Mapping[int, int], account_spools: set[int]
) -> Iterator[Finding]:
    """Report events that no worker answers for, so that none erases them, or notices when they are gone."""
    spools = {spool.identity: spool for spool in cluster.spools}
    for identity, event_count in event_counts.items():
        spool = spools.get(identity)
        if identity in account_spools or (spool and spool.state == "live"):
            continue
        keeper = spools.get(spool.kept_by or 0) if spool else None
        if keeper is None or keeper.state != "live":
            text = f"No worker answers for {event_count:,} events that came through the spool {identity}."
            yield report_warning("events", text, "The next worker that starts will.")


def _display_name(folder: Path, data: Path) -> str:
    """Return what the operator knows the worker on a directory by."""
    return (
        str(folder.relative_to(data.absolute()))
        if (data.absolute() / WORKERS_FOLDER) in folder.parents
        else str(folder)
    )
