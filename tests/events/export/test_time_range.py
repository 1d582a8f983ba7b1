"""The times of an export as clients write them, and the file's name."""

import pytest

from tallyroom.core.errors import ValidationFailed
from tallyroom.core.ranges import END_MS, FIRST_MS, FixedRange
from tallyroom.events.export.time_range import build_file_name, parse_time_range

DAY = 86_400_000
NOON_MS = 1_795_176_000_000  # 2026-11-20T12:00:00Z
NOW_MS = NOON_MS + 123


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("2026-11-20T12:00:00Z", NOON_MS),
        ("2026-11-20T12:00:00.123Z", NOON_MS + 123),
        ("2026-11-20T12:00:00.123999Z", NOON_MS + 123),
        ("2026-11-20T13:00:00+01:00", NOON_MS),
        ("2026-11-20T12:00:00", NOON_MS),
        ("2026-11-20 12:00", NOON_MS),
        ("20261120T120000Z", NOON_MS),
        ("2026-11-20", NOON_MS - DAY // 2),
        ("1970-01-01", 0),
        ("1969-12-31", 0),
        ("9999-12-31", END_MS),
    ],
)
def test_a_moment(text: str, ms: int) -> None:
    if ms < END_MS:
        assert parse_time_range(text, None) == FixedRange(ms, END_MS)
    if ms > 0:
        assert parse_time_range(None, text) == FixedRange(FIRST_MS, ms)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "x",
        "now",
        "0",
        "1795176000",
        "2026",
        "2026-11",
        "2026-13-01",
        "2026-02-30",
        "2026-11-20T",
        "24:00",
        "2026-11-20T24:00:00Z",
        "2026-11-20T12:00:60Z",
        "2026-11-20T12:00:00 Z",
        "2026-W47-5",
        "٢٠٢٦-١١-٢٠",
        "2026-11-20\n",
    ],
)
@pytest.mark.parametrize("parameter", ["from", "to"])
def test_what_is_no_moment(parameter: str, text: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        parse_time_range(**{"from_": None, "to": None} | {parameter.replace("from", "from_"): text})
    assert [detail.path for detail in refused.value.details] == [[parameter]]


def test_a_plus_that_became_a_space_is_explained() -> None:
    with pytest.raises(ValidationFailed, match="%2B"):
        parse_time_range("2026-11-20T12:00:00 01:00", None)


@pytest.mark.parametrize(
    ("from_", "to"),
    [("2026-11-20", "2026-11-20"), ("2026-11-20", "2026-11-19"), ("9999-01-01", None), (None, "1970-01-01")],
)
def test_an_empty_span(from_: str | None, to: str | None) -> None:
    with pytest.raises(ValidationFailed) as refused:
        parse_time_range(from_, to)
    assert refused.value.details[0].path == ["to"]


@pytest.mark.parametrize(
    ("from_", "to", "name"),
    [
        (None, None, "tallyroom-production-start-20261120T120000Z.csv"),
        ("2026-11-01", None, "tallyroom-production-20261101T000000Z-20261120T120000Z.csv"),
        (None, "2026-11-01T09:30Z", "tallyroom-production-start-20261101T093000Z.csv"),
        ("2026-10-01", "2026-11-01", "tallyroom-production-20261001T000000Z-20261101T000000Z.csv"),
    ],
)
def test_the_name_says_what_is_in_the_file(from_: str | None, to: str | None, name: str) -> None:
    assert build_file_name("production", "csv", parse_time_range(from_, to), NOW_MS) == name
