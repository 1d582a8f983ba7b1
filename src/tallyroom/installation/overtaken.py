"""Whether a spool is an older copy although its epoch is right: the event store then holds events it never numbered."""

from pathlib import Path

from tallyroom.core.data_directory import SPOOL_FILE, STORE_FOLDER
from tallyroom.core.database_file import reading
from tallyroom.installation.found import PLACES, look
from tallyroom.installation.judge import Problem
from tallyroom.installation.refusal import refusal
from tallyroom.spool import stamp as spool_stamp
from tallyroom.spool.numbers import read_numbers
from tallyroom.store.check import newest_number
from tallyroom.store.connection import Writer
from tallyroom.store.stamp import has_tables


def find_overtaken_spool(data: Path, writer: Writer) -> Problem | None:
    """The spool of `data`, which nobody has open, when it would give numbers away that events in the store have.

    A spool on the disk is always ahead of the store, because an event is numbered and durable before it moves on.

    Args:
        data: the data directory.
        writer: of its event store.

    Raises:
        StoreError: the store does not answer.
    """
    if not ((data / SPOOL_FILE).exists() and has_tables(data / STORE_FOLDER)):
        return None
    with reading(data / SPOOL_FILE) as connection:
        if not spool_stamp.has_numbers(connection):
            return None
        numbers = read_numbers(connection)
    newest = newest_number(writer, numbers.spool)
    if newest < numbers.next_seq:
        return None
    text = (
        f"the spool ({PLACES['spool']}) is an older copy: its next event would be number {numbers.next_seq:,}, and the "
        f"event store holds number {newest:,}"
    )
    return Problem("spool", "older", text)


def refuse_overtaken_spool(data: Path, writer: Writer) -> None:
    """As `find_overtaken_spool`, in the words of every other refusal.

    Raises:
        NotWhole: it is such a copy.
        StoreError: the store does not answer.
    """
    if problem := find_overtaken_spool(data, writer):
        raise refusal(look(data, check=False), [problem])
