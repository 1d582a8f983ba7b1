"""The calls of a traced process, done again on a disk whose power may go."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePath

from harness.servers.power import Disk, File, Folder, Link, Node, Survives, nothing
from harness.servers.strace import Step


@dataclass(eq=False)
class Handle:
    """An open file or folder, and where its next write goes."""

    node: Node
    appends: bool
    offset: int = 0


class Replay:
    """Follows one process through one folder, which was not there when the process began.

    Args:
        data: the folder.

    Attributes:
        disk: where it stands.
    """

    def __init__(self, data: Path) -> None:
        self._data = data
        self.disk = Disk()
        self._handles: dict[str, Handle] = {}
        self._syncs: dict[str, tuple[list[tuple[Node, int]], int]] = {}
        self._gone: set[tuple[int, str]] = set()

    def follow(self, step: Step) -> None:
        """Do what the step did."""
        if step.result is None:
            self._begin(step)
        elif step.result >= 0 and step.name in _ACTS:
            _ACTS[step.name](self, step)

    def save(self, target: Path, survives: Survives = nothing) -> None:
        """Make `target` what the folder is when the power is back."""
        self.disk.save(self._data.name, target, survives)

    def unsynced(self, folder: bytes) -> list[str]:
        """Names of the files in a folder that have bytes nobody synced."""
        found = self._begin_of(_path(folder))
        assert found, f"{folder!r} lies elsewhere"
        node = self.disk.find(*found)
        assert isinstance(node, Folder), f"{folder!r} is no folder"
        return [name for name, file in node.entries.items() if isinstance(file, File) and file.unsynced]

    def _begin(self, step: Step) -> None:
        """A sync covers what was there when it began; a closed number may be another file's before the close ends."""
        if step.name in {"fsync", "fdatasync"}:
            handle = self._handle(step)
            self._begin_sync(step, [handle.node] if handle else [])
        elif step.name in {"sync", "syncfs"}:
            self._begin_sync(step, list(self.disk.nodes()))
        elif step.name == "close":
            self._handles.pop(step.words[0], None)

    def _begin_sync(self, step: Step, nodes: list[Node]) -> None:
        self._syncs[step.thread] = [(node, node.written) for node in nodes], self.disk.changes

    def _synced(self, step: Step) -> None:
        nodes, changes = self._syncs.pop(step.thread)
        for node, written in nodes:
            self.disk.sync(node, written, changes)

    def _opened(self, step: Step) -> None:
        spot = self._spot(step, 0)
        if spot is None:
            return
        folder, name = spot
        flags = step.words[2 if step.name == "openat" else 1]
        node = folder.entries.get(name)
        if node is None and "O_CREAT" in flags:
            node = File()
            self.disk.name((folder, name, node))
        if node is None and (id(folder), name) in self._gone:
            # Opened by one thread while another moved or deleted it: both calls may end in either order.
            self._handles.pop(str(step.result), None)
            return
        assert node, f"{name} was opened and nobody made it"
        assert "SYNC" not in flags, f"{name} was opened with {flags}, which no replay knows"
        if isinstance(node, File) and "O_TRUNC" in flags:
            node.unsynced.append((0, None))
        self._handles[str(step.result)] = Handle(node, "O_APPEND" in flags)

    def _copied(self, step: Step) -> None:
        if handle := self._handle(step):
            self._handles[str(step.result)] = handle

    def _wrote(self, step: Step) -> None:
        handle = self._handle(step)
        if handle is None:
            return
        assert isinstance(handle.node, File)
        data = b"".join(step.texts)[: step.result]
        if step.name in {"pwrite64", "pwritev"}:
            handle.node.unsynced.append((int(step.words[-1]), data))
        else:
            offset = handle.node.size if handle.appends else handle.offset
            handle.node.unsynced.append((offset, data))
            handle.offset = offset + len(data)

    def _sought(self, step: Step) -> None:
        if (handle := self._handle(step)) and step.result is not None:
            handle.offset = step.result

    def _cut(self, step: Step) -> None:
        if handle := self._handle(step):
            assert isinstance(handle.node, File)
            handle.node.unsynced.append((int(step.words[1]), None))

    def _made_folder(self, step: Step) -> None:
        if spot := self._spot(step, 0):
            self.disk.name((*spot, Folder()))

    def _made_link(self, step: Step) -> None:
        if spot := self._spot(step, 1):
            self.disk.name((*spot, Link(step.texts[0].decode())))

    def _moved(self, step: Step) -> None:
        old, new = self._spot(step, 0), self._spot(step, 1)
        assert (old is None) is (new is None), "something was moved into the folder or out of it"
        if old and new:
            node = old[0].entries[old[1]]
            self._gone.add((id(old[0]), old[1]))
            if "EXCHANGE" in step.arguments:
                self.disk.name((*old, new[0].entries[new[1]]), (*new, node))
            else:
                self.disk.name(*([] if "link" in step.name else [(*old, None)]), (*new, node))

    def _deleted(self, step: Step) -> None:
        if spot := self._spot(step, 0):
            self._gone.add((id(spot[0]), spot[1]))
            self.disk.name((*spot, None))

    def _unknown(self, step: Step) -> None:
        known = [word for word in step.words if word in self._handles]
        assert not known, f"{step.name} changed a file, which no replay knows"

    def _handle(self, step: Step) -> Handle | None:
        return self._handles.get(step.words[0])

    def _spot(self, step: Step, index: int) -> tuple[Folder, str] | None:
        """The folder and the name that the call's path number `index` means; None when it lies elsewhere."""
        path = _path(step.texts[index])
        if path.is_absolute():
            found = self._begin_of(path)
        else:
            offset = [offset for offset, word in enumerate(step.words) if word.startswith('"')][index]
            handle = self._handles.get(step.words[offset - 1]) if offset else None
            found = None if handle is None else (handle.node, path)
        if found is None:
            return None
        start, path = found
        folder = self.disk.find(start, path.parent)
        assert isinstance(folder, Folder), f"{path} is in no folder that anybody made"
        return folder, path.name

    def _begin_of(self, path: PurePath) -> tuple[Node, PurePath] | None:
        """Where the way of an absolute path begins, and the rest of it; None when it lies elsewhere."""
        if path.is_relative_to(self._data):
            return self.disk.root, path.relative_to(self._data.parent)
        if path.is_relative_to(_DESCRIPTORS) and len(path.parts) > _PARTS:
            handle = self._handles.get(path.parts[_PARTS - 1])
            return None if handle is None else (handle.node, PurePath(*path.parts[_PARTS:]))
        return None


_DESCRIPTORS = PurePath("/proc/self/fd")
_PARTS = 5  # of the path of an open folder


def _path(text: bytes) -> PurePath:
    return PurePath(os.path.normpath(text.decode()))


_OPENED: dict[str, Callable[[Replay, Step], None]] = dict.fromkeys(("open", "openat"), Replay._opened)
_ACTS = (
    _OPENED
    | dict.fromkeys(("dup", "dup2", "dup3"), Replay._copied)
    | dict.fromkeys(("write", "writev", "pwrite64", "pwritev"), Replay._wrote)
    | dict.fromkeys(("mkdir", "mkdirat"), Replay._made_folder)
    | dict.fromkeys(("symlink", "symlinkat"), Replay._made_link)
    | dict.fromkeys(("rename", "renameat", "renameat2", "link", "linkat"), Replay._moved)
    | dict.fromkeys(("unlink", "unlinkat", "rmdir"), Replay._deleted)
    | dict.fromkeys(("fsync", "fdatasync", "sync", "syncfs"), Replay._synced)
    | {"lseek": Replay._sought, "ftruncate": Replay._cut}
    | dict.fromkeys(("truncate", "fallocate", "pwritev2", "copy_file_range", "sendfile", "splice"), Replay._unknown)
)
