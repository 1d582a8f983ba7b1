"""At once when idle, every half second under load, sooner for a reader or a full block."""

from collections.abc import Callable
from typing import Any

import pytest

from tallyroom.ingest.drain.pace import Pace
from tallyroom.storage.spool.claim import MAX_CLAIM_BYTES


class Waiting:
    """Stands in for the condition: waiting moves the clock, or lets something happen first."""

    def __init__(self, clock: Any) -> None:
        self.clock = clock
        self.happens: list[tuple[float, Callable[[], None]]] = []
        self.notified = False

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...

    def notify(self) -> None:
        self.notified = True

    def wait(self, seconds: float) -> None:
        assert seconds > 0
        if self.happens and self.happens[0][0] <= self.clock.monotonic() + seconds:
            at, act = self.happens.pop(0)
            passed = max(0.0, at - self.clock.monotonic())
            self.clock.advance(passed)
            seconds -= passed
            self.notified = False
            act()
            if self.notified:
                return
        self.clock.advance(seconds)


class Scene:
    def __init__(self, clock: Any) -> None:
        self.clock = clock
        self.pace = Pace(clock)
        self.waiting = Waiting(clock)
        self.pace._condition = self.waiting  # type: ignore[assignment] # to hear of each wait
        self.work = False

    def rest(self) -> float:
        """How long the drain rests."""
        began = self.clock.monotonic()
        self.pace.wait_for_work(lambda: self.work)
        rested: float = self.clock.monotonic() - began
        return round(rested, 6)

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        self.waiting.happens.append((self.clock.monotonic() + seconds, act))

    def arrive(self, waiting_bytes: int = 1) -> None:
        self.work = True
        self.pace.note_commit(waiting_bytes)


@pytest.fixture
def scene(fake_clock: Any) -> Scene:
    return Scene(fake_clock)


def test_the_first_work_starts_at_once(scene: Scene) -> None:
    scene.work = True
    assert scene.rest() == 0


def test_without_work_it_looks_around_again_and_again(scene: Scene) -> None:
    assert scene.rest() == 0.45


def test_work_that_comes_to_an_idle_drain_starts_at_once(scene: Scene) -> None:
    scene.after(0.2, scene.arrive)
    assert scene.rest() == pytest.approx(0.2)


def test_under_load_starts_keep_their_distance(scene: Scene) -> None:
    scene.work = True
    scene.pace.note_insert_start()
    scene.clock.advance(0.1)
    assert not scene.pace.is_due(1)
    assert scene.rest() == pytest.approx(0.35)
    assert scene.pace.is_due(1)


def test_a_commit_does_not_wake_a_drain_that_rests_after_work(scene: Scene) -> None:
    scene.work = True
    scene.pace.note_insert_start()
    scene.after(0.1, scene.arrive)
    assert scene.rest() == pytest.approx(0.45)
    assert not scene.waiting.notified


def test_a_reader_shortens_the_rest_to_a_tenth(scene: Scene) -> None:
    scene.work = True
    scene.pace.note_insert_start()
    scene.after(0.03, scene.pace.hurry)
    assert scene.rest() == pytest.approx(0.1)


def test_a_readers_hurry_holds_for_one_start(scene: Scene) -> None:
    scene.work = True
    scene.pace.hurry()
    scene.pace.note_insert_start()
    assert scene.rest() == pytest.approx(0.45)


def test_a_full_block_goes_at_once(scene: Scene) -> None:
    scene.work = True
    scene.pace.note_insert_start()
    scene.after(0.05, lambda: scene.arrive(MAX_CLAIM_BYTES))
    assert scene.rest() == pytest.approx(0.05)


def test_two_full_blocks_need_no_rest_between_them(scene: Scene) -> None:
    scene.pace.note_insert_start()
    assert scene.pace.is_due(2 * MAX_CLAIM_BYTES)
    assert not scene.pace.is_due(MAX_CLAIM_BYTES)


@pytest.mark.parametrize("work", [False, True])
def test_a_stop_ends_the_rest(scene: Scene, *, work: bool) -> None:
    scene.pace.note_insert_start()
    scene.work = work
    scene.after(0.05, scene.pace.stop)
    assert scene.rest() == pytest.approx(0.05)
    assert scene.rest() == 0
