"""An answer for the public has the colors of its own labels, before they are masked (rules/boards#public-colors)."""

from typing import Any

import pytest
from msgspec import UNSET

from harness.builders.answers import points, series
from tallyroom.core.value_colors import assign_colors
from tallyroom.queries.breakdown import LabelRow
from tallyroom.queries.config import Config, DisplayOptions
from tallyroom.queries.label_colors import color_labels
from tallyroom.queries.metric_answers import Categorical, Counter, Multiseries, Series

CHOSEN = Config(display=DisplayOptions(colors={"JFK": 3, "(none)": 4, "SEA": 8}))


def entries(kind: str) -> Any:
    if kind == "rows":
        rows = [LabelRow("LGA", 3), LabelRow("JFK", 2), LabelRow(None, 1, "none"), LabelRow(None, 9, "other")]
        return Categorical(rows=rows)
    return Multiseries(
        interval="day",
        series=[
            *series("LGA", "JFK").series,
            Series(None, points([1]), kind="none"),
            Series(None, points([9]), kind="other"),
        ],
    )


@pytest.mark.parametrize("kind", ["rows", "series"])
def test_each_label_has_its_color_and_other_labels_have_none(kind: str) -> None:
    colored = getattr(color_labels(CHOSEN, entries(kind)), kind)
    lga = assign_colors(["LGA", "JFK", "(none)"], {"JFK": 3, "(none)": 4})["LGA"]
    assert [entry.color for entry in colored] == [lga, 3, 4, UNSET]


def test_an_answer_that_is_kept_for_members_stays_as_it_is() -> None:
    answer = entries("series")
    color_labels(CHOSEN, answer)
    assert {entry.color for entry in answer.series} == {UNSET}


def test_an_answer_without_labels_stays_as_it_is() -> None:
    counter = Counter(value=1, previous=None, delta=None)
    assert color_labels(CHOSEN, counter) is counter
