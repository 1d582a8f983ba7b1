"""Time zones: every name that is taken is one whose clocks this machine can tell."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from tallyroom.core.timezones import known_timezones


def test_every_name_is_a_zone_of_the_world() -> None:
    assert {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"} <= known_timezones()
    assert not known_timezones() & {"localtime", "Factory"}
    for name in known_timezones():
        assert datetime(2026, 11, 20, tzinfo=UTC).astimezone(ZoneInfo(name)).utcoffset() is not None
