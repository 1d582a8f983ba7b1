"""How long to wait before a server is asked again."""

from email.utils import formatdate
from random import Random

import httpx
import pytest

from tallyroom.import_export import connection
from tallyroom.import_export.connection import backoff_seconds, read_retry_after

NOW_MS = 1_795_176_000_000


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ("0", 0),
        ("17", 17),
        ("9" * 400, 86_400),
        (formatdate(NOW_MS / 1000 + 30, usegmt=True), 30),
        (formatdate(NOW_MS / 1000 - 30, usegmt=True), 0),
        ("", None),
        ("-1", None),
        ("1.5", None),
        ("²", None),
        ("soon", None),
    ],
)
def test_what_retry_after_says(told: str, seconds: float | None) -> None:
    assert (
        read_retry_after(httpx.Response(503, headers={"retry-after": told} if told.isascii() else {}), NOW_MS)
        == seconds
    )


def test_pauses_grow_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_FIRST_PAUSE_SECONDS", 0.2)
    chance = Random(1)
    assert [0.1 * 2**attempt <= backoff_seconds(attempt, chance) <= 0.2 * 2**attempt for attempt in range(5)] == [
        True
    ] * 5
    assert 5 <= backoff_seconds(50, chance) <= 10
