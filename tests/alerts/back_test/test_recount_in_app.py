"""The app counts the incidents of another limit as a back-test does (fixtures/alerts, rules/alerts#preview)."""

import json
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import pytest

from harness.oracles.alert_rules import rule
from harness.servers.app_code import AppCode
from tallyroom.alerts.back_test.back_test import BackTest, run_back_test
from tallyroom.alerts.back_test.minute_queries import MinuteRange
from tallyroom.alerts.back_test.minutes import MinuteCells, MinuteSeries
from tallyroom.core.times import MINUTE_MS, iso_ms, iso_ms_or_none
from tallyroom.queries.values import Value

FIXTURE = json.loads((Path(__file__).parents[3] / "fixtures" / "alerts" / "recounts.json").read_text(encoding="utf-8"))
MINUTE_COUNT = 30 * 24 * 60
LAST_MINUTE = 29_500_000
SHORT, LONG = 60, 2_000
STEPS: list[list[float]] = [[0, 1], [0, 1, 2, 50], [0.1, 0.2, 0.30000000000000004, 0.3], [-1.5, 2.25, 1e15, -1e-9]]


def back_test_of(condition: str, threshold: float, values: list[Value]) -> BackTest:
    """The back-test of a rule whose value at each of the last minutes is given, and missing before."""
    first_minute = LAST_MINUTE - len(values) + 1
    known = [(first_minute + index, value) for index, value in enumerate(values) if value is not None]
    cells = MinuteCells([minute for minute, _ in known], [value for _, value in known])
    minutes = MinuteRange(LAST_MINUTE - MINUTE_COUNT + 1, LAST_MINUTE, 1)
    watched = rule(measure="max", property="n", condition=condition, threshold=threshold, window_minutes=1)
    return run_back_test(watched, minutes, {"a": MinuteSeries(MinuteCells(), cells)})


@pytest.mark.parametrize("case", FIXTURE["cases"], ids=lambda case: case["why"])
def test_a_back_test_finds_the_incidents_of_the_fixture(case: dict[str, Any]) -> None:
    values = [value for value, length in zip(case["values"], case["lengths"], strict=True) for _ in range(length)]
    found = back_test_of(case["condition"], case["threshold"], values)
    start = LAST_MINUTE - len(values)
    incidents = [
        [
            fired_at_ms // MINUTE_MS - start,
            None if resolved_at_ms is None else resolved_at_ms // MINUTE_MS - start,
            value,
        ]
        for fired_at_ms, resolved_at_ms, value in found.incidents
    ]
    assert (incidents, found.fired_count) == (case["incidents"], len(case["incidents"]))


def a_past(random: Random) -> list[Value]:
    """Some values, with decimals or without, many of them equal or missing."""
    choices: list[Value] = [*random.choice(STEPS), random.uniform(-9, 9), None]
    return [random.choice(choices) for _ in range(random.randint(1, 3_000))]


def differences(app_code: AppCode, count: int) -> list[Any]:
    random = Random("recounts")
    pasts = [(random.choice(["above", "below"]), a_past(random)) for _ in range(count)]
    asked, expected = [], []
    for condition, values in pasts:
        threshold = random.choice([*(value for value in values if value is not None), 0.3, random.uniform(-3, 3)])
        found = back_test_of(condition, threshold, values)
        runs = [(value, len(list(group))) for value, group in groupby([None] * (MINUTE_COUNT - len(values)) + values)]
        minutes = {"values": [value for value, _ in runs], "lengths": [length for _, length in runs]}
        asked.append(["recount", {"from": iso_ms(found.from_ms), "minutes": minutes}, condition, threshold])
        listed = [
            {"firedAt": iso_ms(fired_at_ms), "resolvedAt": iso_ms_or_none(resolved_at_ms), "value": value}
            for fired_at_ms, resolved_at_ms, value in found.incidents
        ]
        expected.append({"fired": found.fired_count, "incidents": listed})
    results = app_code.call("pages/alerts/recount.ts", asked)
    return [each for each in zip(asked, results, expected, strict=True) if each[1] != each[2]]


def test_app_and_server_find_the_same_incidents(app_code: AppCode) -> None:
    assert differences(app_code, SHORT) == []


@pytest.mark.long
def test_app_and_server_find_the_same_incidents_at_length(app_code: AppCode) -> None:
    assert differences(app_code, LONG) == []
