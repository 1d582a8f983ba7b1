"""``python -m tools.measure``: prints each figure beside its limit, and fails if one is over it.

With a number, it prints as many of the files with the most bare names, and their names.
"""

import sys
from pathlib import Path
from typing import NamedTuple

from tools.measure.names import Names, python_names, typescript_names
from tools.measure.rooms import rooms_of

ROOT = Path(__file__).parents[2]


class Figure(NamedTuple):
    """What was counted, and the most that it may be."""

    name: str
    value: float
    limit: float


def python() -> Names:
    return python_names(sorted((ROOT / "src").rglob("*.py")))


def typescript() -> Names:
    files = sorted((ROOT / "web" / "src").rglob("*.ts*"))
    return typescript_names(file for file in files if ".gen." not in file.name and ".test." not in file.name)


def figures(root: Path, in_python: Names, in_typescript: Names) -> list[Figure]:
    """Return every figure with its limit."""
    rooms = rooms_of(root)
    return [
        Figure("rooms", len(rooms.imports), 24),
        Figure("floors", rooms.floors(), 10),
        Figure("arrows between rooms", rooms.arrows(), 105),
        Figure("bare names in 1,000, Python", in_python.bare_per_1000(), 5),
        Figure("... of them irregular", in_python.irregular_per_1000(), 2),
        Figure("bare names in 1,000, TypeScript", in_typescript.bare_per_1000(), 5),
        Figure("... of them irregular", in_typescript.irregular_per_1000(), 2),
    ]


def worst(names: Names, count: int) -> list[str]:
    """Return a line for each of the files with the most bare names."""
    files = sorted(names.counts, key=lambda path: -sum(names.bare_in(path).values()))[:count]
    return [
        f"{path.relative_to(ROOT)}: {', '.join(f'{name} {times}' for name, times in names.bare_in(path).most_common())}"
        for path in files
    ]


def main(arguments: list[str]) -> int:
    in_python, in_typescript = python(), typescript()
    over = False
    for figure in figures(ROOT, in_python, in_typescript):
        over |= figure.value > figure.limit
        mark = "  over its limit" if figure.value > figure.limit else ""
        sys.stdout.write(f"{figure.name:<34}{figure.value:8.1f}  of {figure.limit:g}{mark}\n")
    for count in map(int, arguments):
        sys.stdout.writelines(f"{line}\n" for names in (in_python, in_typescript) for line in worst(names, count))
    return int(over)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
