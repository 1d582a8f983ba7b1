"""Turns a row into an event according to a mapping; the server decides whether the event is valid."""

from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Raw

from tallyroom.import_export.batch import MakeItem
from tallyroom.import_export.mapping import OWN_SHAPE, Columns, Mapping
from tallyroom.import_export.numbers import comma_number_or_text, number_or_text
from tallyroom.import_export.row import Cell, FileRow, RowRefused, find, members, text_of
from tallyroom.import_export.source import Format
from tallyroom.import_export.times import MomentReader

_NULL: Final = b"null"
_EVERY: Final = "*"

_encode = msgspec.json.Encoder().encode


def maker(mapping: Mapping, form: Format) -> MakeItem:
    """Return what turns the rows of a file into events; a line in Tallyroom's own shape is passed on as written."""
    without_id = msgspec.structs.replace(mapping, id="")
    # An id that is no part of Tallyroom's own shape has to become a property.
    own_id = not mapping.id or mapping.id.partition(".")[0] in OWN_SHAPE.named
    return _verbatim if without_id == OWN_SHAPE and own_id and form == "ndjson" else Mapper(mapping).event


def _verbatim(row: FileRow) -> bytes:
    if not isinstance(row.display, bytes):
        raise RowRefused("the row is not a line of JSON")
    return row.display


class Mapper:
    """Makes events, one after the other.

    Args:
        mapping: which column becomes what.
    """

    def __init__(self, mapping: Mapping) -> None:
        self._mapping = mapping
        self._named = mapping.named
        self._inside = _children(mapping.properties, mapping.named)
        self._texts = frozenset(mapping.text)
        self._commas = frozenset(mapping.decimal_comma)
        zone = ZoneInfo(mapping.zone) if mapping.zone else None
        self._moments = MomentReader(mapping.unit, zone, epoch_is_local=mapping.epoch_is_local)

    def event(self, row: FileRow) -> bytes:
        """Return the event of a row as compact JSON.

        Raises:
            RowRefused: the row cannot become an event.
        """
        mapping = self._mapping
        event: dict[str, Any] = {"name": self._name(row)}
        for field, columns in (
            ("_actor", mapping.actor),
            ("_actorLabel", mapping.label),
            ("_source", mapping.source),
        ):
            if text := self._text(row, columns, field):
                event[field] = text
        moment = self._first(row, mapping.timestamp)
        if moment is not None:
            event["_timestamp"] = self._moments.read(moment)
        if properties := self._properties(row):
            event["properties"] = properties
        try:
            return _encode(event)
        except UnicodeEncodeError:
            raise RowRefused("the row is not UTF-8") from None

    def _name(self, row: FileRow) -> str:
        mapping = self._mapping
        name = self._text(row, mapping.name, "name")
        if not name and mapping.code:
            name = mapping.names_by_code.get(self._text(row, (mapping.code,), "name"), "")
        if not name and not mapping.event:
            raise RowRefused(f"name: {' or '.join(mapping.name) or mapping.code} is missing or empty")
        return name or mapping.event

    def _text(self, row: FileRow, columns: Columns, field: str) -> str:
        for column in columns:
            cell = self._cell(row, column)
            if cell is not None and (text := text_of(cell, field)):
                return text
        return ""

    def _first(self, row: FileRow, columns: Columns) -> Cell | None:
        return next((cell for column in columns if (cell := self._cell(row, column)) is not None), None)

    def _cell(self, row: FileRow, column: str) -> Cell | None:
        cell = find(row.cells, column)
        return None if cell is None or cell == self._mapping.absent else cell

    def _properties(self, row: FileRow) -> dict[str, Any]:
        """The properties: further columns first, then the object's members, then those that an option names."""
        mapping = self._mapping
        properties: dict[str, Any] = {}
        if mapping.rest:
            for column, cell in row.cells.items():
                if column not in self._named and cell != mapping.absent:
                    properties[column.removeprefix(mapping.prefix)] = self._value(column, cell)
        object_cell = find(row.cells, mapping.properties)
        if object_cell is not None:
            properties |= self._members(object_cell)
        for name, column in mapping.property_columns.items():
            if (column_cell := self._cell(row, column)) is not None:
                properties[name] = self._value(column, column_cell)
        return {name: value for name, value in properties.items() if value is not None}

    def _members(self, cell: Cell) -> dict[str, Raw]:
        inner = members(cell)
        if inner is None:
            raise RowRefused(f"properties: {self._mapping.properties} is not a JSON object")
        return {name: value for name, value in inner.items() if name not in self._inside}

    def _value(self, column: str, cell: Cell) -> Cell | None:
        if isinstance(cell, Raw):
            return None if bytes(cell) == _NULL else cell
        if _is_among(column, self._texts):
            return cell
        return comma_number_or_text(cell) if _is_among(column, self._commas) else number_or_text(cell)


def _is_among(column: str, columns: frozenset[str]) -> bool:
    return column in columns or _EVERY in columns


def _children(parent: str, paths: frozenset[str]) -> frozenset[str]:
    """The members of `parent` that have a place of their own."""
    return frozenset(path.removeprefix(f"{parent}.") for path in paths if path.startswith(f"{parent}."))
