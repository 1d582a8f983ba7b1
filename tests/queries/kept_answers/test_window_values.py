"""Distinct values of a window that moves on, beside a count of all its events."""

import random
from array import array
from collections.abc import Iterable

import pytest

from tallyroom.queries.distinct_values import PartValues
from tallyroom.queries.kept_answers.window_values import WindowValues
from tallyroom.queries.window import Window

HIGHEST = 2**64 - 1


def find_last_ms(events: Iterable[tuple[int, int]], window: Window) -> dict[int, int]:
    """The last time of each value in a window; events are a value and a time."""
    in_window = [(value, ms) for value, ms in events if window.from_ms <= ms <= window.until_ms]
    return dict(sorted(in_window, key=lambda each: each[1]))


@pytest.mark.parametrize("seed", range(30))
async def test_values_of_a_moving_window_are_those_of_its_events(seed: int) -> None:
    chance = random.Random(seed)
    events = [(chance.choice([*range(40), HIGHEST]), chance.randrange(1_000)) for _ in range(200)]
    window = Window(0, 300)
    last_ms = find_last_ms(events, window)
    hashes = sorted(last_ms)
    part = PartValues(0, len(hashes), array("Q", hashes), array("Q", [last_ms[hash_] for hash_ in hashes]))
    values = WindowValues.of_part(part)
    for _ in range(20):
        later = Window(window.from_ms + chance.randrange(40), window.until_ms + chance.randrange(40))
        events.append((chance.randrange(60), late_ms := chance.randrange(later.from_ms, later.until_ms + 1)))
        came = Window(min(late_ms, window.until_ms + 1), later.until_ms)
        left = find_last_ms(events, Window(window.from_ms, later.from_ms - 1))
        values = await values.move(
            window, later, find_last_ms(events, Window(late_ms, late_ms)) | find_last_ms(events, came), left
        )
        window = later
        assert values.count == len(find_last_ms(events, window))


async def test_no_values_are_none() -> None:
    values = await WindowValues.of_part(None).move(Window(0, 9), Window(5, 14), {}, [])
    assert values.count == 0
