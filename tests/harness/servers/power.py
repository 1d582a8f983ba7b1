"""A disk whose power may go: what was written, what of it was synced, and what is left of it.

Bytes are kept when a sync of their file that began after them has ended. Names - files and folders made, moved, deleted -
are kept as journaling file systems keep them (ext4, XFS): in their order, and a sync that has a name or a size of its own
to write down also writes all names before it. A sync of a file that was only overwritten keeps no names.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from random import Random

Survives = Callable[[int], int]  # of so many changes that nobody synced, how many are there when the power is back
Write = tuple[int, bytes | None]  # offset and bytes; no bytes cut the file off at that offset


@dataclass(eq=False)
class File:
    """The bytes that are kept, and the writes since then."""

    data: bytearray = field(default_factory=bytearray)
    unsynced: list[Write] = field(default_factory=list)
    synced: int = 0
    named: int = -1

    @property
    def written(self) -> int:
        """How many writes there ever were."""
        return self.synced + len(self.unsynced)

    @property
    def size(self) -> int:
        """How many bytes a reader sees."""
        size = len(self.data)
        for offset, data in self.unsynced:
            size = offset if data is None else max(size, offset + len(data))
        return size

    def keep(self, written: int) -> bool:
        """Keep the first so many writes; returns whether that changed the size."""
        count, before = max(0, written - self.synced), len(self.data)
        _apply(self.unsynced[:count], self.data)
        del self.unsynced[:count]
        self.synced += count
        return len(self.data) != before


@dataclass(eq=False)
class Folder:
    """Names as a reader sees them, and those that are kept."""

    entries: dict[str, "Node"] = field(default_factory=dict)
    kept: dict[str, "Node"] = field(default_factory=dict)
    named: int = -1
    written: int = 0


@dataclass(eq=False)
class Link:
    """A symbolic link."""

    target: str
    named: int = -1
    written: int = 0


Node = File | Folder | Link
Entry = tuple[Folder, str, Node | None]  # a name, and what it stands for from now on


def nothing(_unsynced: int) -> int:
    """The power went before the system wrote down anything that it was not asked to."""
    return 0


def everything(unsynced: int) -> int:
    """The process died and the system did not."""
    return unsynced


def something(chance: Random) -> Survives:
    """The power went while the system was writing."""
    return lambda unsynced: chance.randint(0, unsynced)


class Disk:
    """The names and bytes of a file system, as far as anybody made them.

    Attributes:
        root: the topmost folder.
        changes: how often names were ever changed.
    """

    def __init__(self) -> None:
        self.root = Folder()
        self.changes = 0
        self._unkept: list[tuple[Entry, ...]] = []

    def find(self, start: Node, path: PurePath) -> Node | None:
        """What stands at `path`, seen from `start`."""
        found: Node | None = start
        for part in path.parts:
            found = found.entries.get(part) if isinstance(found, Folder) else None
        return found

    def nodes(self) -> Iterator[Node]:
        """All that has a name."""
        waiting: list[Node] = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            if isinstance(node, Folder):
                waiting += node.entries.values()

    def name(self, *entries: Entry) -> None:
        """Change names, all at once."""
        for folder, name, node in entries:
            _set(folder.entries, name, node)
            folder.named = self.changes
            if node:
                node.named = self.changes
        self.changes += 1
        self._unkept.append(entries)

    def sync(self, node: Node, written: int, changes: int) -> None:
        """A sync of `node` has ended, which began after so many writes to it and so many changes of names."""
        kept = self.changes - len(self._unkept)
        resized = isinstance(node, File) and node.keep(written)
        if not resized and node.named < kept:
            return
        for entries in self._unkept[: max(0, changes - kept)]:
            for folder, name, entry in entries:
                _set(folder.kept, name, entry)
        del self._unkept[: max(0, changes - kept)]

    def save(self, name: str, target: Path, survives: Survives = nothing) -> None:
        """Write what is found under `name` when the power is back.

        Args:
            name: of a folder in the topmost one.
            target: where; made here.
            survives: asked once for all changes of names, and once for the writes to each file.
        """
        names = {id(entry[0]): dict(entry[0].kept) for entries in self._unkept for entry in entries}
        for entries in self._unkept[: survives(len(self._unkept))]:
            for folder, changed, node in entries:
                _set(names[id(folder)], changed, node)
        found = names.get(id(self.root), self.root.kept).get(name)
        assert found, f"{name} is gone"
        _save(found, target, names, survives)


def _save(node: Node, target: Path, names: dict[int, dict[str, Node]], survives: Survives) -> None:
    if isinstance(node, Link):
        target.symlink_to(node.target)
    elif isinstance(node, Folder):
        target.mkdir(parents=True)
        for name, entry in names.get(id(node), node.kept).items():
            _save(entry, target / name, names, survives)
    else:
        data = bytearray(node.data)
        _apply(node.unsynced[: survives(len(node.unsynced))], data)
        target.write_bytes(data)


def _apply(writes: list[Write], data: bytearray) -> None:
    for offset, new in writes:
        end = offset + len(new or b"")
        data.extend(bytes(max(0, end - len(data))))
        if new is None:
            del data[offset:]
        else:
            data[offset:end] = new


def _set(entries: dict[str, Node], name: str, node: Node | None) -> None:
    if node is None:
        entries.pop(name, None)
    else:
        entries[name] = node
