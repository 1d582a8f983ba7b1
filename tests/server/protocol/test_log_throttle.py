"""How often the log has a line that many connections cause."""

import asyncio
import logging

import pytest

from harness.suite.patience import until
from tallyroom.server.protocol import log_throttle
from tallyroom.server.protocol.log_throttle import ThrottledLog

LOG = logging.getLogger("tallyroom.tests.frequent")


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, int]]:
    return [(vars(record)["reason"], vars(record)["connections"]) for record in caplog.records]


async def test_the_first_is_written_at_once_and_the_others_of_a_minute_are_counted(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_throttle, "PAUSE_SECONDS", 0.02)
    line = ThrottledLog(LOG, "clients are gone")
    with caplog.at_level(logging.INFO, LOG.name):
        line.count_connections("reset", 3)
        for _ in range(1000):
            line.count_connections("reset")
        line.count_connections("timed out", 2)
        assert lines(caplog) == [("reset", 3)]
        await until(lambda: len(caplog.records) == 3)
        assert lines(caplog)[1:] == [("reset", 1000), ("timed out", 2)]
        await asyncio.sleep(0.1)
        line.count_connections("reset")
        assert lines(caplog)[3:] == [("reset", 1)]
    assert {record.message for record in caplog.records} == {"clients are gone"}
    await asyncio.sleep(0.1)


async def test_nothing_is_written_while_nothing_happens(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_throttle, "PAUSE_SECONDS", 0.01)
    line = ThrottledLog(LOG, "clients are gone")
    with caplog.at_level(logging.INFO, LOG.name):
        line.count_connections("reset")
        await asyncio.sleep(0.1)
    assert lines(caplog) == [("reset", 1)]
