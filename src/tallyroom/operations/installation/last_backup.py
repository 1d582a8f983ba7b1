"""A note in the data directory about its newest backup."""

from contextlib import suppress
from datetime import datetime
from pathlib import Path

import msgspec

from tallyroom.core.data_directory import LAST_BACKUP_FILE


class LastBackup(msgspec.Struct, frozen=True):
    """The time of the backup (ISO 8601), its folder, and its size in bytes."""

    created: str
    folder: str
    size: int


def write_last_backup(data_dir: Path, last_backup: LastBackup) -> None:
    """Replace the note; if the directory cannot be written, the backup still counts as successful."""
    with suppress(OSError):
        new_path = data_dir / f"{LAST_BACKUP_FILE}.new"
        new_path.write_bytes(msgspec.json.encode(last_backup))
        new_path.replace(data_dir / LAST_BACKUP_FILE)


def read_last_backup(data_dir: Path) -> LastBackup | None:
    """Return the note; None if there is none, or it cannot be read."""
    try:
        note = msgspec.json.decode((data_dir / LAST_BACKUP_FILE).read_bytes(), type=LastBackup)
        datetime.fromisoformat(note.created)
    except (OSError, ValueError):
        return None
    return note
