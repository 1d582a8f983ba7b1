"""The labels with the highest values, from the rows of a sliced query, in the order in which the store ranks them."""

import heapq
from collections import defaultdict

import msgspec
from msgspec import UNSET

from tallyroom.queries.cells import SlicedRows, merge_cells
from tallyroom.queries.measures import MeasureSql, StoredValue


class LabelSeriesRow(msgspec.Struct):
    """A label, its measure over the whole window, and by the numbers of buckets."""

    label: str
    total: StoredValue
    points: list[tuple[int, StoredValue]]


def rank_labels(measure: MeasureSql, sliced_rows: SlicedRows, limit: int) -> list[LabelSeriesRow] | None:
    """Return the `limit` labels with the highest values; None if only the store can rank them exactly."""
    points_by_label: dict[str, list[tuple[int, StoredValue]]] = defaultdict(list)
    for key, [value] in merge_cells(sliced_rows.rows, {0: [measure]}).items():
        points_by_label[key.label].append((key.bucket, value))
    ranked_rows: list[tuple[tuple[bool, float, bytes], LabelSeriesRow]] = []
    for label, points in points_by_label.items():
        total = points[0][1] if len(points) == 1 else measure.merge([value for _, value in points])
        rank = measure.rank(total)
        if rank is UNSET:
            return None
        ranked_rows.append(((rank is None, -(rank or 0), label.encode()), LabelSeriesRow(label, total, points)))
    return [row for _, row in heapq.nsmallest(limit, ranked_rows, key=lambda ranked_row: ranked_row[0])]
