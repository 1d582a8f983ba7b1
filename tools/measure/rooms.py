"""Rooms, floors and arrows: a room is a folder or file directly in `src/tallyroom`, or one beside `src`.

An arrow is any import from one room to another, and floors are the longest chain of arrows. `__init__` files that
define nothing are left out, and so is the package's own.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = "tallyroom"
FOLDERS_BESIDE_SRC = ("bench", "demo", "typefaces", "web")


class Rooms(NamedTuple):
    """All rooms, and for each those that it imports."""

    imports_by_room: dict[str, frozenset[str]]

    def arrows(self) -> int:
        return sum(map(len, self.imports_by_room.values()))

    def floors(self) -> int:
        """Return the length of the longest chain.

        Raises:
            ValueError: the arrows form a circle, which the message names.
        """

        def height(room: str, above: tuple[str, ...]) -> int:
            if room in above:
                raise ValueError(f"a circle of rooms: {' -> '.join((*above[above.index(room) :], room))}")
            return 1 + max((height(below, (*above, room)) for below in self.imports_by_room[room]), default=0)

        return max(height(room, ()) for room in self.imports_by_room)


def rooms_of(root: Path) -> Rooms:
    """Return the rooms of a checkout."""
    imports_by_room: dict[str, set[str]] = {beside: set() for beside in FOLDERS_BESIDE_SRC if (root / beside).is_dir()}
    for module in _modules(root):
        room = _room(root, module)
        imported_rooms = imports_by_room.setdefault(room, set())
        imported_rooms.update(other for other in _list_imported_rooms(root, module) if other != room)
    return Rooms({room: frozenset(imported_rooms) for room, imported_rooms in imports_by_room.items()})


def _modules(root: Path) -> Iterator[Path]:
    for folder in ("src", *FOLDERS_BESIDE_SRC):
        for path in sorted((root / folder).rglob("*.py")):
            is_left_out = path.name == "__init__.py" and (path.parent.name == PACKAGE or not _defines(path))
            if "node_modules" not in path.parts and not is_left_out:
                yield path


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _defines(path: Path) -> bool:
    return any(not isinstance(node, ast.Expr) for node in _tree(path).body)


def _room(root: Path, path: Path) -> str:
    parts = path.relative_to(root).parts
    return parts[2].removesuffix(".py") if parts[0] == "src" else parts[0]


def _list_imported_rooms(root: Path, path: Path) -> Iterator[str]:
    package = root / "src" / PACKAGE
    for node in ast.walk(_tree(path)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            first, _, below = name.partition(".")
            room = below.partition(".")[0]
            if first == PACKAGE and room and ((package / room).is_dir() or (package / f"{room}.py").is_file()):
                yield room
            elif first in FOLDERS_BESIDE_SRC:
                yield first
