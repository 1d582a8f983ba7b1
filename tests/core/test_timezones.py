"""Time zones: every name that is taken is one whose clocks this machine can tell."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from tallyroom.core.timezones import describe_unknown_timezone, known_timezones


def test_every_name_is_a_zone_of_the_world() -> None:
    assert {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"} <= known_timezones()
    assert not known_timezones() & {"localtime", "Factory"}
    for name in known_timezones():
        assert datetime(2026, 11, 20, tzinfo=UTC).astimezone(ZoneInfo(name)).utcoffset() is not None


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("Berlin", "Europe/Berlin"),
        ("Europe/Berln", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("utc", "UTC"),
        ("Nowhere", None),
        ("GMT+1", None),  # Etc/GMT+1 would be the other way round
        ("", None),
        ("Europe/" + "x" * 100_000, None),
    ],
)
def test_a_name_that_is_none_is_told_the_nearest(given: str, meant: str | None) -> None:
    hint = f"; did you mean {meant}?" if meant else ""
    assert describe_unknown_timezone(given) == f"is not an IANA time zone, such as Europe/Berlin or UTC{hint}"
