"""Turns the row of a file into a row for a listing; the server decides what such a row may contain."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from tallyroom.import_export.bots.fields import BOT, COUNTERS, READ_ONLY, SUMS, TIMES, VOTE, CellReader, Kind
from tallyroom.import_export.mapping import Columns, ColumnUnknown, check_named
from tallyroom.import_export.row import Cell, FileRow, RowRefused, find
from tallyroom.import_export.times import MomentReader

_encode = msgspec.json.Encoder().encode
_FIELDS: Final = frozenset({*BOT, *VOTE, *TIMES, *READ_ONLY, *SUMS})


@dataclass(frozen=True)
class BotColumns:
    """Which column becomes which field.

    Attributes:
        columns: the columns by field; a column that is not named here is the field of its own name.
        ignore: columns to leave out.
    """

    columns: dict[str, str] = field(default_factory=dict)
    ignore: Columns = ()

    @property
    def used(self) -> frozenset[str]:
        """Columns that are no longer fields under their own name."""
        paths = self.columns.values()
        return frozenset({*self.ignore, *paths, *(path.partition(".")[0] for path in paths)})


def check_header(mapping: BotColumns, header: Columns, remark: str = "") -> None:
    """Check the header of a file, if its columns are known before its rows.

    Raises:
        ColumnUnknown: a named column is missing, a listing knows no field for another, or no column has the bot's id.
    """
    check_named((*mapping.columns.values(), *mapping.ignore), header, remark)
    fields = {*mapping.columns, *(column for column in header if column not in mapping.used)}
    if unknown := [column for column in header if column in fields - _FIELDS]:
        raise ColumnUnknown(
            f"A listing has no field {', '.join(unknown)}: add --map FIELD={unknown[0]} or --ignore {unknown[0]}."
            f"{remark}"
        )
    if "id" not in fields and not {"bot", "userId"} <= fields:
        raise ColumnUnknown(
            f"The file has no column id, so its rows belong to no bot: add --map id=COLUMN; its columns are: "
            f"{', '.join(header)}.{remark}"
        )


class RowMaker:
    """Makes one row after the other.

    Args:
        mapping: which column becomes which field.
        moments: reads times.
        default_time: the moment for counters and votes without one, as ISO 8601 text.
    """

    def __init__(self, mapping: BotColumns, moments: MomentReader, default_time: str) -> None:
        self._mapping = mapping
        self._used = mapping.used
        self._reader = CellReader(moments)
        self._default_time = default_time

    def item(self, row: FileRow) -> bytes:
        """Return the row as compact JSON.

        Raises:
            RowRefused: the row is an entry of a leaderboard, or its time is not valid.
        """
        cells = dict(self._cells(row))
        if cells.keys() & SUMS:
            raise RowRefused("the row is an entry of a leaderboard, which is a sum; import the votes themselves")
        kinds = VOTE if "userId" in cells else BOT
        fields = {name: self._value(kinds, name, cell) for name, cell in cells.items() if name not in TIMES}
        fields = {name: value for name, value in fields.items() if value is not None}
        if moment := self._moment(cells):
            fields["timestamp"] = moment
        elif kinds is VOTE or fields.keys() & COUNTERS:
            fields["timestamp"] = self._default_time
        try:
            return _encode(fields)
        except UnicodeEncodeError:
            raise RowRefused("the row is not UTF-8") from None

    def _cells(self, row: FileRow) -> Iterator[tuple[str, Cell]]:
        """Return the cells that are not empty, by field."""
        columns = self._mapping.columns
        left_out = self._used | READ_ONLY | columns.keys()
        for column in row.cells:
            if column not in left_out and (cell := find(row.cells, column)) is not None:
                yield column, cell
        for name, column in columns.items():
            if (cell := find(row.cells, column)) is not None:
                yield name, cell

    def _value(self, kinds: dict[str, Kind], name: str, cell: Cell) -> Any:
        """Return the value of a field; an unknown field goes to the server as it is, so that the server refuses it."""
        return self._reader.read(kinds[name], cell) if name in kinds else cell

    def _moment(self, cells: dict[str, Cell]) -> Any:
        read = (self._reader.read(Kind.MOMENT, cells[name]) for name in TIMES if name in cells)
        return next((moment for moment in read if moment is not None), None)
