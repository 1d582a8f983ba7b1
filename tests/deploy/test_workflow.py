"""The workflow and the forms of the repository are what their readers take, and the workflow tries what the project needs."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".github"
WORKFLOW = FOLDER / "workflows" / "check.yml"
FORMS = sorted(path for path in (FOLDER / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")


def check(schema: str, *files: Path) -> None:
    words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, files)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def jobs() -> dict[str, Any]:
    return dict(yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"])


@pytest.mark.long
def test_all_are_as_their_schemas_say() -> None:
    check("vendor.github-workflows", WORKFLOW)
    check("custom.github-workflows-require-timeout", WORKFLOW)
    check("vendor.github-issue-config", FOLDER / "ISSUE_TEMPLATE" / "config.yml")
    assert len(FORMS) == 2
    check("vendor.github-issue-forms", *FORMS)


def test_each_python_passes_what_a_commit_must_pass(jobs: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = re.fullmatch(r">=(3\.\d+)", project["requires-python"])
    assert oldest
    pythons = jobs["commit"]["strategy"]["matrix"]["python"]
    assert pythons[0] == oldest[1]
    minors = [int(version.removeprefix("3.")) for version in pythons]
    assert minors == [*range(minors[0], minors[-1] + 1)]
    assert ".ci/run" in jobs["commit"]["steps"][-1]["run"]


def test_the_long_tests_run_at_night(jobs: dict[str, Any]) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "schedule" in jobs["night"]["if"]
    command = re.search(r"make (\S+)", jobs["night"]["steps"][-1]["run"])
    assert command
    assert re.search(rf"^{command[1]}:", makefile, re.MULTILINE)
