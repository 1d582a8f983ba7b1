"""Notes the number of hidden events in a file beside the store: if a part of that list is lost, the store has no trace.

The note is emptied before the list changes and written after the change, so a crash in between leaves no wrong note.
There is no note beside a store that is on a server.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tallyroom.core.atomic_file import write_whole
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.part_check import unfinished_deletions
from tallyroom.storage.event_store.writer import Writer

_FILE = "hidden-events"


@contextmanager
def changing(writer: Writer) -> Iterator[None]:
    """Wrap any change of the list.

    Raises:
        StoreError: the events cannot be counted, or the note cannot be written.
    """
    with writer.alone():
        if file := _file(writer):
            _write(file, "")
        yield
        note(writer)


def note(writer: Writer) -> None:
    """Accept the current list as complete.

    Raises:
        StoreError: as for `changing`.
    """
    with writer.alone():
        if file := _file(writer):
            _write(file, str(_count(writer)))


def missing(writer: Writer) -> int:
    """Count events that are no longer hidden although nobody has shown them; write the note if there is none.

    Raises:
        StoreError: as for `changing`.
    """
    with writer.alone():
        file = _file(writer)
        number = _read(file) if file else None
        if number is not None:
            return max(0, number - _count(writer))
        if file and not unfinished_deletions(writer):
            note(writer)
        return 0


def _file(writer: Writer) -> Path | None:
    folder = writer.backend.folder
    return folder and folder / _FILE


def _write(file: Path, text: str) -> None:
    try:
        write_whole(file, text.encode())
    except OSError as error:
        raise StoreError(str(error)) from error


def _read(file: Path) -> int | None:
    try:
        return int(file.read_bytes())
    except (FileNotFoundError, ValueError):
        return None


def _count(writer: Writer) -> int:
    return int(writer.command("SELECT count() FROM hidden_events"))
