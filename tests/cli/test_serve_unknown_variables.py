"""A misspelt setting is noticed, and no variable of another command is taken for one."""

import dataclasses
import inspect
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import pytest
from cyclopts import Parameter

import tallyroom
from tallyroom.cli.serve import find_unknown_variables


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("FEED_CREATE", "; did you mean TALLYROOM_FEED_CREATES?"),
        ("PORTS", "; did you mean TALLYROOM_PORT?"),
        ("LOGLEVEL", "; did you mean TALLYROOM_LOG_LEVEL?"),
        ("FRUIT", "."),
    ],
)
def test_a_variable_that_is_no_setting_is_told_without_its_value(name: str, told: str) -> None:
    environ = {f"TALLYROOM_{name}": "a secret", "TALLYROOM_PORT": "80", "TALLYROOMS": "x", "PATH": "/bin"}
    assert find_unknown_variables(environ) == [f"TALLYROOM_{name} is not a setting and has no effect{told}"]


def test_variables_of_other_commands_are_no_slips() -> None:
    found = {
        variable
        for path in (Path(tallyroom.__file__).parent / "cli").glob("*.py")
        for command in vars(import_module(f"tallyroom.cli.{path.stem}")).values()
        for variable in _variables(command)
    }
    assert {"TALLYROOM_URL", "TALLYROOM_KEY", "TALLYROOM_TOKEN", "TALLYROOM_STATS_TOKEN"} < found
    assert "TALLYROOM_COLLECT_EVERY" in found
    assert find_unknown_variables(dict.fromkeys(found | {"TALLYROOM_TEST_SEED"}, "x")) == []


def _variables(command: object) -> set[str]:
    """The environment variables of a command's parameters, or of a group of options."""
    if not (inspect.isfunction(command) or dataclasses.is_dataclass(command)):
        return set()
    told = get_type_hints(command, include_extras=True).values()
    marks = [mark for hint in told for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Parameter)]
    return {variable for mark in marks for variable in mark.env_var or ()}
