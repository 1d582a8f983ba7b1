"""The times of files."""

from zoneinfo import ZoneInfo

import pytest
from msgspec import Raw

from tallyroom.import_export.row import Cell, RowRefused
from tallyroom.import_export.times import TimestampReader, TimeUnit

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("cell", "moment"),
    [
        ("2026-11-20T12:00:00Z", "2026-11-20T12:00:00Z"),  # what the server takes stays as it is written
        ("2026-11-20 12:00:00.123456+01", "2026-11-20 12:00:00.123456+01"),
        ("20261120T120000", "20261120T120000"),
        (" 2026-11-20T12:00 ", "2026-11-20T12:00"),
        ("2026-11-20", "2026-11-20T00:00:00"),
        (Raw(b'"2026-11-20T12:00:00Z"'), "2026-11-20T12:00:00Z"),
        (Raw(b'"2026-11-20"'), "2026-11-20T00:00:00"),
        ("1763640000", "2025-11-20T12:00:00.000Z"),
        (Raw(b"1763640000"), "2025-11-20T12:00:00.000Z"),
        (Raw(b'"1763640000"'), "2025-11-20T12:00:00.000Z"),
        ("1763640000.1239", "2025-11-20T12:00:00.123Z"),
        (Raw(b"1763640000123"), "2025-11-20T12:00:00.123Z"),
        ("1763640000123456", "2025-11-20T12:00:00.123Z"),
        ("1763640000123456789", "2025-11-20T12:00:00.123Z"),
        (Raw(b"1.76364e9"), "2025-11-20T12:00:00.000Z"),
        ("100000000", "1973-03-03T09:46:40.000Z"),
        ("99999999999", "5138-11-16T09:46:39.000Z"),
        ("100000000000", "1973-03-03T09:46:40.000Z"),
    ],
)
def test_a_moment_is_told_by_its_look(cell: Cell, moment: str) -> None:
    assert TimestampReader("auto", None).read_timestamp(cell) == moment


@pytest.mark.parametrize(
    ("unit", "text", "moment"),
    [
        ("s", "86400", "1970-01-02T00:00:00.000Z"),
        ("s", "0", "1970-01-01T00:00:00.000Z"),
        ("ms", "86400000", "1970-01-02T00:00:00.000Z"),
        ("us", "86400000000", "1970-01-02T00:00:00.000Z"),
        ("ns", "86400000000000", "1970-01-02T00:00:00.000Z"),
        ("iso", "20261120T1200", "20261120T1200"),
    ],
)
def test_a_unit_that_is_told_holds(unit: TimeUnit, text: str, moment: str) -> None:
    assert TimestampReader(unit, None).read_timestamp(text) == moment
    assert TimestampReader(unit, None).read_timestamp(Raw(f'"{text}"'.encode())) == moment


@pytest.mark.parametrize(
    ("unit", "cell", "reason"),
    [
        ("auto", "yesterday", "is not an ISO 8601 date-time"),
        ("auto", "20.11.2026", "is not an ISO 8601 date-time"),
        ("auto", "2026-13-20", "is not an ISO 8601 date-time"),
        ("auto", "2013", "is ambiguous"),
        ("auto", "20130101", "is ambiguous"),
        ("auto", "45000.5", "is ambiguous"),
        ("auto", "-1", "is ambiguous"),
        ("auto", Raw(b"true"), "is neither text nor a number"),
        ("auto", Raw(b'{"a":1}'), "is neither text nor a number"),
        ("auto", Raw(b"1e400"), "is not between the years 1970 and 9999"),
        ("iso", "1763640000", "is not an ISO 8601 date-time"),
        ("s", "2026-11-20", "is not a Unix time"),
        ("s", "NaN", "is not a Unix time"),
        ("auto", "1e999999999", "is not between"),
        ("auto", Raw(b"1e99999999999999999999"), "is not a Unix time"),
        ("s", "-1", "is not between"),
        ("s", "253402300800", "is not between"),
    ],
)
def test_what_is_no_moment_is_refused(unit: TimeUnit, cell: Cell, reason: str) -> None:
    with pytest.raises(RowRefused, match=f"^timestamp: .*{reason}"):
        TimestampReader(unit, None).read_timestamp(cell)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-07-01T12:00:00", "2026-07-01T10:00:00.000Z"),
        ("2026-01-01 12:00", "2026-01-01T11:00:00.000Z"),
        ("20260701T120000", "2026-07-01T10:00:00.000Z"),
        ("2026-07-01", "2026-06-30T22:00:00.000Z"),
        ("2026-07-01T12:00:00Z", "2026-07-01T12:00:00Z"),
        ("2026-07-01T12:00:00-03:00", "2026-07-01T12:00:00-03:00"),
        ("20260701T120000+0100", "20260701T120000+0100"),
        ("1763640000", "2025-11-20T12:00:00.000Z"),
    ],
)
def test_a_zone_is_for_text_without_an_offset(text: str, moment: str) -> None:
    assert TimestampReader("auto", BERLIN).read_timestamp(text) == moment


def test_unix_times_that_count_in_a_zone() -> None:
    assert (
        TimestampReader("auto", BERLIN, epoch_is_local=True).read_timestamp("1763640000") == "2025-11-20T11:00:00.000Z"
    )
    assert TimestampReader("auto", None, epoch_is_local=True).read_timestamp("1763640000") == "2025-11-20T12:00:00.000Z"


@pytest.mark.parametrize(
    ("zone", "text"),
    [("America/New_York", "9999-12-31T23:59:59"), ("Asia/Tokyo", "0001-01-01")],
)
def test_a_time_that_leaves_the_calendar_in_its_zone_is_refused(zone: str, text: str) -> None:
    with pytest.raises(RowRefused, match=f"^timestamp: .* in {zone} is not between the years 1 and 9999$"):
        TimestampReader("auto", ZoneInfo(zone)).read_timestamp(text)
