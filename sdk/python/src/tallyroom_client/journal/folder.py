"""The folder of the queue: one journal for each process, and those that dead processes left."""

import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from tallyroom_client.journal.journal import Journal
from tallyroom_client.journal.lock import try_lock
from tallyroom_client.journal.refused import RefusedEvents

_LOCK_SUFFIX = ".lock"
_MAX_CREATIONS = 1000
_VISIBLE_KEY_LENGTH = 12  # as much of a key as the server shows


def default_folder(url: str, key: str) -> Path:
    """Return the folder of a server and a key, so that no event is sent to another workspace."""
    target = sha256(f"{url} {key[:_VISIBLE_KEY_LENGTH]}".encode()).hexdigest()[:16]
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")  # noqa: PTH111 # never raises
    return Path(state) / "tallyroom" / target


class QueueFolder:
    """Creates this process's journal and adopts the journals whose processes have died.

    Args:
        path: created if it does not exist, readable only by its user.
        make_key: returns 22 random characters of base64url.
        now_ms: wall time in ms since 1970.
        is_durable: whether each event reaches the disk at once.

    Raises:
        OSError: the folder cannot be written to, or the platform has no locks.
    """

    def __init__(
        self, path: Path, *, make_key: Callable[[], str], now_ms: Callable[[], int], is_durable: bool = False
    ) -> None:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path
        self._make_key = make_key
        self._now_ms = now_ms
        self._is_durable = is_durable
        self.refused_events = RefusedEvents(path / "refused")
        self.journal = self._create()

    def adopt(self) -> list[Journal]:
        """Return the journals of dead processes, the oldest first; this process now owns them."""
        journals = []
        for path in sorted(self._path.glob(f"*{_LOCK_SUFFIX}"), key=_creation_time):
            with suppress(OSError):  # one that cannot be read stays for a person to look at
                if path.stem != self.journal.queue_id and (journal := self._open(path.stem)):
                    journals.append(journal)
        for journal in journals:
            if not journal.is_needed:
                journal.close()
        return [journal for journal in journals if journal.is_needed]

    def _create(self) -> Journal:
        """Create a journal; a process that adopts at the same moment may be faster to lock it, and removes it."""
        for _ in range(_MAX_CREATIONS):
            journal = self._open(self._make_key())
            if journal is not None:
                return journal
        raise OSError("other processes hold the locks of new journals")

    def _open(self, queue_id: str) -> Journal | None:
        lock = try_lock(self._path / f"{queue_id}{_LOCK_SUFFIX}")
        if lock is None:
            return None
        try:
            return Journal(
                self._path,
                queue_id,
                lock,
                make_key=self._make_key,
                now_ms=self._now_ms,
                is_durable=self._is_durable,
            )
        except OSError:
            lock.release()
            raise


def _creation_time(lock_path: Path) -> int:
    """Nobody writes into a lock file, so it keeps the time at which its journal began."""
    try:
        return lock_path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0
