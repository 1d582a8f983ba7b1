"""``python -m tools.measure``: prints each figure beside its limit, and fails if one is over it.

With a number, it prints as many of the files with the most bare names, and their names.
"""

import sys
from pathlib import Path
from typing import NamedTuple

from tools.measure.names import Names, python_names, typescript_names
from tools.measure.prose import docstring_lines_per_1000, markers_per_10000, texts_by_group
from tools.measure.rooms import rooms_of

ROOT = Path(__file__).parents[2]


class Figure(NamedTuple):
    """What was counted, and the most that it may be."""

    name: str
    value: float
    limit: float


def list_sources(root: Path) -> list[Path]:
    """Return the modules of the server and of the client, without their tests."""
    return sorted(module for folder in ("src", "sdk/python/src") for module in (root / folder).rglob("*.py"))


def count_python_names() -> Names:
    return python_names(list_sources(ROOT))


def count_typescript_names() -> Names:
    files = sorted((ROOT / "web" / "src").rglob("*.ts*"))
    return typescript_names(file for file in files if ".gen." not in file.name and ".test." not in file.name)


def build_figures(root: Path, in_python: Names, in_typescript: Names) -> list[Figure]:
    """Return every figure with its limit."""
    rooms = rooms_of(root)
    return [
        Figure("rooms", len(rooms.imports_by_room), 24),
        Figure("floors", rooms.floors(), 10),
        Figure("arrows between rooms", rooms.arrows(), 105),
        Figure("bare names in 1,000, Python", in_python.bare_per_1000(), 5),
        Figure("... of them irregular", in_python.irregular_per_1000(), 2),
        Figure("bare names in 1,000, TypeScript", in_typescript.bare_per_1000(), 5),
        Figure("... of them irregular", in_typescript.irregular_per_1000(), 2),
        Figure("lines of docstrings in 1,000", docstring_lines_per_1000(list_sources(root)), 120),
        *(
            Figure(f"markers in 10,000 words, {name}", markers_per_10000(texts), 10)
            for name, texts in texts_by_group(root).items()
        ),
    ]


def describe_worst_files(names: Names, file_count: int) -> list[str]:
    """Return a line for each of the files with the most bare names."""
    worst_paths = sorted(names.counts_by_path, key=lambda path: -sum(names.bare_in(path).values()))[:file_count]
    return [
        f"{path.relative_to(ROOT)}: {', '.join(f'{name} {count}' for name, count in names.bare_in(path).most_common())}"
        for path in worst_paths
    ]


def main(arguments: list[str]) -> int:
    in_python, in_typescript = count_python_names(), count_typescript_names()
    is_over_limit = False
    for figure in build_figures(ROOT, in_python, in_typescript):
        is_over_limit |= figure.value > figure.limit
        mark = "  over its limit" if figure.value > figure.limit else ""
        sys.stdout.write(f"{figure.name:<46}{figure.value:8.1f}  of {figure.limit:g}{mark}\n")
    for count in map(int, arguments):
        sys.stdout.writelines(
            f"{line}\n" for names in (in_python, in_typescript) for line in describe_worst_files(names, count)
        )
    return int(is_over_limit)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
