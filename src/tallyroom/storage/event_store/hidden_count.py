"""Records the number of hidden events in a file next to the store, which keeps no trace of a lost part.

The file is emptied before a change, so that a crash leaves no wrong number. A store on a server has none.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tallyroom.core.atomic_file import write_atomically
from tallyroom.storage.event_store.errors import StoreError
from tallyroom.storage.event_store.part_check import count_unfinished_deletions
from tallyroom.storage.event_store.writer import Writer

_FILE = "hidden-events"


@contextmanager
def changing_hidden_events(writer: Writer) -> Iterator[None]:
    """Wrap any change of the list; raises `StoreError` if counting the events or writing the file fails."""
    with writer.hold_lock():
        if path := _note_path(writer):
            _write_note_text(path, "")
        yield
        note_hidden_count(writer)


def note_hidden_count(writer: Writer) -> None:
    """Accept the current list as complete; raises `StoreError` as `changing_hidden_events` does."""
    with writer.hold_lock():
        if path := _note_path(writer):
            _write_note_text(path, str(_count_hidden(writer)))


def count_missing_hidden(writer: Writer) -> int:
    """Count events that are no longer hidden although no user has shown them; raises `StoreError`."""
    with writer.hold_lock():
        path = _note_path(writer)
        noted_count = _read_noted_count(path) if path else None
        if noted_count is not None:
            return max(0, noted_count - _count_hidden(writer))
        if path and not count_unfinished_deletions(writer):
            note_hidden_count(writer)
        return 0


def _note_path(writer: Writer) -> Path | None:
    folder = writer.backend.folder
    return folder and folder / _FILE


def _write_note_text(path: Path, text: str) -> None:
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise StoreError(str(error)) from error


def _read_noted_count(path: Path) -> int | None:
    try:
        return int(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return None


def _count_hidden(writer: Writer) -> int:
    return int(writer.command("SELECT count() FROM hidden_events"))
