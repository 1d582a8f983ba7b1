"""Labels from slices have the order in which the store ranks them, or are left to the store."""

from typing import Any

import msgspec
import pytest

from tallyroom.queries.cells import CellRow, SlicedRows
from tallyroom.queries.label_ranking import rank_labels
from tallyroom.queries.measures import Measure, build_measure
from tallyroom.queries.query_parameters import QueryParameters


def sliced(*rows: tuple[int, int, str, Any]) -> SlicedRows:
    """Rows of a slice, a bucket, a label and a value."""
    return SlicedRows(
        [
            CellRow(number, 0, bucket, label, [msgspec.json.encode(value).decode()])
            for number, bucket, label, value in rows
        ]
    )


def ranked(measure: Measure, limit: int, *rows: tuple[int, int, str, Any]) -> Any:
    """The labels and their values, in order; None if only the store can rank them."""
    measure_sql = build_measure(measure, None if measure == "count" else "n", QueryParameters())
    series = rank_labels(measure_sql, sliced(*rows), limit)
    return series and [(row.label, measure_sql.to_value(row.total)) for row in series]


def test_counts_of_all_slices_decide_and_equal_ones_go_by_bytes() -> None:
    rows = [(1, 0, "z", 2), (2, 0, "ä", 3), (1, 0, "a", 1), (2, 0, "a", 1), (2, 0, "b", 1)]
    assert ranked("count", 3, *rows) == [("ä", 3), ("a", 2), ("z", 2)]


def test_labels_without_a_value_come_last() -> None:
    assert ranked("min", 9, (1, 0, "b", None), (1, 0, "a", -5.0), (2, 0, "a", None)) == [("a", -5), ("b", None)]
    assert ranked("avg", 9, (1, 0, "b", [0, {}, 0]), (1, 0, "a", [-3_000_000, {}, 2])) == [("a", -1.5), ("b", None)]


def test_a_sum_of_decimals_is_ranked_by_all_its_parts() -> None:
    rows = [(1, 0, "a", [100_000, {}]), (2, 0, "a", [200_000, {}]), (1, 0, "b", [300_001, {}])]
    assert ranked("sum", 2, *rows) == [("b", 0.300001), ("a", 0.3)]


@pytest.mark.parametrize("parts", [[0, {"1021": [1, 1]}], [2**53 + 1, {}]])
def test_sums_that_are_rounded_on_the_way_are_left_to_the_store(parts: list[Any]) -> None:
    assert ranked("sum", 2, (1, 0, "a", parts)) is None


def test_buckets_keep_their_own_values() -> None:
    measure_sql = build_measure("count", None, QueryParameters())
    rows = sliced((1, 7, "a", 2), (2, 7, "a", 1), (2, 8, "a", 5))
    [series] = rank_labels(measure_sql, rows, 5) or []
    assert (series.total, sorted(series.points)) == (8, [(7, 3), (8, 5)])
