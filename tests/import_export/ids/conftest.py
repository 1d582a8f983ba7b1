"""State files that are closed when their test ends."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tallyroom.import_export.destination import Destination, Workspace
from tallyroom.import_export.ids.state import ImportState

HERE = Destination("production", Workspace("w", "UTC"))
OpenState = Callable[..., ImportState]


@pytest.fixture
def open_state(tmp_path: Path) -> Iterator[OpenState]:
    """Open the one file of the test again, as another import does; the one before has to be closed."""
    with ExitStack() as stack:
        yield lambda where=HERE: stack.enter_context(closing(ImportState(tmp_path / "ids.sqlite", where)))
