"""Ranks: by the metric, the highest first, then by numeric id (rules/statistics#ranks)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.builders.events import CASES
from tallyroom.bots.ids import id_from_number, is_id, number_from_id
from tallyroom.bots.metric_ranking import MetricRanking

Pairs = list[tuple[str, int | None]]

# Many zeros in front, so that one number comes as several ids.
ids = st.one_of(
    st.from_regex(r"[0-9]{17,19}", fullmatch=True, alphabet="0123456789"),
    st.builds(lambda number, length: f"{number:0{length}d}", st.integers(0, 3), st.integers(17, 19)),
)
changes = st.lists(st.tuples(ids, st.none() | st.integers(0, 3) | st.integers(0, 2**53 - 1)), max_size=30)


@CASES
@given(ids, ids)
def test_the_number_of_an_id_keeps_its_order_and_tells_it(one: str, other: str) -> None:
    assert is_id(one)
    assert id_from_number(number_from_id(one)) == one
    assert 0 <= number_from_id(one) < 2**65
    assert (number_from_id(one) < number_from_id(other)) == ((int(one), len(one)) < (int(other), len(other)))


@CASES
@given(changes, st.lists(changes, max_size=3), st.sampled_from([0, 500]))
def test_many_changes_at_once_are_one_after_another(first: Pairs, batches: list[Pairs], few: int) -> None:
    values = {bot: value for bot, value in first if value is not None}
    together, alone = MetricRanking(values), MetricRanking(values)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tallyroom.bots.metric_ranking._MAX_SINGLE_PUTS", few)
        for batch in map(dict, batches):
            together.put_values(batch)
            for bot, value in batch.items():
                alone.put_value(bot, value)
    assert together.list_page(0, 1000) == alone.list_page(0, 1000)
    known = {*values, *(bot for batch in batches for bot, _ in batch)}
    assert together.ordered_bot_ids == alone.list_page(0, 1000)
    assert {bot: together.rank(bot) for bot in known} == {bot: alone.rank(bot) for bot in known}


@CASES
@given(changes, changes, st.integers(0, 40), st.integers(1, 40))
def test_an_order_is_what_sorting_gives(first: Pairs, changes: Pairs, offset: int, limit: int) -> None:
    values = {bot: value for bot, value in first if value is not None}
    ranking = MetricRanking(values)
    for bot, value in changes:
        ranking.put_value(bot, value)
        values.pop(bot, None)
        if value is not None:
            values[bot] = value
    expected = sorted(values, key=lambda bot: (-values[bot], int(bot), len(bot)))
    assert len(ranking) == len(expected)
    assert {bot: ranking.rank(bot) for bot in values} == {bot: rank for rank, bot in enumerate(expected, 1)}
    assert ranking.list_page(offset, limit) == expected[offset : offset + limit]
    assert ranking.list_page(offset, limit, is_descending=True) == expected[::-1][offset : offset + limit]
    assert ranking.rank("99999999999999999" if "99999999999999999" not in values else "x") is None
