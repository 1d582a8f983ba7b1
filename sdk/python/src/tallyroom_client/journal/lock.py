"""The lock that says which journals belong to a living process."""

import os
from pathlib import Path

if os.name == "posix":
    import fcntl


class JournalLock:
    """A lock file that this process holds until `release`, or until it dies."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    def release(self) -> None:
        """Let another process adopt the journal. In a forked child, the parent keeps the lock."""
        os.close(self._descriptor)

    def delete(self) -> None:
        """Remove the lock file with the lock held, so that nobody adopts a journal that is being removed."""
        self.path.unlink(missing_ok=True)
        self.release()


def try_lock(path: Path) -> JournalLock | None:
    """Lock a file, created if necessary; None if another process, or this one, holds the lock.

    Raises:
        OSError: the folder or the platform has no such locks.
    """
    if os.name != "posix":
        raise OSError("this platform has no locks that end with a process")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_current = _is_same(path, descriptor)
    except BlockingIOError:
        is_current = False
    except OSError:
        os.close(descriptor)
        raise
    if not is_current:
        os.close(descriptor)
        return None
    return JournalLock(path, descriptor)


def _is_same(path: Path, descriptor: int) -> bool:
    """Whether the path still leads to the open file, which its previous owner may have removed before it let go."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
