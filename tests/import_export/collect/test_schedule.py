"""When a pull is due."""

import pytest

from conftest import FakeClock
from tallyroom.import_export.collect.schedule import DurationUnknown, parse_duration, run_every


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("30m", 1800), ("2h", 7200), ("1d", 86_400)])
def test_a_span(text: str, seconds: int) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "30", "0m", "-1m", "1.5h", "30 m", "1w", "٣m", "30m\n", "9999999s"])
def test_a_span_that_is_none(text: str) -> None:
    with pytest.raises(DurationUnknown, match="is not a valid duration"):
        parse_duration(text)


class Enough(Exception):
    """Ends what never ends."""


def test_pulls_keep_their_distance_however_long_they_take(fake_clock: FakeClock) -> None:
    begin = fake_clock.monotonic()
    takes = iter([0.0, 10.0, 59.0, 130.0, 60.0, 1.0])
    begun: list[float] = []

    def chore() -> None:
        begun.append(fake_clock.monotonic() - begin)
        if (seconds := next(takes, None)) is None:
            raise Enough
        fake_clock.advance(seconds)

    with pytest.raises(Enough):
        run_every(60, chore, fake_clock, fake_clock.advance)
    assert begun == [0, 60, 120, 180, 360, 480, 540]
