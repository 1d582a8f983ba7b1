"""Failpoints that a test sets are gone after it."""

from collections.abc import Iterator

import pytest

from tallyroom.core import failpoints


@pytest.fixture(autouse=True)
def no_failpoints() -> Iterator[None]:
    yield
    failpoints.configure("")
