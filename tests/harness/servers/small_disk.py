"""File systems that are small enough to fill, in a mount namespace that needs no privileges."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

_MIB = 1024 * 1024


class NoNamespaces(Exception):  # a fact about the machine
    """The machine lets nobody mount anything."""


class SmallDisk:
    """Mounted file systems that live as long as the process that holds their namespace.

    Args:
        pid: the holder.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.inside = ("nsenter", "-t", str(pid), "-m", "-U", "--preserve-credentials", "--")

    def outside(self, path: Path) -> Path:
        """Where a process that is not in the namespace finds `path`."""
        return Path(f"/proc/{self._pid}/root{path}")

    def free(self, path: Path) -> int:
        """Free bytes."""
        return shutil.disk_usage(self.outside(path)).free

    def add_ballast(self, folder: Path, mebibytes: int) -> Path:
        """Take space away; deleting the file gives it back."""
        ballast = self.outside(folder) / "ballast"
        with ballast.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, mebibytes * _MIB)
        return ballast

    def fill(self, folder: Path) -> Path:
        """Take all space away; deleting the file gives it back."""
        ballast = self.outside(folder) / "ballast"
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))
        return ballast


@contextmanager
def small_disk(mounts: Mapping[Path, int]) -> Iterator[SmallDisk]:
    """Mount a file system of so many MiB at each path, in the order given.

    Raises:
        NoNamespaces: it is not allowed here.
    """
    commands = [f"mkdir -p '{path}' && mount -t tmpfs -o size={size}m tmpfs '{path}'" for path, size in mounts.items()]
    script = " && ".join([*commands, "echo mounted", "exec sleep 3600"])
    try:
        holder = subprocess.Popen(["unshare", "-rm", "sh", "-c", script], stdout=subprocess.PIPE, text=True)
    except FileNotFoundError as error:
        raise NoNamespaces("unshare is not installed") from error
    with holder:
        assert holder.stdout
        try:
            if holder.stdout.readline() != "mounted\n":
                raise NoNamespaces("unshare and mount are refused")
            yield SmallDisk(holder.pid)
        finally:
            holder.kill()
