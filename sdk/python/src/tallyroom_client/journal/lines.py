"""A file of lines that several owners append to, and that any of them may have left torn."""

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tallyroom_client.journal.records import CONTENT_START, EVENT_START, read_content

_CHUNK_BYTES = 256 * 1024


class Line(NamedTuple):
    """A complete line: its offset, the offset behind it, and its JSON; None for a damaged one."""

    start: int
    end: int
    content: bytes | None


class LineFile:
    """Appends lines and reads them. Its errors are `OSError`.

    Args:
        path: created if it does not exist.
        is_durable: whether each line reaches the disk before `append` returns.
    """

    def __init__(self, path: Path, *, is_durable: bool) -> None:
        self.path = path
        self._is_durable = is_durable
        self._lock = threading.RLock()  # a signal handler may append while its thread does
        self._descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self.size = os.fstat(self._descriptor).st_size
        self._is_torn = self.size > 0 and os.pread(self._descriptor, 1, self.size - 1) != b"\n"
        if self._is_torn:
            self._end_torn_line()
        if is_durable:
            _sync_folder(path.parent)

    def append(self, line: bytes) -> None:
        """Append a line; after an error the file has at most a torn line, which the next one ends."""
        with self._lock:
            whole = b"\n" + line if self._is_torn else line
            self._is_torn = True
            length = os.write(self._descriptor, whole)
            self.size += length
            if length < len(whole):
                raise OSError("the disk has room for a part of the line only")
            self._is_torn = False
        if self._is_durable:
            os.fsync(self._descriptor)

    def read(self, start: int, end: int | None = None) -> Iterator[Line]:
        """Yield the complete lines from one offset to another, by default to the end of the file."""
        rest = b""
        while chunk := os.pread(self._descriptor, self._next_length(start + len(rest), end), start + len(rest)):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                next_start = start + len(line) + 1
                yield Line(start, next_start, read_content(line))
                start = next_start

    def read_records(self, start: int) -> tuple[list[Line], int]:
        """Return the complete lines that are no events, and the offset behind the last complete line.

        This takes a fraction of the time of `read`, because it does not check the events.
        """
        records = []
        rest = b""
        while chunk := os.pread(self._descriptor, _CHUNK_BYTES, start + len(rest)):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                next_start = start + len(line) + 1
                if not line.startswith(EVENT_START, CONTENT_START):
                    records.append(Line(start, next_start, read_content(line)))
                start = next_start
        return records, start

    def close(self) -> None:
        """Close the file, which stays on disk."""
        os.close(self._descriptor)

    def delete(self) -> None:
        """Close the file and remove it."""
        self.path.unlink(missing_ok=True)
        self.close()

    def _end_torn_line(self) -> None:
        """End the line of an owner that died, before the file is read: it may be whole but for its end."""
        with suppress(OSError):
            self.append(b"")

    @staticmethod
    def _next_length(offset: int, end: int | None) -> int:
        return _CHUNK_BYTES if end is None else min(_CHUNK_BYTES, end - offset)


def _sync_folder(folder: Path) -> None:
    """Make the entry of a new file reach the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
