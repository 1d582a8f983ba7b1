"""Which texts are date-times, and which moments they name."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.core.times import iso_ms
from tallyroom.core.timestamp import parse_timestamp

NOON = 1_795_176_000_000  # 2026-11-20T12:00:00Z
HOUR = 3_600_000

VALID = [
    ("2026-11-20T12:00:00Z", NOON),
    ("2026-11-20T12:00:00", NOON),
    ("2026-11-20T12:00", NOON),
    ("2026-11-20T12:00Z", NOON),
    ("2026-11-20 12:00:00Z", NOON),
    ("2026-11-20t12:00:00z", NOON),
    ("20261120T120000Z", NOON),
    ("20261120T1200Z", NOON),
    ("20261120T120000", NOON),
    ("20261120 120000.5Z", NOON + 500),
    ("2026-11-20T12:00:00.1Z", NOON + 100),
    ("2026-11-20T12:00:00.12Z", NOON + 120),
    ("2026-11-20T12:00:00.123Z", NOON + 123),
    ("2026-11-20T12:00:00,123Z", NOON + 123),
    ("2026-11-20T12:00:00.1239Z", NOON + 123),
    ("2026-11-20T12:00:00.123999Z", NOON + 123),
    ("2026-11-20T12:00:00.123999999Z", NOON + 123),
    ("2026-11-20T12:00:00." + "1" * 400 + "Z", NOON + 111),
    ("2026-11-20T12:00:00.000001Z", NOON),
    ("2026-11-20T12:00:00.25", NOON + 250),
    ("2026-11-20T14:00:00+02:00", NOON),
    ("2026-11-20T14:00:00+0200", NOON),
    ("2026-11-20T14:00:00+02", NOON),
    ("2026-11-20T17:30+05:30", NOON),
    ("2026-11-20T04:00:00-08:00", NOON),
    ("2026-11-20T12:00:00-00:00", NOON),
    ("20261120T140000,250+0200", NOON + 250),
    ("2026-11-21T11:59:00+23:59", NOON),
    ("2026-11-20T00:00:00Z", NOON - 12 * HOUR),
    ("2024-02-29T00:00:00Z", 1_709_164_800_000),
    ("1970-01-01T00:00:00Z", 0),
    ("1969-12-31T23:59:59.9999Z", -1),
    ("0001-01-01T00:00:00+23:59", -62_135_683_140_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("9999-12-31T23:59:59-23:59", 253_402_387_139_000),
]

INVALID = [
    "",
    "yesterday",
    "1795176000",
    "1795176000000",
    "2026-11-20",
    "20261120",
    "2026-11-20T",
    "2026-11-20T12",
    "2026-11-20T12Z",
    "12:00:00Z",
    "T12:00:00Z",
    "2026-11-20T24:00:00Z",
    "2026-11-20T25:00:00Z",
    "2026-11-20T12:60:00Z",
    "2026-11-20T12:00:60Z",
    "2026-13-20T12:00:00Z",
    "2026-00-20T12:00:00Z",
    "2026-02-30T12:00:00Z",
    "2025-02-29T12:00:00Z",
    "2026-11-31T12:00:00Z",
    "2026-11-00T12:00:00Z",
    "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "+2026-11-20T12:00:00Z",
    "-2026-11-20T12:00:00Z",
    "26-11-20T12:00:00Z",
    "2026-1-2T12:00:00Z",
    "2026-11-20T1:00:00Z",
    "2026-11-20T12:00:00+99:00",
    "2026-11-20T12:00:00+24:00",
    "2026-11-20T12:00:00+02:60",
    "2026-11-20T12:00:00+2",
    "2026-11-20T12:00:00+02:",
    "2026-11-20T12:00:00+02:00:00",
    "2026-11-20T12:00:00\u221202:00",
    "2026-11-20T12:00:00ZZ",
    "2026-11-20T12:00:00Z+02:00",
    "2026-11-20T12:00:00 Z",
    "2026-11-20T12:00:00 UTC",
    "2026-11-20T12:00:00.Z",
    "2026-11-20T12:00.5Z",
    "2026-11-20T12:00:00Z\n",
    "2026-11-20T12:00:00Z\0",
    " 2026-11-20T12:00:00Z",
    "2026-11-20T12:00:00Z ",
    "2026-11-20  12:00:00Z",
    "2026-11-20_12:00:00Z",
    "2026-11-20\n12:00:00Z",
    "2026-11-20T1200Z",
    "20261120T12:00Z",
    "2026-1120T12:00:00Z",
    "2026/11/20T12:00:00Z",
    "2026-W47-5T12:00:00Z",
    "2026W475T120000Z",
    "2026-324T12:00:00Z",
    "\u0662026-11-20T12:00:00Z",
    "\uff12026-11-20T12:00:00Z",
    "2026-11-20T12:00:00\u017f",
    "Fri, 20 Nov 2026 12:00:00 GMT",
]


@pytest.mark.parametrize(("text", "ms"), VALID)
def test_a_date_time_is_read(text: str, ms: int) -> None:
    assert parse_timestamp(text) == ms


@pytest.mark.parametrize("text", INVALID)
def test_anything_else_is_none(text: str) -> None:
    assert parse_timestamp(text) is None


@given(st.integers(-62_135_596_800_000, 253_402_300_799_999))
def test_what_the_service_writes_it_reads(ms: int) -> None:
    assert parse_timestamp(iso_ms(ms)) == ms


@given(st.datetimes(timezones=st.timezones()))
def test_python_agrees_about_offsets(moment: datetime) -> None:
    seconds_of_offset = moment.utcoffset()
    if seconds_of_offset is None or seconds_of_offset.total_seconds() % 60:
        return  # historic local mean times have offsets that ISO 8601 cannot write
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    expected = (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000
    assert parse_timestamp(moment.isoformat()) == expected


@given(st.text(max_size=40) | st.text("0123456789-:TZ+., ", max_size=30))
def test_no_text_raises(text: str) -> None:
    assert parse_timestamp(text) is None or isinstance(parse_timestamp(text), int)
