"""Parents whose children start at once."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.servers.toy_parent import ToyParent

MakeParent = Callable[[int], ToyParent]


@pytest.fixture
def make_parent(tmp_path: Path) -> Iterator[MakeParent]:
    """Make parents on one data directory; none outlives the test."""
    made: list[ToyParent] = []

    def make(workers: int) -> ToyParent:
        made.append(ToyParent(tmp_path / "data", workers))
        return made[-1]

    yield make
    for parent in made:
        parent.kill()
        parent.end()
