"""core.times: the one form in which times leave the service."""

import pytest

from tallyroom.core.times import iso_ms


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1, "1970-01-01T00:00:00.001Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (1_795_176_000_000, "2026-11-20T12:00:00.000Z"),
        (1_795_176_000_120, "2026-11-20T12:00:00.120Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_milliseconds_become_iso_text(ms: int, text: str) -> None:
    assert iso_ms(ms) == text
