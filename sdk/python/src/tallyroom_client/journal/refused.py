"""The folder of events that the server refused, for a person to look at; it holds at most 1 MiB."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

_MAX_FILE_BYTES = 512 * 1024
_NEWER, _OLDER = "refused.jsonl", "refused.older.jsonl"


class RefusedEvents:
    """Appends events, each with the reason, to a file; a full one replaces the older one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, events: Iterable[bytes], status: int, reason: str) -> None:
        """Append events, given as JSON; an event that the disk has no room for is left out."""
        start = json.dumps({"status": status, "reason": reason}, ensure_ascii=False)[:-1].encode(errors="replace")
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            for event in events:
                self._append(b'%b, "event": %b}\n' % (start, event))
        except OSError:
            return

    def _append(self, line: bytes) -> None:
        path = self._folder / _NEWER
        if path.exists() and path.stat().st_size + len(line) > _MAX_FILE_BYTES:
            path.replace(self._folder / _OLDER)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)
