"""The whole multiples of a length of time (rules/safety#scheduled-jobs)."""

from tallyroom.server.scheduler.job import Cadence

HOURLY = Cadence(3_600_000)


def test_the_latest_moment_includes_now() -> None:
    assert [HOURLY.find_latest_ms(ms) for ms in (3_599_999, 3_600_000, 3_600_001)] == [0, 3_600_000, 3_600_000]


def test_the_following_moment_excludes_now() -> None:
    assert [HOURLY.find_next_ms(ms) for ms in (3_599_999, 3_600_000)] == [3_600_000, 7_200_000]
