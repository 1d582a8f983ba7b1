"""One line, with from, to and how long it took."""

import logging

import pytest

from conftest import FakeClock
from tallyroom.storage.upgrade_log import build_migration_logger


def test_what_was_migrated_and_how_long_it_took(caplog: pytest.LogCaptureFixture) -> None:
    clock = FakeClock()
    line = build_migration_logger("metadata", clock)
    clock.advance(1.25)
    with caplog.at_level(logging.INFO, "tallyroom.storage.upgrade_log"):
        line("0028", "0029")
    [record] = caplog.records
    told = {name: getattr(record, name) for name in ("database", "from", "to", "seconds")}
    assert record.getMessage() == "a database was migrated"
    assert told == {"database": "metadata", "from": "0028", "to": "0029", "seconds": 1.25}
