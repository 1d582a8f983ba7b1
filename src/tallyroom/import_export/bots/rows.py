"""Turns the row of a file into a row for a listing; the server decides what such a row may contain."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from tallyroom.import_export.bots.fields import (
    BOT_FIELDS,
    COUNTER_FIELDS,
    LEADERBOARD_FIELDS,
    READ_ONLY_FIELDS,
    TIMESTAMP_FIELDS,
    VOTE_FIELDS,
    CellReader,
    FieldKind,
)
from tallyroom.import_export.mapping import Columns, ColumnUnknown, check_option_columns
from tallyroom.import_export.row import Cell, FileRow, RowRefused, find_cell
from tallyroom.import_export.times import TimestampReader

_encode = msgspec.json.Encoder().encode
_KNOWN_FIELDS: Final = frozenset({*BOT_FIELDS, *VOTE_FIELDS, *TIMESTAMP_FIELDS, *READ_ONLY_FIELDS, *LEADERBOARD_FIELDS})


@dataclass(frozen=True)
class BotColumns:
    """Which column becomes which field, by field. A column not in `column_by_field` is the field of the same name."""

    column_by_field: dict[str, str] = field(default_factory=dict)
    ignored_columns: Columns = ()

    @property
    def mapped_columns(self) -> frozenset[str]:
        """Columns that are not fields under their own name."""
        paths = self.column_by_field.values()
        return frozenset({*self.ignored_columns, *paths, *(path.partition(".")[0] for path in paths)})


def check_header(bot_columns: BotColumns, file_columns: Columns, header_remark: str = "") -> None:
    """Raise `ColumnUnknown` if a named column or the bot's ID is missing, or a listing has no field for a column."""
    option_columns = (*bot_columns.column_by_field.values(), *bot_columns.ignored_columns)
    check_option_columns(option_columns, file_columns, header_remark)
    fields = {*bot_columns.column_by_field, *(set(file_columns) - bot_columns.mapped_columns)}
    if unknown_columns := [column for column in file_columns if column in fields - _KNOWN_FIELDS]:
        raise ColumnUnknown(
            f"A listing has no field {', '.join(unknown_columns)}: "
            f"add --map FIELD={unknown_columns[0]} or --ignore {unknown_columns[0]}.{header_remark}"
        )
    if "id" not in fields and not {"bot", "userId"} <= fields:
        raise ColumnUnknown(
            f"The file has no column id, so its rows do not name their bots: add --map id=COLUMN; its columns are: "
            f"{', '.join(file_columns)}.{header_remark}"
        )


class BotRowBuilder:
    """Builds one row after another; `default_time` is the ISO 8601 time of counters and votes that have none."""

    def __init__(self, bot_columns: BotColumns, timestamp_reader: TimestampReader, default_time: str) -> None:
        self._bot_columns = bot_columns
        self._mapped_columns = bot_columns.mapped_columns
        self._cell_reader = CellReader(timestamp_reader)
        self._default_time = default_time

    def build_item(self, row: FileRow) -> bytes:
        """Return the row as compact JSON; raise `RowRefused` for a leaderboard entry or an invalid time."""
        cell_by_field = dict(self._iterate_field_cells(row))
        if cell_by_field.keys() & LEADERBOARD_FIELDS:
            raise RowRefused("the row is a leaderboard entry, which is a total; import the votes themselves")
        kind_by_field = VOTE_FIELDS if "userId" in cell_by_field else BOT_FIELDS
        value_by_field = {
            name: value
            for name, cell in cell_by_field.items()
            if name not in TIMESTAMP_FIELDS and (value := self._read_value(kind_by_field, name, cell)) is not None
        }
        if timestamp := self._read_timestamp(cell_by_field):
            value_by_field["timestamp"] = timestamp
        elif kind_by_field is VOTE_FIELDS or value_by_field.keys() & COUNTER_FIELDS:
            value_by_field["timestamp"] = self._default_time
        try:
            return _encode(value_by_field)
        except UnicodeEncodeError:
            raise RowRefused("the row is not UTF-8") from None

    def _iterate_field_cells(self, row: FileRow) -> Iterator[tuple[str, Cell]]:
        column_by_field = self._bot_columns.column_by_field
        skipped_columns = self._mapped_columns | READ_ONLY_FIELDS | column_by_field.keys()
        for column in row.cells:
            if column not in skipped_columns and (cell := find_cell(row.cells, column)) is not None:
                yield column, cell
        for name, column in column_by_field.items():
            if (cell := find_cell(row.cells, column)) is not None:
                yield name, cell

    def _read_value(self, kind_by_field: dict[str, FieldKind], name: str, cell: Cell) -> Any:
        """Return the value of a field. An unknown field is passed on unchanged, so that the server refuses it."""
        return self._cell_reader.read_cell(kind_by_field[name], cell) if name in kind_by_field else cell

    def _read_timestamp(self, cell_by_field: dict[str, Cell]) -> Any:
        cells = (cell_by_field[name] for name in TIMESTAMP_FIELDS if name in cell_by_field)
        timestamps = (self._cell_reader.read_cell(FieldKind.TIMESTAMP, cell) for cell in cells)
        return next((timestamp for timestamp in timestamps if timestamp is not None), None)
