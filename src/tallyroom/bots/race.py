"""A race of bots: how much each grew, how far it is from the leader, and who passed whom (rules/statistics#race).

The web app has the same functions in pages/bots/compare/race.ts; fixtures/bots/race.json holds both.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from tallyroom.bots.series import MetricPoint

RaceView = Literal["value", "growth", "gap"]

Line = list[float | None]
"""The values of a bot at the moments that all lines of a race share; None where nothing is known."""


class Growth(NamedTuple):
    """Lines in percent since the moment at `base_index`, which is None if there is no such moment."""

    base_index: int | None
    lines: list[Line]


class Gap(NamedTuple):
    """Lines as differences to the line at `leader_index`, which is None if no last value is known."""

    leader_index: int | None
    lines: list[Line]


class Crossing(NamedTuple):
    """The last time that a line passed another: it was behind before the moment at `bucket`, and never since."""

    bucket: int
    passer: int
    passed: int


def align_points(points_by_bot: Mapping[str, Sequence[MetricPoint]]) -> tuple[list[int], list[Line]]:
    """Return the moments of all bots in ms since 1970 UTC, and the line of each bot, in their order."""
    times_ms = sorted({time_ms for points in points_by_bot.values() for time_ms, _ in points})
    value_by_time_of_bots = [dict(points) for points in points_by_bot.values()]
    return times_ms, [[value_by_time.get(time_ms) for time_ms in times_ms] for value_by_time in value_by_time_of_bots]


def compute_growth(lines: Sequence[Line]) -> Growth:
    """Return how much each line grew since the first moment at which all are above zero.

    A line that is never above zero has no growth, and the others do not wait for it.
    """
    growing_lines = [line for line in lines if any(line)]
    base_index = next((index for index, values in enumerate(zip(*growing_lines, strict=True)) if all(values)), None)
    return Growth(base_index, [_grow_line(line, base_index) for line in lines])


def _grow_line(line: Line, base_index: int | None) -> Line:
    base = None if base_index is None else line[base_index]
    if base_index is None or not base:
        return [None] * len(line)
    changes = [None if value is None else (value - base) / base * 100 for value in line[base_index:]]
    return [*[None] * base_index, *changes]


def compute_gap(lines: Sequence[Line]) -> Gap:
    """Return how far each line is from the one that leads now; of equal leaders, the first counts."""
    last_values = [line[-1] for line in lines if line and line[-1] is not None]
    if not last_values:
        return Gap(None, [[None] * len(line) for line in lines])
    leader_index = next(index for index, line in enumerate(lines) if line[-1] == max(last_values))
    leader = lines[leader_index]
    return Gap(leader_index, [[_subtract(*pair) for pair in zip(line, leader, strict=True)] for line in lines])


def _subtract(value: float | None, leading_value: float | None) -> float | None:
    return None if value is None or leading_value is None else value - leading_value


def find_crossings(lines: Sequence[Line]) -> list[Crossing]:
    """Return the last crossing of each pair of lines, in the order of time; pairs that never cross have none."""
    crossings = [
        crossing
        for first, second in combinations(range(len(lines)), 2)
        if (crossing := _find_last_crossing(lines, first, second)) is not None
    ]
    return sorted(crossings)


def _find_last_crossing(lines: Sequence[Line], first: int, second: int) -> Crossing | None:
    crossing, previous_leader = None, None
    for index, (value, other_value) in enumerate(zip(lines[first], lines[second], strict=True)):
        if value is None or other_value is None or value == other_value:
            continue
        leader, follower = (first, second) if value > other_value else (second, first)
        if previous_leader not in {None, leader}:
            crossing = Crossing(index, leader, follower)
        previous_leader = leader
    return crossing
