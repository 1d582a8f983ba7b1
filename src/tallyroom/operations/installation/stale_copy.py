"""Detects a spool that is an older copy despite the right epoch: the store then holds events that it never numbered."""

from pathlib import Path

from tallyroom.operations.installation.consistency import Problem
from tallyroom.operations.installation.inspection import FoundInstallation, inspect_installation
from tallyroom.operations.installation.refusal import build_refusal
from tallyroom.storage.event_store.part_check import read_last_seq
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.event_counts import SpoolNumbers


def find_overtaken_spool(installation: FoundInstallation, writer: Writer) -> Problem | None:
    """Return a problem if the spool, which nobody has open, would assign numbers that events in the store already have.

    A spool is normally ahead of the store, because an event is numbered and durable before it moves on.

    Args:
        installation: the state of the data directory.
        writer: the writer of its event store.

    Raises:
        StoreError: the store does not answer.
    """
    numbers = installation.counts.numbers
    return (
        None if numbers is None or installation.store.absence else find_overtaken_numbers(installation, numbers, writer)
    )


def find_overtaken_numbers(installation: FoundInstallation, numbers: SpoolNumbers, writer: Writer) -> Problem | None:
    """Like `find_overtaken_spool`, but for the numbers of a spool as they were before it was opened."""
    newest_seq = read_last_seq(writer, numbers.spool)
    if newest_seq < numbers.first_unproven:
        return None
    text = (
        f"the spool ({installation.spool.location}) is an older copy: its next event would be number "
        f"{numbers.first_unproven:,}, and the event store holds number {newest_seq:,}"
    )
    return Problem("spool", "older", text)


def refuse_overtaken_spool(data: Path, writer: Writer) -> None:
    """Like `find_overtaken_spool`, but raise the problem as a refusal.

    Raises:
        IncompleteInstallation: the spool is such a copy.
        StoreError: the store does not answer.
    """
    installation = inspect_installation(data, check=False)
    if problem := find_overtaken_spool(installation, writer):
        raise build_refusal(installation, [problem])
