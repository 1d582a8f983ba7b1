"""docs/dependencies.md gives a reason for each dependency, and for nothing else."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WEB = {"Web app": "dependencies", "Web app development": "devDependencies"}
ROW = re.compile(r"^\| `(?P<name>[a-z0-9@/-]+)` \| (?P<reason>\S.*) \|$", re.MULTILINE)


def declared(kind: str) -> list[str]:
    if kind in WEB:
        return list(json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))[WEB[kind]])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = {"Runtime": project["project"]["dependencies"]}
    groups |= {"Cluster": project["project"]["optional-dependencies"]["cluster"]}
    groups |= {"Development": project["dependency-groups"]["dev"], "Demo": project["dependency-groups"]["demo"]}
    lines = groups[kind]
    names = [re.match(r"[A-Za-z0-9._-]+", line) for line in lines]
    return [name.group().lower() for name in names if name]


def documented(kind: str) -> list[str]:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    section = page.split(f"## {kind}\n", maxsplit=1)[1].split("\n## ", maxsplit=1)[0]
    return [match["name"] for match in ROW.finditer(section)]


@pytest.mark.parametrize("kind", ["Runtime", "Cluster", "Development", *WEB, "Demo"])
def test_each_dependency_has_its_reason(kind: str) -> None:
    assert documented(kind) == declared(kind)


def test_the_web_app_takes_exact_versions() -> None:
    package = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))
    versions = [version for kind in WEB.values() for version in package[kind].values()]
    assert [version for version in versions if not re.fullmatch(r"\d+\.\d+\.\d+", version)] == []
