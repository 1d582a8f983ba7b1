"""Usage at the edges of months (rules/people#usage)."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from tallyroom.ingest.acceptance.cap import LocalCap
from tallyroom.workspaces.usage import build_usage


@pytest.fixture
def counts() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE usage (workspace_id TEXT, month INTEGER, events INTEGER)")
    rows = [("w", 202611, 7), ("w", 202612, 5), ("w", 202402, 3), ("v", 202612, 9)]
    connection.executemany("INSERT INTO usage VALUES (?, ?, ?)", rows)
    yield connection
    connection.close()


@pytest.mark.parametrize(
    ("now", "period", "used", "resets_at"),
    [
        ("2026-11-30T23:59:59.999", "2026-11", 7, "2026-12-01T00:00:00.000Z"),
        ("2026-12-01T00:00:00.000", "2026-12", 5, "2027-01-01T00:00:00.000Z"),
        ("2026-12-31T23:59:59.999", "2026-12", 5, "2027-01-01T00:00:00.000Z"),
        ("2027-01-01T00:00:00.000", "2027-01", 0, "2027-02-01T00:00:00.000Z"),
        ("2024-02-29T12:00:00.000", "2024-02", 3, "2024-03-01T00:00:00.000Z"),
        ("2027-01-31T12:00:00.000", "2027-01", 0, "2027-02-01T00:00:00.000Z"),
    ],
)
async def test_a_month_is_one_of_utc(
    counts: sqlite3.Connection, fake_clock: Any, now: str, period: str, used: int, resets_at: str
) -> None:
    fake_clock.advance(datetime.fromisoformat(now).replace(tzinfo=UTC).timestamp() - fake_clock.now_ms() / 1000)
    found = await build_usage(LocalCap(counts, 100), "w", "free", fake_clock)
    assert (found.period, found.used, found.cap, found.resets_at) == (period, used, 100, resets_at)
    assert (await build_usage(LocalCap(counts, 100), "w", "paid", fake_clock)).cap is None
