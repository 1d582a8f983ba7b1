"""Builds a source distribution and a wheel of the Python client, and checks both as an index would."""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2] / "sdk" / "python"


def build_packages(folder: Path) -> list[Path]:
    """Return the paths of the packages, the wheel last."""
    for target in ("sdist", "wheel"):
        _run("hatchling", "build", "-t", target, "-d", str(folder), cwd=PROJECT)
    return [*folder.glob("*.tar.gz"), *folder.glob("*.whl")]


def check_packages(packages: list[Path]) -> None:
    """Raise `subprocess.CalledProcessError`, after the checker's own words, if an index would refuse a package."""
    _run("twine", "check", "--strict", *map(str, packages))
    _run("check_wheel_contents", str(packages[-1]))


def _run(module: str, *words: str, cwd: Path | None = None) -> None:
    subprocess.run([sys.executable, "-m", module, *words], cwd=cwd, check=True)
