"""Every part is read once a night, with rests, and a stop does not wait for all of them."""

from collections.abc import Iterator
from typing import Any

from tallyroom.ingest.drain.nightly_check import CHECK_HOUR_UTC, NightlyCheck
from tallyroom.storage.event_store.part_check import CheckedPart

NOON_TO_NIGHT = (24 + CHECK_HOUR_UTC - 12) * 3600


class CompletenessCheck:
    def __init__(self) -> None:
        self.read: list[str] = []

    def check_parts(self) -> Iterator[CheckedPart]:
        for part in "abc":
            self.read.append(part)
            yield CheckedPart("events", part, 1, "is damaged" if part == "b" else "")


def test_once_a_night(fake_clock: Any) -> None:
    completeness_check: Any = CompletenessCheck()
    nightly = NightlyCheck(completeness_check, fake_clock)
    assert not nightly.check_when_due()
    fake_clock.advance(NOON_TO_NIGHT)
    assert [nightly.check_when_due(), nightly.check_when_due()] == [True, False]
    fake_clock.advance(3600)
    assert not nightly.check_when_due()
    fake_clock.advance(23 * 3600)
    assert nightly.check_when_due()
    assert completeness_check.read == [*"abc", *"abc"]


def test_a_start_at_night_waits_for_the_next(fake_clock: Any) -> None:
    fake_clock.advance(NOON_TO_NIGHT)
    completeness_check: Any = CompletenessCheck()
    nightly = NightlyCheck(completeness_check, fake_clock)
    assert not nightly.check_when_due()
    fake_clock.advance(24 * 3600)
    assert nightly.check_when_due()


def test_a_stop_ends_it_between_two_parts(fake_clock: Any) -> None:
    completeness_check: Any = CompletenessCheck()
    nightly = NightlyCheck(completeness_check, fake_clock)
    nightly.start()
    nightly.stop()
    fake_clock.advance(NOON_TO_NIGHT)
    assert not nightly.check_when_due()
    assert completeness_check.read == ["a"]
