"""A query in slices: every moment is in exactly one, and each has a number of its own."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from harness.stores.event_store import NOW_MS
from tallyroom.core.times import DAY_MS
from tallyroom.queries.buckets import Buckets
from tallyroom.queries.query_parameters import QueryParameters
from tallyroom.queries.slices import STRETCH_MS, Edge, slice_by_bucket, slice_by_day
from tallyroom.queries.window import Window

SQL = "SELECT {slice} AS slice FROM events WHERE {scope} AND {time}"
DAY = NOW_MS // DAY_MS

moments = st.integers(NOW_MS - 9 * DAY_MS, NOW_MS)


@given(st.lists(moments, min_size=2, max_size=4, unique=True).filter(lambda ends: len(ends) % 2 == 0))
def test_days_cover_the_windows_and_have_distinct_numbers(ends: list[int]) -> None:
    ends.sort()
    windows = [Window(*pair) for pair in zip(ends[::2], ends[1::2], strict=True)]
    query = slice_by_day(SQL, QueryParameters(), windows)
    slices = query.slices
    assert [slice_.number for slice_ in slices] == sorted({slice_.window.from_ms for slice_ in slices})
    assert all(earlier.window.until_ms < later.window.from_ms for earlier, later in pairwise(slices))
    for slice_ in slices:
        length_ms = slice_.window.until_ms - slice_.window.from_ms + 1
        assert slice_.window.from_ms // DAY_MS == slice_.window.until_ms // DAY_MS
        assert slice_.is_whole == (length_ms == DAY_MS and slice_.edge is None)
    for end_ms in ends:
        assert sum(slice_.window.from_ms <= end_ms <= slice_.window.until_ms for slice_ in slices) == 1
        assert query.counts(end_ms)
    assert not query.counts(ends[0] - 1)
    assert not query.counts(ends[-1] + 1)


def test_a_day_in_which_a_window_begins_or_ends_is_kept_for_a_later_edge() -> None:
    day_ms, from_ms, until_ms = DAY * DAY_MS, (DAY - 3) * DAY_MS + 7, DAY * DAY_MS + 99
    first, *whole, last = slice_by_day(SQL, QueryParameters(), [Window(from_ms, until_ms)]).slices
    assert (first.window, first.edge) == (Window(from_ms, day_ms - 2 * DAY_MS - 1), Edge(from_ms, "after"))
    assert (last.window, last.edge) == (Window(day_ms, until_ms + STRETCH_MS), Edge(until_ms + 1, "before"))
    assert [slice_.is_whole for slice_ in whole] == [True, True]
    later_slices = slice_by_day(SQL, QueryParameters(), [Window(from_ms + 60, until_ms + 60)]).slices
    assert [slice_.name for slice_ in later_slices] == [slice_.name for slice_ in (first, *whole, last)]


def test_a_day_with_two_edges_is_cut_there() -> None:
    day_ms = DAY * DAY_MS
    windows = [Window(day_ms - DAY_MS, day_ms + 9), Window(day_ms + 20, day_ms + 2 * DAY_MS - 1)]
    slices = slice_by_day(SQL, QueryParameters(), windows).slices
    assert [slice_.edge for slice_ in slices] == [None] * 4
    assert [slice_.is_whole for slice_ in slices] == [True, False, False, True]


def test_the_end_of_a_day_belongs_only_to_a_window_that_goes_on() -> None:
    edge_ms = DAY * DAY_MS - 60_000
    ending = Window(edge_ms - 4 * DAY_MS, edge_ms - 1)
    ending_slices = slice_by_day(SQL, QueryParameters(), [ending]).slices
    both_slices = slice_by_day(SQL, QueryParameters(), [ending, Window(edge_ms, NOW_MS)]).slices
    assert ending_slices[-1].window == both_slices[len(ending_slices) - 1].window
    assert ending_slices[-1].name == (DAY - 1, "before")
    assert both_slices[len(ending_slices) - 1].name == (DAY - 1, "both")


def test_adjacent_slices_are_read_as_one_time() -> None:
    query = slice_by_day(SQL, QueryParameters(), [Window((DAY - 5) * DAY_MS + 7, NOW_MS)])
    sql, parameters = query.build_sql([query.slices[0], *query.slices[2:4], query.slices[5]])
    values = dict(parameters.values)
    day_ms, from_ms = DAY * DAY_MS, (DAY - 5) * DAY_MS + 7
    assert values.pop("edges_ms") == [from_ms, NOW_MS + 1]
    assert values.pop("starts_ms") == [
        *(from_ms, from_ms + STRETCH_MS, day_ms - 3 * DAY_MS),
        *(day_ms - 2 * DAY_MS, day_ms, NOW_MS + 1),
    ]
    assert {name: value // DAY_MS - DAY for name, value in values.items()} == {
        "from_ms": -5,
        "until_ms": -5,
        "from_ms_2": -3,
        "until_ms_2": -2,
        "from_ms_3": 0,
        "until_ms_3": 0,
    }
    assert sql.count(" OR ") == 4
    assert parameters.span == ((DAY - 5) * DAY_MS + 7, NOW_MS + STRETCH_MS)


def test_a_query_without_its_time_does_not_depend_on_the_window() -> None:
    queries = [
        slice_by_day(SQL, QueryParameters(), [Window(NOW_MS - 40 * DAY_MS, from_ms - 1), Window(from_ms, NOW_MS)])
        for from_ms in (NOW_MS - 20 * DAY_MS, NOW_MS - 20 * DAY_MS + 60_000)
    ]
    assert queries[0].sql == queries[1].sql
    assert queries[0].parameters == queries[1].parameters


def test_buckets_are_slices_with_their_own_numbers() -> None:
    buckets = Buckets(
        window=Window(NOW_MS - 3 * DAY_MS, NOW_MS), interval="day", timezone="Asia/Kolkata", now_ms=NOW_MS
    )
    query = slice_by_bucket(SQL, QueryParameters(), buckets, "number")
    assert query is not None
    assert [slice_.number for slice_ in query.slices] == list(buckets.numbers)
    assert [slice_.is_whole for slice_ in query.slices] == [False, True, True, False]
    assert query.build_sql(query.slices)[0].startswith("SELECT number AS slice")


def test_days_that_clocks_repeat_over_midnight_are_no_slices() -> None:
    november_ms = 1_288_569_600_000  # of 2010; one minute after midnight of the 7th, clocks were put back to 23:01
    buckets = Buckets(
        window=Window(november_ms, november_ms + 20 * DAY_MS),
        interval="day",
        timezone="America/St_Johns",
        now_ms=NOW_MS,
    )
    assert not buckets.are_contiguous
    assert slice_by_bucket(SQL, QueryParameters(), buckets, "number") is None
    assert buckets.for_window(Window(november_ms + 9 * DAY_MS, november_ms + 20 * DAY_MS)).are_contiguous
