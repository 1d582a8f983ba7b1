"""The property columns of the event store, as of the last look, and the choice between a column and its map."""

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

import msgspec

from tallyroom.storage.event_store.column_fill import find_unfilled_months
from tallyroom.storage.event_store.property_columns.column import (
    COLUMN_MAPS,
    NAME_PREFIX,
    PropertyColumn,
    parse_comment,
)
from tallyroom.storage.event_store.property_columns.slots import PropertyRead
from tallyroom.storage.event_store.writer import Writer
from tallyroom.storage.spool.row import month_of

Row = TypeVar("Row", bound=msgspec.Struct)

_LIST_COLUMNS = f"""
SELECT name, comment FROM system.columns
WHERE database = currentDatabase() AND table = 'events' AND startsWith(name, '{NAME_PREFIX}')"""
_MEASURE_MAPS = """
SELECT column, toUInt64(sum(column_data_uncompressed_bytes) / greatest(sum(rows), 1)) AS bytes
FROM system.parts_columns
WHERE active AND database = currentDatabase() AND table = 'events' AND has({maps:Array(String)}, column)
GROUP BY column"""
_UNKNOWN_BYTES_PER_ROW = 100  # small parts do not record the sizes of their columns

Span = tuple[int, int]
"""The times of the events that a query reads: from one millisecond since 1970-01-01 UTC to another, both inclusive."""


class _ColumnRow(msgspec.Struct):
    name: str
    comment: str


class _MapRow(msgspec.Struct):
    column: str
    bytes: int


class ColumnState(NamedTuple):
    """The property columns; a month, such as 202611, is unfilled for a column that one of its parts lacks."""

    columns: tuple[PropertyColumn, ...] = ()
    unfilled_months_by_name: Mapping[str, frozenset[int]] = {}
    bytes_per_row_by_map: Mapping[str, int] = {}

    def find_unfilled_months(self, column: PropertyColumn) -> frozenset[int]:
        """Return the months in which a column would have to be computed from its map for each query."""
        return self.unfilled_months_by_name.get(column.name, frozenset())

    @property
    def unfilled_month_count(self) -> int:
        """In how many months a column is not filled."""
        return len(frozenset().union(*self.unfilled_months_by_name.values()))

    def describe_columns(self) -> list[str]:
        """Return the key and the map of each column, such as ``plan (strings)``, in alphabetical order."""
        return sorted(f"{column.key} ({column.map})" for column in self.columns)


def read_column_state(writer: Writer) -> ColumnState:
    """Read the property columns from the store; raises `StoreError`."""
    columns = _list_columns(writer)
    map_rows = _query(writer, _MEASURE_MAPS, _MapRow, {"maps": [*COLUMN_MAPS]})
    return ColumnState(
        columns,
        find_unfilled_months(writer.command, [column.name for column in columns]) if columns else {},
        {row.column: row.bytes for row in map_rows},
    )


class PropertyColumnCatalog:
    """Remembers the property columns; questions and the job that changes columns share it.

    An old state only costs time: a query on a column that is gone runs again on the maps (reader.py), and the store
    computes a column that a part lacks.
    """

    def __init__(self) -> None:
        self.state = ColumnState()
        self._column_by_read: dict[PropertyRead, PropertyColumn] = {}

    def refresh(self, writer: Writer) -> ColumnState:
        """Read the property columns from the store; raises `StoreError`."""
        self.state = state = read_column_state(writer)
        self._column_by_read = {column.property_read: column for column in state.columns if column.retired_ms is None}
        return state

    def forget(self) -> None:
        """Read all properties from the maps until the next `refresh`."""
        self._column_by_read = {}

    def find_column(self, property_read: PropertyRead, span: Span | None) -> str | None:
        """Return the name of a column that is filled for all months of `span`, or for all months if it is None."""
        column = self._column_by_read.get(property_read)
        if column is None:
            return None
        unfilled_months = self.state.find_unfilled_months(column)
        if span is not None and unfilled_months:
            first_month, last_month = month_of(max(span[0], 0)), month_of(max(span[1], 0))
            unfilled_months = frozenset(month for month in unfilled_months if first_month <= month <= last_month)
        return None if unfilled_months else column.name

    def estimate_bytes(self, property_read: PropertyRead, row_count: int) -> int:
        """Return how many bytes reading a property of `row_count` events from its map takes."""
        return row_count * (self.state.bytes_per_row_by_map.get(property_read.map_name) or _UNKNOWN_BYTES_PER_ROW)


def _list_columns(writer: Writer) -> tuple[PropertyColumn, ...]:
    """List the property columns, except those whose comment was changed by hand."""
    column_rows = _query(writer, _LIST_COLUMNS, _ColumnRow)
    columns = [(row.name, parse_comment(row.comment)) for row in column_rows]
    return tuple(column for name, column in columns if column is not None and column.name == name)


def _query(writer: Writer, sql: str, row_type: type[Row], parameters: dict[str, list[str]] | None = None) -> list[Row]:
    row_decoder = msgspec.json.Decoder(row_type, strict=False)  # servers may quote large integers
    return row_decoder.decode_lines(writer.command(sql, parameters, "JSONEachRow"))
