"""Every part is read once a night, with rests, and a stop does not wait for all of them."""

from collections.abc import Iterator
from typing import Any

from tallyroom.ingest.drain.nightly_check import HOUR, NightlyCheck
from tallyroom.storage.event_store.part_check import CheckedPart

NOON_TO_NIGHT = (24 + HOUR - 12) * 3600


class Soundness:
    def __init__(self) -> None:
        self.read: list[str] = []

    def check(self) -> Iterator[CheckedPart]:
        for part in "abc":
            self.read.append(part)
            yield CheckedPart("events", part, 1, "is damaged" if part == "b" else "")


def test_once_a_night(fake_clock: Any) -> None:
    soundness: Any = Soundness()
    nightly = NightlyCheck(soundness, fake_clock)
    assert not nightly.check_when_due()
    fake_clock.advance(NOON_TO_NIGHT)
    assert [nightly.check_when_due(), nightly.check_when_due()] == [True, False]
    fake_clock.advance(3600)
    assert not nightly.check_when_due()
    fake_clock.advance(23 * 3600)
    assert nightly.check_when_due()
    assert soundness.read == [*"abc", *"abc"]


def test_a_start_at_night_waits_for_the_next(fake_clock: Any) -> None:
    fake_clock.advance(NOON_TO_NIGHT)
    soundness: Any = Soundness()
    nightly = NightlyCheck(soundness, fake_clock)
    assert not nightly.check_when_due()
    fake_clock.advance(24 * 3600)
    assert nightly.check_when_due()


def test_a_stop_ends_it_between_two_parts(fake_clock: Any) -> None:
    soundness: Any = Soundness()
    nightly = NightlyCheck(soundness, fake_clock)
    nightly.start()
    nightly.stop()
    fake_clock.advance(NOON_TO_NIGHT)
    assert not nightly.check_when_due()
    assert soundness.read == ["a"]
