"""Fixtures that every test may ask for."""

import pytest


class FakeClock:
    """A clock that stands still until a test moves it."""

    def __init__(self, now_ms: int = 1_795_176_000_000) -> None:
        self._now_ms = now_ms
        self._monotonic = 1000.0

    def now_ms(self) -> int:
        return self._now_ms

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, seconds: float) -> None:
        self._now_ms += round(seconds * 1000)
        self._monotonic += seconds


@pytest.fixture
def fake_clock() -> FakeClock:
    """2026-11-20T12:00:00Z, and only `advance` moves it."""
    return FakeClock()
