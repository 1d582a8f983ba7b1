"""The six conditions, case by case (rules/alerts#conditions)."""

from collections.abc import Sequence
from typing import Any

import pytest

from harness.oracles.alert_rules import rule
from tallyroom.alerts.evaluation.conditions import Sample, is_condition_met

DAYS = [10, 12, 8, 10, 10, 12, 8]  # of mean 10 and deviation 1.512

CASES: list[tuple[str, float | None, float | None, Sequence[float | None], bool]] = [
    ("above", 10, 11, [], True),
    ("above", 10, 10, [], False),
    ("above", 10, None, [], False),
    ("below", 10, 9, [], True),
    ("below", 10, 10, [], False),
    ("below", 10, None, [], False),
    ("above", 10**12, 10**12 + 1, [], True),
    ("below", 10**12 + 2, 10**12 + 1, [], True),
    ("above", 2.0**53, 2**53 + 1, [], True),
    ("rises", 50, 151, [100], True),
    ("rises", 50, 150, [100], False),
    ("rises", 50, 100, [0], False),
    ("rises", 50, 100, [None], False),
    ("rises", 0, 101, [100], True),
    ("rises", 0, 100, [100], False),
    ("rises", 10, 1.1, [1.0], False),  # 10 %, whatever doubles say
    ("rises", 10, 1.1000001, [1.0], True),
    ("rises", 50, -49, [-100], True),
    ("rises", 50, -50, [-100], False),
    ("drops", 50, 49, [100], True),
    ("drops", 50, 50, [100], False),
    ("drops", 50, 0, [0], False),
    ("drops", 30, 0.7, [1.0], False),
    ("drops", 50, -151, [-100], True),
    ("anomaly", 2, 14, DAYS, True),
    ("anomaly", 2, 13, DAYS, False),
    ("anomaly", 2, 6, DAYS, True),
    ("anomaly", 2, 14, DAYS[:6], False),
    ("anomaly", 2, 14, [*DAYS[:6], None], False),
    ("anomaly", 2, 14, [*DAYS, None], True),
    ("anomaly", 3, 10.4, [10] * 7, True),  # a deviation of 0 counts as 1 % of the mean
    ("anomaly", 3, 10.3, [10] * 7, False),
    ("anomaly", 0, 0.1, [0.1] * 7, False),
    ("anomaly", 0, 5, [0] * 7, False),
    ("anomaly", 3, -10.4, [-10] * 7, True),
]


def sample(value: Any, events: int = 1) -> Sample:
    return Sample(0 if value is None else events, value)


@pytest.mark.parametrize(("condition", "threshold", "value", "earlier", "wanted"), CASES)
def test_a_case(
    condition: str, threshold: float, value: Any, earlier: Sequence[Any], wanted: bool
) -> None:  # a column of the table
    past = [sample(each) for each in earlier]
    assert is_condition_met(rule(condition=condition, threshold=threshold), *sample(value), past) is wanted


@pytest.mark.parametrize(
    ("sample_", "wanted"), [(Sample(0, 0), True), (Sample(0, None), True), (Sample(1, None), False)]
)
def test_no_data_is_no_event(sample_: Sample, wanted: bool) -> None:  # a column of the table
    assert is_condition_met(rule(condition="nodata", threshold=None), *sample_, []) is wanted


def test_days_without_events_do_not_count_for_an_anomaly() -> None:
    busy, quiet = [sample(each) for each in DAYS], [Sample(0, 0)] * 7
    assert is_condition_met(rule(condition="anomaly", threshold=2), *sample(14), [*busy, *quiet])
    assert not is_condition_met(rule(condition="anomaly", threshold=2), *sample(14), [*busy[:6], *quiet])
