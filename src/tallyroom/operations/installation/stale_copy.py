"""Detects a spool that is an older copy despite the right epoch: the store then has events that it never numbered."""

from pathlib import Path

from tallyroom.operations.installation.consistency import InstallationProblem
from tallyroom.operations.installation.inspection import FoundInstallation, inspect_installation
from tallyroom.operations.installation.refusal import build_refusal
from tallyroom.storage.event_store.part_check import read_last_seq
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.event_counts import SpoolCounts


def find_stale_spool_problem(installation: FoundInstallation, writer: Writer) -> InstallationProblem | None:
    """Return a problem if the spool, which no one has open, would assign numbers that events in the store already have.

    A spool is normally ahead of the store, because an event is numbered and durable before it moves on.
    """
    spool_counts = installation.counts.spool_counts
    if spool_counts is None or installation.store.absence:
        return None
    return find_stale_counts_problem(installation, spool_counts, writer)


def find_stale_counts_problem(
    installation: FoundInstallation, spool_counts: SpoolCounts, writer: Writer
) -> InstallationProblem | None:
    """Like `find_stale_spool_problem`, but for the numbers that a spool had before it was opened."""
    newest_seq = read_last_seq(writer, spool_counts.spool)
    if newest_seq < spool_counts.first_unproven_seq:
        return None
    text = (
        f"the spool ({installation.spool.location}) is an older copy: its next event would be number "
        f"{spool_counts.first_unproven_seq:,}, and the event store holds number {newest_seq:,}"
    )
    return InstallationProblem("spool", "older", text)


def refuse_stale_spool(data_dir: Path, writer: Writer) -> None:
    """Like `find_stale_spool_problem`, but raise the problem as `IncompleteInstallation`."""
    installation = inspect_installation(data_dir, must_check_damage=False)
    if problem := find_stale_spool_problem(installation, writer):
        raise build_refusal(installation, [problem])
