"""Whether files are still where they were opened.

A process goes on reading and writing what it has open, wherever that is moved, and even when it is deleted. What it
writes then is not where the next start looks.
"""

from pathlib import Path

from tallyroom.core.errors import Unavailable


class Astray(Unavailable):
    """The data directory, or a file in it, was moved, deleted or replaced while the server runs."""

    def __init__(self) -> None:
        super().__init__(
            "The server's data directory is not where it was; nothing is read or acknowledged until it is back. "
            "Send the request again, with an Idempotency-Key to be safe.",
            2,
        )


class Whereabouts:
    """Where files were at first sight. Whoever asks keeps them open: the system gives a free number to another file.

    Args:
        paths: of files and directories; what does not exist yet is seen for the first time when it does.
    """

    def __init__(self, *paths: Path) -> None:
        self._seen = {path: _identity(path) for path in paths}

    def astray(self) -> Path | None:
        """The first that is not where it was; a few microseconds for each path."""
        for path, seen in self._seen.items():
            found = _identity(path)
            if seen is None:
                self._seen[path] = found
            elif found != seen:
                return path
        return None

    def refuse_astray(self) -> None:
        """Look.

        Raises:
            Astray: one is not where it was.
        """
        if self.astray() is not None:
            raise Astray


def with_log(path: Path) -> tuple[Path, Path]:
    """An SQLite file in write-ahead mode and its log, which stays as long as somebody has the file open."""
    return path, path.with_name(f"{path.name}-wal")


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
