"""Counts, shares and losses of steps (rules/pictures#funnels)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.builders.diagrams import diagram_of
from tallyroom.images.charts.diagrams import draw_diagram
from tallyroom.images.charts.drawing import Box, Stroke, Text
from tallyroom.images.charts.funnel import FunnelChart, StepBar, draw_funnel, funnel_height

SPACE = "\N{THIN SPACE}"


def words(name: str) -> list[str]:
    return [mark.text for mark in draw_diagram(diagram_of(name)).marks if isinstance(mark, Text)]


def test_a_step_says_its_count_its_share_and_what_was_lost() -> None:
    found = words("funnel")
    assert found[2:7] == [
        "1",
        "bot.invited",
        "1,942",
        f"100{SPACE}%",
        f"\N{MINUS SIGN}18.2{SPACE}% · 354 stopped · median 7\u00a0s",
    ]
    assert found[-4:] == ["4", "queue.add", "846", f"43.6{SPACE}%"]
    assert "no one stopped · median 7\u00a0s" in words("funnel-two")


def test_only_all_is_all_and_only_nothing_is_nothing() -> None:
    found = words("funnel-eight")
    assert found.count(f"<0.1{SPACE}%") == 2
    assert found.count(f"0{SPACE}%") == 1
    assert f"<0.1{SPACE}% · 1 stopped · median 5.7\u00a0min" in found


@given(st.lists(st.integers(1, 10**9), min_size=2, max_size=8))
def test_bars_are_as_long_as_their_shares(counts: list[int]) -> None:
    counts.sort(reverse=True)
    steps = [StepBar(str(at), count) for at, count in enumerate(counts)]
    drawing = draw_funnel(FunnelChart(title="T", steps=steps, height=funnel_height(len(steps), 600)))
    bars = [mark.width for mark in drawing.marks if isinstance(mark, Box) and mark.paint == "p0"]
    assert bars == [pytest.approx(max(560 * count / counts[0], 2)) for count in counts]


def test_what_was_lost_is_hatched_beside_the_bar() -> None:
    marks = draw_diagram(diagram_of("funnel")).marks
    bars = [mark for mark in marks if isinstance(mark, Box) and mark.paint == "p0"]
    hatches = [mark for mark in marks if isinstance(mark, Stroke)]
    for before, bar, hatch in zip(bars, bars[1:], hatches, strict=False):
        numbers = [float(part) for stroke in hatch.path.split("M")[1:] for part in stroke.replace("L", " ").split()]
        assert bar.width <= min(numbers[::2]) - 20 + 0.06
        assert max(numbers[::2]) - 20 <= before.width + 0.06
        assert bar.y - 0.06 <= min(numbers[1::2]) <= max(numbers[1::2]) <= bar.y + bar.height + 0.06
    assert not any(isinstance(mark, Stroke) for mark in draw_diagram(diagram_of("funnel-two")).marks)


def test_columns_of_numbers_align() -> None:
    marks = draw_diagram(diagram_of("funnel-eight")).marks
    ends = [mark for mark in marks if isinstance(mark, Text) and mark.anchor == "end"]
    assert len({round(mark.x, 6) for mark in ends}) == 2
    assert all(mark.tabular for mark in ends)
