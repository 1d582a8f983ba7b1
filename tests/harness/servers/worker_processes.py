"""The worker processes of a server."""

from contextlib import suppress
from pathlib import Path


def workers_of(server_pid: int, module: str) -> list[int]:
    """The processes of a server that run a module."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            _, _, rest = (process / "stat").read_text().rpartition(") ")  # a name may have any letter
            state, parent, *_ = rest.split()
            words = (process / "cmdline").read_bytes()
            if state != "Z" and int(parent) == server_pid and module.encode() in words:
                found.append(int(process.name))
    return found


def assigned_workers(parent_pid: int, module: str) -> list[int]:
    """The workers of a parent, without its process in reserve."""
    return [pid for pid in workers_of(parent_pid, module) if _name_of(pid).startswith("tallyroom-")]


def _name_of(pid: int) -> str:
    with suppress(OSError):  # it has ended meanwhile
        return Path(f"/proc/{pid}/comm").read_text()
    return ""


def drawing_for(server_pid: int) -> list[int]:
    """The processes that draw for a server."""
    return workers_of(server_pid, "tallyroom.images.worker")


def runs(pid: int) -> bool:
    """Whether there is such a process."""
    return Path(f"/proc/{pid}").exists()
