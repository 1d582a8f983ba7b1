"""The packages as a user gets them: what is in them, and an event from a clean environment."""

import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from tools.sdk.environments import list_pythons, try_wheel
from tools.sdk.packages import PROJECT, build_packages, check_packages


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return build_packages(tmp_path_factory.mktemp("dist"))


def test_an_index_would_accept_the_packages(packages: list[Path]) -> None:
    check_packages(packages)


def test_a_wheel_has_every_module_its_types_and_its_license(packages: list[Path]) -> None:
    names = set(zipfile.ZipFile(packages[-1]).namelist())
    sources = {path.relative_to(PROJECT / "src").as_posix() for path in (PROJECT / "src").rglob("*.py")}
    assert {name for name in names if name.endswith(".py")} == sources
    assert "tallyroom_client/py.typed" in names
    assert any(name.endswith("LICENSE") for name in names)
    with tarfile.open(packages[0]) as archive:
        assert any(name.endswith("/README.md") for name in archive.getnames())


def test_an_event_arrives_from_a_clean_environment(packages: list[Path], tmp_path: Path) -> None:
    assert try_wheel(packages[-1], sys.executable, tmp_path) == sys.version.split()[0]


@pytest.mark.long
@pytest.mark.parametrize("python", list_pythons())
def test_an_event_arrives_from_every_python(packages: list[Path], tmp_path: Path, python: str) -> None:
    assert try_wheel(packages[-1], python, tmp_path).startswith("3.")
