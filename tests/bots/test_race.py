"""Growth, gaps and crossings are those of fixtures/bots/race.json, and what a brute search finds (rules/statistics#race)."""

import json
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.bots.race import Line, align_points, compute_gap, compute_growth, find_crossings

ROWS = json.loads((Path(__file__).parents[2] / "fixtures/bots/race.json").read_text(encoding="utf-8"))

value = st.one_of(st.none(), st.integers(0, 4))
races = st.integers(1, 7).flatmap(
    lambda length: st.lists(st.lists(value, min_size=length, max_size=length), min_size=2, max_size=4)
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["case"])
def test_a_race_is_as_the_fixture_says(row: Any) -> None:
    growth, gap = compute_growth(row["lines"]), compute_gap(row["lines"])
    assert {"base": growth.base_index, "lines": growth.lines} == row["growth"]
    assert {"leader": gap.leader_index, "lines": gap.lines} == row["gap"]
    assert [list(crossing) for crossing in find_crossings(row["lines"])] == row["crossings"]


@given(races)
def test_lines_that_grow_begin_at_zero_together(lines: list[Line]) -> None:
    base, grown = compute_growth(lines)
    alive = [line for line in lines if any(line)]
    shared = [at for at in range(len(lines[0])) if alive and all(line[at] for line in alive)]
    assert base == (shared[0] if shared else None)
    for line, growth in zip(lines, grown, strict=True):
        for at, (value, change) in enumerate(zip(line, growth, strict=True)):
            if base is None or at < base or value is None or not any(line):
                assert change is None
            else:
                start = line[base]
                assert start is not None
                assert change is not None
                assert start * (1 + change / 100) == pytest.approx(value)


@given(races)
def test_the_last_crossing_of_each_pair_is_the_last_time_that_the_order_changed(lines: list[Line]) -> None:
    expected = set()
    for one, other in permutations(range(len(lines)), 2):
        ahead = [
            (at, a > b)
            for at, (a, b) in enumerate(zip(lines[one], lines[other], strict=True))
            if a is not None and b is not None and a != b
        ]
        passings = [later[0] for before, later in pairwise(ahead) if before[1] != later[1]]
        if passings and ahead[-1][1]:
            expected.add((passings[-1], one, other))
    found = find_crossings(lines)
    assert {tuple(crossing) for crossing in found} == expected
    assert found == sorted(found)


@given(races)
def test_nobody_is_ahead_of_the_leader_at_the_end(lines: list[Line]) -> None:
    leader, gaps = compute_gap(lines)
    assert (leader is None) == all(line[-1] is None for line in lines)
    assert all(gap[-1] is None or gap[-1] <= 0 for gap in gaps)
    if leader is not None:
        assert gaps[leader][-1] == 0


def test_bots_share_their_moments_and_a_younger_one_has_no_value_before() -> None:
    times, lines = align_points({"a": [(1, 5), (2, 6)], "b": [(2, 9), (3, 8)], "c": []})
    assert times == [1, 2, 3]
    assert lines == [[5, 6, None], [None, 9, 8], [None, None, None]]
