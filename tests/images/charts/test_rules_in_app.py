"""The web app and the server have some functions in common: the same arguments, the same result (fixtures/charts)."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import pytest

from harness.builders.random_answers import LABELS, ZONES
from harness.builders.random_numbers import random_number
from harness.servers.app_code import AppCode
from tallyroom.core.times import DAY_MS
from tallyroom.core.value_colors import assign_colors
from tallyroom.images.charts.changes import find_change
from tallyroom.images.charts.columns import stack_series
from tallyroom.images.charts.goals import measure_goal
from tallyroom.images.charts.graph import Series
from tallyroom.images.charts.number_form import NumberForm, format_exact
from tallyroom.images.charts.number_format import (
    format_among,
    format_duration,
    format_number,
    format_percent,
    format_short,
    format_tick,
    format_whole_percent,
)
from tallyroom.images.charts.scale import build_value_ticks
from tallyroom.images.charts.shades import shade_step_of_count, shade_step_of_share
from tallyroom.images.charts.time_ticks import build_zoned_ticks

SHORT, LONG = 300, 20_000  # calls of each function


class Twin(NamedTuple):
    """A function of the server, the one of the app, and arguments for both."""

    module: str
    name: str
    compute: Callable[..., Any]
    draw_arguments: Callable[[Random], Sequence[Any]]


def number_and_bounds(random: Random) -> list[float]:
    lowest, value, highest = sorted(random_number(random) for _ in range(3))
    return [value, lowest, highest]


def close_numbers(random: Random) -> list[float]:
    base, span = random_number(random), 10 ** random.uniform(-8, 2)
    lowest, value, highest = sorted(base * (1 + random.random() * span) for _ in range(3))
    return [value, lowest, highest]


def tick(random: Random) -> list[float]:
    step = random.choice([1, 2, 2.5, 5]) * 10.0 ** random.randint(-9, 14)
    count = random.randint(-9, 9)
    return [count * step, step, random.randint(abs(count), 12) * step or step]


def axis(random: Random) -> list[Any]:
    _, lowest, highest = random.choice([number_and_bounds, close_numbers])(random)
    is_whole = float(lowest).is_integer() and float(highest).is_integer()
    return [lowest, highest, random.randint(2, 7), is_whole]


def moments(random: Random) -> list[Any]:
    start = random.randrange(-50 * 366 * DAY_MS, 80 * 366 * DAY_MS) // 1_000
    return [start, start + int(10 ** random.uniform(0, 9)), random.randint(1, 12), random.choice(ZONES)]


def pair(random: Random) -> list[float | None]:
    value = random_number(random)
    previous = random.choice([value * random.uniform(0.2, 5), random_number(random), 0, value])
    return [random.choice([value, value, value, None]), random.choice([previous, previous, previous, None])]


def goal(random: Random) -> list[Any]:
    return [random_number(random), random_number(random), random.choice([None, "up", "down", "none"])]


def labels(random: Random) -> list[Any]:
    chosen = {label: random.randint(1, 8) for label in random.sample(LABELS, random.randint(0, 8))}
    return [random.sample(LABELS, random.randint(0, 40)), chosen]


def counts(random: Random) -> list[int]:
    highest = random.choice([0, 8, int(10 ** random.uniform(0, 12))])
    return [random.randint(0, highest), highest]


def value_lists(random: Random) -> list[list[list[float]]]:
    length = random.randint(0, 6)
    return [[[random_number(random) for _ in range(length)] for _ in range(random.randint(0, 5))]]


def layers(values: list[list[float]]) -> list[dict[str, list[float]]]:
    parts = stack_series([Series("", [*enumerate(line)]) for line in values])
    return [
        {
            "inner": [part.inner_value for part in parts if part.series_index == index],
            "outer": [part.outer_value for part in parts if part.series_index == index],
        }
        for index in range(len(values))
    ]


def value_ticks(lowest: float, highest: float, max_count: int, is_whole: bool) -> Any:  # as the app has it
    ticks = build_value_ticks(lowest, highest, max_count, is_whole=is_whole)
    return {"values": ticks.values, "step": ticks.step}


def time_ticks(low: float, high: float, max_count: int, zone: str) -> Any:
    ticks = build_zoned_ticks(low, high, max_count, ZoneInfo(zone))
    return [{"seconds": seconds, "label": label} for seconds, label in ticks]


def change(value: float | None, previous: float | None) -> Any:
    difference = find_change(value, previous)
    return None if difference is None else difference._asdict()


def goal_progress(value: float, aim: float, good: str | None) -> Any:
    return measure_goal(value, aim, good)._asdict()


def number_and_decimals(random: Random) -> list[Any]:
    return [random.choice([random_number(random), -random.random(), None]), random.choice([None, 0, 1, 2, 10])]


def number_and_display(random: Random) -> list[Any]:
    value, decimals = number_and_decimals(random)
    return [value, {"decimals": decimals}]


def big_number(value: float | None, display: dict[str, int | None]) -> Any:
    text, full_text = NumberForm(display["decimals"]).write_alone(value), format_exact(value)
    return {"value": text} | ({} if full_text == text else {"fullValue": full_text})


def lone_number(random: Random) -> list[float]:
    return [random_number(random)]


def share(random: Random) -> list[float]:
    return [random.choice([0, 1, random.random(), 10 ** random.uniform(-9, 0), random.randint(0, 2_000) / 2_000])]


TWINS = [
    Twin("charts/scale.ts", "valueTicks", value_ticks, axis),
    Twin("charts/ticks.ts", "timeTicks", time_ticks, moments),
    Twin("charts/stack.ts", "stackSeries", layers, value_lists),
    Twin("charts/colors.ts", "shadeOfShare", shade_step_of_share, share),
    Twin("charts/colors.ts", "shadeOfCount", shade_step_of_count, counts),
    Twin("core/valueColors.ts", "assignColors", assign_colors, labels),
    Twin("core/numbers.ts", "formatShort", format_short, lone_number),
    Twin("core/numbers.ts", "formatAlone", format_number, lone_number),
    Twin("core/numbers.ts", "formatExact", format_exact, number_and_decimals),
    Twin("widgets/format.ts", "bigNumber", big_number, number_and_display),
    Twin("core/numbers.ts", "formatAmong", format_among, number_and_bounds),
    Twin("core/numbers.ts", "formatAmong", format_among, close_numbers),
    Twin("core/numbers.ts", "formatTick", format_tick, tick),
    Twin("core/numbers.ts", "formatPercent", format_percent, lone_number),
    Twin("core/numbers.ts", "formatPercent", format_percent, share),
    Twin("core/numbers.ts", "formatWholePercent", format_whole_percent, share),
    Twin("core/durations.ts", "formatDuration", format_duration, lambda random: [10 ** random.uniform(-3, 9)]),
    Twin("core/changes.ts", "changeOf", change, pair),
    Twin("core/goals.ts", "goalProgressOf", goal_progress, goal),
]


def differences(twin: Twin, app_code: AppCode, calls: int) -> Iterator[tuple[Any, Any, Any]]:
    random = Random(twin.name)
    arguments = [twin.draw_arguments(random) for _ in range(calls)]
    results = app_code.call(twin.module, [[twin.name, *values] for values in arguments])
    for values, result in zip(arguments, results, strict=True):
        if (own_result := twin.compute(*values)) != result:
            yield values, own_result, result


@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: f"{twin.name}-{twin.draw_arguments.__name__}")
def test_app_and_server_compute_the_same(twin: Twin, app_code: AppCode) -> None:
    assert [*differences(twin, app_code, SHORT)] == []


@pytest.mark.long
@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: f"{twin.name}-{twin.draw_arguments.__name__}")
def test_app_and_server_compute_the_same_at_length(twin: Twin, app_code: AppCode) -> None:
    assert [*differences(twin, app_code, LONG)] == []
