"""The cells of a sliced query: what a question measures for one part, bucket and label, in one slice of time."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from tallyroom.queries.aggregate import Aggregate
from tallyroom.queries.measures import MeasureSql, StoredValue, read_stored_value
from tallyroom.queries.slices import SLICE_MARK

COUNT = Aggregate(function="count")


class CellKey(NamedTuple):
    """The part of a question, the number of a bucket, and the label; 0 and "" where a question has only one."""

    part: int
    bucket: int
    label: str


class CellRow(msgspec.Struct):
    """The measures of a cell in one slice, each as JSON, because measures can have different types."""

    slice: int
    part: int
    bucket: int
    label: str
    measures: list[str | None]

    @property
    def key(self) -> CellKey:
        """The cell to which the row belongs."""
        return CellKey(self.part, self.bucket, self.label)


class SlicedRows(NamedTuple):
    """The rows of a sliced query: those of earlier answers, and those that were read now."""

    rows: list[CellRow]


def cell_columns(measures: Sequence[MeasureSql], part: int = 0, bucket_sql: str = "0") -> str:
    """Return the columns of a `CellRow` without a label for the select list of a query of events."""
    measure_list = ", ".join(f"toJSONString({measure.aggregate_sql()})" for measure in measures)
    return f"{SLICE_MARK} AS slice, {part} AS part, {bucket_sql} AS bucket, '' AS label, [{measure_list}] AS measures"


def merge_cells(
    rows: Iterable[CellRow], measures_by_part: Mapping[int, Sequence[MeasureSql]]
) -> dict[CellKey, list[StoredValue]]:
    """Return the measures of each cell over all rows, from different slices."""
    texts_by_key: dict[CellKey, list[list[str | None]]] = {}
    for row in rows:
        texts_by_key.setdefault(row.key, []).append(row.measures)
    return {key: _merge_texts(texts, measures_by_part[key.part]) for key, texts in texts_by_key.items()}


def count_cells(sliced_rows: SlicedRows) -> dict[CellKey, int]:
    """Return the number of events of each cell, from rows with the measure `COUNT` of one part."""
    counts: Counter[CellKey] = Counter()
    for row in sliced_rows.rows:
        counts[row.key] += int(row.measures[0] or 0)
    return counts


def _merge_texts(texts: Sequence[list[str | None]], measures: Sequence[MeasureSql]) -> list[StoredValue]:
    if len(texts) == 1:
        return [read_stored_value(text) for text in texts[0]]
    merged_values = [
        measure.merge([read_stored_value(row_texts[index]) for row_texts in texts])
        for index, measure in enumerate(measures)
    ]
    if UNSET in merged_values:
        raise TypeError("a cell of a measure that cannot be merged is in more than one slice")
    return merged_values
