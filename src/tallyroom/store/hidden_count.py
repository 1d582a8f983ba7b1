"""Notes the number of hidden events in a file beside the store: if a part of that list is lost, the store has no trace.

The note is emptied before the list changes and written after the change, so a crash in between leaves no wrong note.
There is no note beside a store that is on a server.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tallyroom.core.whole_file import write_whole
from tallyroom.store.check import unfinished_deletions
from tallyroom.store.errors import StoreError
from tallyroom.store.writer import Writer

_FILE = "hidden-events"


@contextmanager
def changing(writer: Writer) -> Iterator[None]:
    """Wrap any change of the list.

    Raises:
        StoreError: the events cannot be counted, or the note cannot be written.
    """
    with writer.alone():
        _write(writer, lambda: "")
        yield
        note(writer)


def note(writer: Writer) -> None:
    """Accept the current list as complete.

    Raises:
        StoreError: as for `changing`.
    """
    with writer.alone():
        _write(writer, lambda: str(_count(writer)))


def missing(writer: Writer) -> int:
    """Count events that are no longer hidden although nobody has shown them; write the note if there is none.

    Raises:
        StoreError: as for `changing`.
    """
    with writer.alone():
        noted = _read(writer)
        if noted is not None:
            return max(0, noted - _count(writer))
        if not unfinished_deletions(writer):
            note(writer)
        return 0


def _write(writer: Writer, text: Callable[[], str]) -> None:
    folder = writer.backend.folder
    if folder is None:
        return
    try:
        write_whole(folder / _FILE, text().encode())
    except OSError as error:
        raise StoreError(str(error)) from error


def _read(writer: Writer) -> int | None:
    folder = writer.backend.folder
    if folder is None:
        return None
    try:
        return int((folder / _FILE).read_bytes())
    except (FileNotFoundError, ValueError):
        return None


def _count(writer: Writer) -> int:
    return int(writer.command("SELECT count() FROM hidden_events"))
