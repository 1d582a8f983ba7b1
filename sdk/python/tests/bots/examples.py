"""The example bots, as programs whose client is a test's."""

from pathlib import Path
from types import ModuleType

import pytest
from sdk.python.tests.bots.tracker import KeepingTracker

_EXAMPLES = Path(__file__).parents[2] / "examples"


def load_example(name: str, helper: str, monkeypatch: pytest.MonkeyPatch) -> tuple[ModuleType, KeepingTracker]:
    """Run an example as far as its functions; `helper` is the module that would create its client."""
    tracker = KeepingTracker()
    monkeypatch.setattr(f"tallyroom_client.{helper}.default_tracker", lambda: tracker)
    program = ModuleType(name)
    exec(
        compile((_EXAMPLES / f"{name}.py").read_text(encoding="utf-8"), f"{name}.py", "exec"), program.__dict__
    )  # our own program
    return program, tracker
