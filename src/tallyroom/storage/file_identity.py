"""Detects whether files are still where they were opened, because the next start would not find them elsewhere."""

from pathlib import Path

from tallyroom.core.errors import Unavailable


class Astray(Unavailable):
    """The data directory, or a file in it, was moved, deleted or replaced while the server is running."""

    def __init__(self) -> None:
        super().__init__(
            "The server's data directory was moved or replaced. Nothing is read or acknowledged until it is back. "
            "Send the request again, with an Idempotency-Key to be safe.",
            2,
        )


class FileIdentities:
    """Remembers files as first seen, once they exist; the caller keeps them open, or their inode could be reused."""

    def __init__(self, *paths: Path) -> None:
        self._identity_by_path = {path: _read_identity(path) for path in paths}

    def find_astray(self) -> Path | None:
        """Return the first path whose file is not where it was, or None; takes a few microseconds per path."""
        for path, first_identity in self._identity_by_path.items():
            current_identity = _read_identity(path)
            if first_identity is None:
                self._identity_by_path[path] = current_identity
            elif current_identity != first_identity:
                return path
        return None

    def refuse_astray(self) -> None:
        """Raise `Astray` if a file is not where it was."""
        if self.find_astray() is not None:
            raise Astray


def paths_with_log(path: Path) -> tuple[Path, Path]:
    """Return the paths of a SQLite file in write-ahead mode and of its log, which exists while the file is open."""
    return path, path.with_name(f"{path.name}-wal")


def _read_identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
