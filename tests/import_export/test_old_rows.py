"""How many rows are older than charts reach."""

import random

import pytest

from tallyroom.core.times import DAY_MS, HOUR_MS, iso_ms
from tallyroom.core.timestamp import parse_timestamp
from tallyroom.import_export.batch import SentRow
from tallyroom.import_export.old_rows import OldRowCounter

NOW_MS = 1_795_176_000_000
EDGE_MS = NOW_MS - 90 * DAY_MS


def older(*timestamps: str) -> int:
    counter = OldRowCounter(NOW_MS)
    counter.count_rows([SentRow(1, b'{"name":"e","_timestamp":"%s"}' % text.encode(), b"") for text in timestamps])
    return counter.old_count


def test_the_edge_is_90_days_ago() -> None:
    assert older(iso_ms(EDGE_MS), iso_ms(EDGE_MS + 1)) == 0
    assert older(iso_ms(EDGE_MS - 1)) == 1


@pytest.mark.parametrize("text", ["1999-01-01T00:00:00Z", "19990101T000000Z", "1999-01-01 00:00"])
def test_each_way_to_write_a_time_is_read(text: str) -> None:
    assert older(text) == 1


def test_a_row_without_a_time_is_new() -> None:
    counter = OldRowCounter(NOW_MS)
    counter.count_rows([SentRow(1, b'{"name":"e"}', b"")])
    assert counter.old_count == 0


def test_times_without_an_offset_are_counted() -> None:
    counter = OldRowCounter(NOW_MS)
    texts = ["2026-11-20", "2026-11-20T12:00:00", "2026-11-20 12:00", "2026-11-20T12:00:00Z", "2026-11-20T12:00+02"]
    counter.count_rows([SentRow(1, b'{"name":"e","_timestamp":"%s"}' % text.encode(), b"") for text in texts])
    counter.count_rows([SentRow(1, b'{"name":"e"}', b"")])
    assert counter.without_offset_count == 3


def test_around_the_edge_the_offset_decides() -> None:
    source = random.Random(1)
    for _ in range(2000):
        text = iso_ms(EDGE_MS + source.randrange(-60, 60) * HOUR_MS)[:-1]
        text += f"{source.choice('+-')}{source.randrange(24):02}:{source.choice(['00', '59'])}"
        moment = parse_timestamp(text)
        assert moment is not None
        assert older(text) == (moment < EDGE_MS), text
