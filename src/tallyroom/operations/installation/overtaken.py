"""Detects a spool that is an older copy despite the right epoch: the store then holds events that it never numbered."""

from pathlib import Path

from tallyroom.operations.installation.found import FoundInstallation, look
from tallyroom.operations.installation.judge import Problem
from tallyroom.operations.installation.refusal import refusal
from tallyroom.storage.event_store.check import newest_number
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.numbers import SpoolNumbers


def find_overtaken_spool(found: FoundInstallation, writer: Writer) -> Problem | None:
    """Return a problem if the spool, which nobody has open, would assign numbers that events in the store already have.

    A spool is normally ahead of the store, because an event is numbered and durable before it moves on.

    Args:
        found: the state of the data directory.
        writer: the writer of its event store.

    Raises:
        StoreError: the store does not answer.
    """
    numbers = found.counts.numbers
    return None if numbers is None or found.store.absent else overtaken(found, numbers, writer)


def overtaken(found: FoundInstallation, numbers: SpoolNumbers, writer: Writer) -> Problem | None:
    """Like `find_overtaken_spool`, but for the numbers of a spool as they were before it was opened."""
    newest = newest_number(writer, numbers.spool)
    if newest < numbers.first_unproven:
        return None
    text = (
        f"the spool ({found.spool.where}) is an older copy: its next event would be number {numbers.first_unproven:,}, "
        f"and the event store holds number {newest:,}"
    )
    return Problem("spool", "older", text)


def refuse_overtaken_spool(data: Path, writer: Writer) -> None:
    """Like `find_overtaken_spool`, but raise the problem as a refusal.

    Raises:
        NotWhole: the spool is such a copy.
        StoreError: the store does not answer.
    """
    found = look(data, check=False)
    if problem := find_overtaken_spool(found, writer):
        raise refusal(found, [problem])
