"""docs/dependencies.md gives a reason for each dependency, and for nothing else."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| `(?P<name>[a-z0-9-]+)` \| (?P<reason>\S.*) \|$", re.MULTILINE)


def declared(kind: str) -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = {"Runtime": project["project"]["dependencies"]}
    groups |= {"Development": project["dependency-groups"]["dev"], "Demo": project["dependency-groups"]["demo"]}
    lines = groups[kind]
    names = [re.match(r"[A-Za-z0-9._-]+", line) for line in lines]
    return [name.group().lower() for name in names if name]


def documented(kind: str) -> list[str]:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    section = page.split(f"## {kind}\n", maxsplit=1)[1].split("\n## ", maxsplit=1)[0]
    return [match["name"] for match in ROW.finditer(section)]


@pytest.mark.parametrize("kind", ["Runtime", "Development", "Demo"])
def test_each_dependency_has_its_reason(kind: str) -> None:
    assert documented(kind) == declared(kind)
